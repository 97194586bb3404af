package dev.waymark.proof.message;

import static dev.waymark.proof.message.ChildrenTest.assertSound;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.message.Messages.Correlated;
import dev.waymark.engine.message.Messages.NotBegun;
import dev.waymark.engine.spi.CrashPoints.Point;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages that begin runs. */
final class MessageStartTest {

  private static final Caller SHOP = Caller.of("shop");

  private static final String ORDER =
      """
      waymark: 1
      key: order
      startOn: placed
      start: changed
      activities:
        changed:
          type: wait
          with: { for: external-message, key: placed, correlate: "${ Context.correlationId }" }
          output: { changed: "${ Output.n }" }
      """;

  private static final String PICKY =
      """
      waymark: 1
      key: picky
      input: { type: object, required: [n], properties: { n: { type: integer } } }
      startOn: [{ name: placed, match: "Output.n > 10" }]
      start: done
      activities:
        done: { type: end }
      """;

  private final VirtualClock clock = new VirtualClock();

  private WorkflowTestKit kit(Store store) {
    return WorkflowTestKit.on(store, clock, builder -> {});
  }

  private static boolean place(WorkflowTestKit kit, String order, Object n, String id) {
    boolean fresh = kit.engine().messages().correlate(placed(order, n, id), SHOP);
    kit.runUntilIdle();
    return fresh;
  }

  private static Correlated placed(String order, Object n, String id) {
    return Correlated.of("placed", order, Map.of("n", n), "shop", id);
  }

  private static List<Instance> runs(WorkflowTestKit kit) {
    return kit.engine().instances().list(InstanceQuery.ALL, SHOP).stream()
        .map(found -> kit.engine().instances().find(found.id(), SHOP).orElseThrow())
        .toList();
  }

  @ParameterizedTest
  @EnumSource
  void a_message_that_nobody_waits_for_begins_one_run_with_what_it_says(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = kit(store)) {
      kit.deploy(ORDER);

      assertThat(place(kit, "o-1", 7, "m-1")).isTrue();
      assertThat(place(kit, "o-1", 7, "m-1")).isFalse();

      assertThat(runs(kit)).hasSize(1);
      Instance run = runs(kit).get(0);
      assertThat(run.variables()).isEqualTo(Map.of("n", 7L));
      assertThat(run.origin().correlationId()).isEqualTo("o-1");
      assertThat(kit.engine().instances().history(run.id(), 1, 10, SHOP).get(0))
          .returns(HistoryEntry.Type.INSTANCE_STARTED, HistoryEntry::type)
          .returns(
              Map.of("message", "placed", "source", "shop", "id", "m-1"), HistoryEntry::detail);
      assertThat(kit.engine().messages().unmatched(null, 10, SHOP)).isEmpty();
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void who_waits_for_it_gets_it_and_only_others_begin_runs(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = kit(store)) {
      kit.deploy(ORDER);
      place(kit, "o-1", 1, "m-1");

      place(kit, "o-1", 2, "m-2");
      place(kit, "o-2", 3, "m-3");

      assertThat(runs(kit))
          .extracting(Instance::variables)
          .containsExactlyInAnyOrder(Map.of("n", 1L, "changed", 2L), Map.of("n", 3L));
      assertSound(store);
    }
  }

  @Test
  void a_held_run_that_waits_keeps_the_message_and_no_new_run_begins() {
    try (WorkflowTestKit kit = kit(Stores.SQLITE.create().open(clock))) {
      kit.deploy(ORDER);
      place(kit, "o-1", 1, "m-1");
      InstanceId held = runs(kit).get(0).id();
      kit.engine().operations().suspend(held, "lunch", SHOP).orThrow();

      place(kit, "o-1", 2, "m-2");
      kit.advance(Duration.ofMinutes(11));
      assertThat(runs(kit)).hasSize(1);

      kit.engine().operations().continueInstance(held, "back", SHOP).orThrow();
      kit.runUntilIdle();
      assertThat(runs(kit)).hasSize(1);
      assertThat(runs(kit).get(0).status()).isEqualTo(Status.COMPLETED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void only_the_active_version_begins_and_what_was_kept_begins_with_the_next_one(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = kit(store)) {
      kit.deploy(ORDER);
      kit.engine().definitions().retire("order", 1, SHOP);

      place(kit, "o-1", 1, "m-1");
      kit.advance(Duration.ofMinutes(11));
      assertThat(runs(kit)).isEmpty();

      kit.deploy(ORDER.replace("startOn: placed\n", ""));
      place(kit, "o-2", 1, "m-2");
      assertThat(runs(kit)).isEmpty();

      clock.advance(Duration.ofSeconds(1));
      kit.engine().definitions().activate("order", 1, SHOP);
      kit.runUntilIdle();
      assertThat(runs(kit)).extracting(run -> run.origin().definition()).containsExactly(1L, 1L);
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_fits_no_definition_stays_listed_and_says_why(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = kit(store)) {
      kit.deploy(PICKY);

      place(kit, "o-1", 7, "small");
      place(kit, "o-2", "many", "text");
      place(kit, "o-3", 10.5, "broken");
      kit.advance(Duration.ofMinutes(11));

      assertThat(runs(kit)).isEmpty();
      List<Message> kept = kit.engine().messages().unmatched(null, 10, SHOP);
      assertThat(kept).hasSize(3);
      assertThat(kept)
          .extracting(message -> kit.engine().messages().notBegun(message.key(), SHOP))
          .satisfiesExactly(
              small -> assertRefused(small, "Expected 'match' to hold, but it does not: Output.n"),
              text -> assertRefused(text, "Expected 'match' to hold, but it has no value"),
              broken -> assertRefused(broken, "Expected start data that fits picky v1, but found"));

      // The others are no worse for it, and a definition that takes all comes for them, too.
      place(kit, "o-4", 11, "big");
      assertThat(runs(kit)).extracting(Instance::status).containsExactly(Status.COMPLETED);
      kit.deploy(ORDER);
      kit.runUntilIdle();
      assertThat(kit.engine().messages().unmatched(null, 10, SHOP)).isEmpty();
      assertThat(runs(kit)).hasSize(4);
      assertSound(store);
    }
  }

  private static void assertRefused(List<NotBegun> refused, String why) {
    assertThat(refused).hasSize(1);
    assertThat(refused.get(0).definition()).isEqualTo("picky");
    assertThat(refused.get(0).why()).startsWith(why);
  }

  @ParameterizedTest
  @EnumSource
  void a_message_that_was_stored_by_a_process_that_died_begins_its_run_in_the_next(Stores stores) {
    Stores.Place place = stores.create();
    Store store = place.open(clock);
    WorkflowTestKit dying =
        WorkflowTestKit.on(
            store,
            clock,
            builder ->
                builder.crashPoints(
                    point -> {
                      if (point == Point.I1_MESSAGE_STORED) {
                        throw new IllegalStateException("died on purpose");
                      }
                    }));
    dying.deploy(ORDER);
    assertThatThrownBy(() -> place(dying, "o-1", 1, "m-1")).hasMessage("died on purpose");
    store.close();

    Store next = place.open(clock);
    try (WorkflowTestKit kit = kit(next)) {
      kit.runUntilIdle();
      assertThat(place(kit, "o-1", 1, "m-1")).isFalse();
      assertThat(runs(kit)).hasSize(1);
      assertSound(next);
    }
  }

  @Test
  void a_message_that_a_run_waits_for_costs_no_look_at_definitions_and_others_one_a_second() {
    AtomicInteger asked = new AtomicInteger();
    Store store = counting(Stores.SQLITE.create().open(clock), asked);
    try (WorkflowTestKit kit = kit(store)) {
      kit.deploy(ORDER.replace("startOn: placed\n", ""));
      for (int i = 0; i < 10; i++) {
        kit.engine()
            .instances()
            .start(StartRequest.of("order").correlationId("o-" + i), SHOP.withCommandId("c-" + i))
            .orThrow();
      }
      kit.runUntilIdle();
      int before = asked.get();

      for (int i = 0; i < 10; i++) {
        place(kit, "o-" + i, 1, "m-" + i);
      }
      assertThat(runs(kit)).extracting(Instance::status).containsOnly(Status.COMPLETED);
      assertThat(asked.get()).isEqualTo(before);

      clock.advance(Duration.ofSeconds(2));
      for (int i = 0; i < 10; i++) {
        place(kit, "none-" + i, 1, "n-" + i);
      }
      assertThat(asked.get()).isEqualTo(before + 1);
    }
  }

  private static Store counting(Store store, AtomicInteger asked) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (proxy, method, args) -> {
              if (method.getName().equals("starts")) {
                asked.incrementAndGet();
              }
              return method.invoke(store, args);
            });
  }
}
