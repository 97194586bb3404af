package dev.waymark.proof.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.Settings;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.message.Messages.Correlated;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.StoreException;
import dev.waymark.proof.support.StoreHooks;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages and waits that were not first are looked after long before the next full look. */
final class FollowUpTest {

  private static final Caller ANNA = Caller.of("anna");
  private static final Duration MOMENT = Duration.ofSeconds(2);

  static final String ORDER =
      """
      waymark: 1
      key: order
      startOn: { name: placed, businessKey: "${ Context.correlationId }" }
      start: w
      activities:
        w:
          type: wait
          with: { for: external-message, key: placed, correlate: "${ Context.correlationId }" }
      """;

  private static final String PARENT =
      """
      waymark: 1
      key: parent
      start: ask
      activities:
        ask: { type: wait, with: { key: ask }, next: child }
        child: { type: sub-workflow, with: { definition: child } }
      """;

  private static final String CHILD =
      """
      waymark: 1
      key: child
      start: done
      activities:
        done: { type: end }
      """;

  private final VirtualClock clock = new VirtualClock();

  private WorkflowTestKit kit(Store store) {
    return WorkflowTestKit.on(store, clock, builder -> builder.settings(Settings.DEFAULT));
  }

  private static Correlated message(String name, String correlation, String id) {
    return Correlated.of(name, correlation, Map.of(), "shop", id);
  }

  private static List<Instance> runs(WorkflowTestKit kit) {
    return kit.engine().instances().list(InstanceQuery.ALL, ANNA);
  }

  @ParameterizedTest
  @EnumSource
  void a_message_whose_wait_closes_under_it_begins_a_run(Stores stores) {
    AtomicBoolean armed = new AtomicBoolean();
    AtomicReference<Runnable> cancel = new AtomicReference<>(() -> {});
    Store store =
        StoreHooks.after(
            stores.create().open(clock),
            "receive",
            StoreHooks.once(armed, () -> cancel.get().run()));
    try (WorkflowTestKit kit = kit(store)) {
      kit.deploy(ORDER.replace(", businessKey: \"${ Context.correlationId }\"", ""));
      // Past the full look that follows a deployment: it would find the message by itself.
      kit.advance(MOMENT.multipliedBy(3));
      Run waiting = kit.start(StartRequest.of("order").correlationId("k"));
      // It found this wait when it was stored; before it is brought there, the run is cancelled.
      cancel.set(() -> kit.engine().operations().cancel(waiting.id(), "enough", ANNA).orThrow());
      armed.set(true);

      assertThat(kit.engine().messages().correlate(message("placed", "k", "1"), ANNA)).isTrue();
      kit.advance(MOMENT);

      assertThat(waiting.status()).isEqualTo(Status.CANCELLED);
      assertThat(runs(kit)).hasSize(2);
      assertThat(kit.engine().messages().unmatched(null, 10, ANNA)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void of_several_kept_messages_the_first_that_fits_is_received(Stores stores) {
    try (WorkflowTestKit kit = kit(stores.create().open(clock))) {
      kit.deploy(
          """
          waymark: 1
          key: filter
          start: a
          activities:
            a:
              type: wait
              with: { for: external-message, key: paid, correlate: "${ Variables.order }" }
              guard: { when: "Output.amount >= 100" }
          """);
      for (int amount : List.of(1, 2, 500)) {
        kit.engine()
            .messages()
            .correlate(
                Correlated.of("paid", "o1", Map.of("amount", amount), "bank", "m" + amount), ANNA);
        kit.advance(Duration.ofMillis(20));
      }

      Run run = kit.start("filter", Map.of("order", "o1"));
      kit.advance(MOMENT);

      assertThat(run.status()).isEqualTo(Status.COMPLETED);
      assertThat(kit.engine().messages().unmatched(null, 10, ANNA)).hasSize(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_run_that_ends_in_the_callers_transaction_leaves_its_key_to_a_message(Stores stores) {
    try (WorkflowTestKit kit = kit(stores.create().open(clock))) {
      kit.deploy(ORDER);
      kit.deploy(
          """
          waymark: 1
          key: holder
          start: w
          activities:
            w: { type: wait, with: { key: w } }
          """);
      Run holder = kit.start(StartRequest.of("holder").businessKey("k"));
      kit.engine().messages().correlate(message("placed", "k", "1"), ANNA);
      kit.advance(MOMENT.multipliedBy(3));
      assertThat(runs(kit)).hasSize(1);
      BookmarkId wait = holder.instance().bookmarks().firstKey();

      kit.engine().inTransaction(joined -> joined.resume(wait, Map.of(), ANNA).orThrow());
      kit.advance(MOMENT);

      assertThat(runs(kit)).hasSize(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_a_transaction_did_is_followed_up_although_its_reply_was_lost(Stores stores) {
    AtomicBoolean armed = new AtomicBoolean();
    Store store =
        StoreHooks.after(
            stores.create().open(clock),
            "inTransaction",
            StoreHooks.once(armed, StoreHooks.fail(StoreException.Kind.UNKNOWN_OUTCOME)));
    try (WorkflowTestKit kit = kit(store)) {
      kit.deploy(CHILD);
      kit.deploy(PARENT);
      Run parent = kit.start("parent", Map.of());
      BookmarkId wait = parent.instance().bookmarks().firstKey();
      armed.set(true);

      assertThatThrownBy(
              () -> kit.engine().inTransaction(joined -> joined.resume(wait, Map.of(), ANNA)))
          .isInstanceOf(StoreException.class);
      kit.advance(MOMENT);

      assertThat(parent.status()).isEqualTo(Status.COMPLETED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_lost_connection_while_starters_are_read_delays_a_start_by_a_moment(Stores stores) {
    AtomicBoolean armed = new AtomicBoolean();
    Store store =
        StoreHooks.before(
            stores.create().open(clock),
            "definitions",
            StoreHooks.once(armed, StoreHooks.fail(StoreException.Kind.UNKNOWN_OUTCOME)));
    try (WorkflowTestKit kit = kit(store)) {
      kit.deploy(ORDER);
      kit.advance(MOMENT.multipliedBy(3));
      armed.set(true);

      kit.engine().messages().correlate(message("placed", "k", "1"), ANNA);
      kit.advance(MOMENT);

      assertThat(armed).isFalse();
      assertThat(runs(kit)).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_lost_connection_while_a_definition_is_read_delays_a_message_by_a_moment(Stores stores) {
    Stores.Place place = stores.create();
    InstanceId run;
    try (WorkflowTestKit first = kit(place.open(clock))) {
      first.deploy(ORDER);
      run = first.start(StartRequest.of("order").correlationId("k")).id();
    }
    AtomicBoolean armed = new AtomicBoolean(true);
    Store store =
        StoreHooks.before(
            place.open(clock),
            "byId",
            StoreHooks.once(armed, StoreHooks.fail(StoreException.Kind.UNKNOWN_OUTCOME)));
    try (WorkflowTestKit kit = kit(store)) {
      armed.set(true);
      kit.engine().messages().send(run, "placed", Map.of(), "shop", "1", ANNA);
      kit.advance(MOMENT);

      assertThat(kit.run(run).status()).isEqualTo(Status.COMPLETED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_message_to_a_run_that_does_not_wait_for_it_can_be_seen(Stores stores) {
    try (WorkflowTestKit kit = kit(stores.create().open(clock))) {
      kit.deploy(ORDER);
      Run run = kit.start(StartRequest.of("order").correlationId("k"));
      kit.engine().messages().send(run.id(), "plcaed", Map.of(), "shop", "1", ANNA);
      kit.advance(MOMENT);

      assertThat(kit.engine().messages().waitingFor(run.id(), 10, ANNA))
          .singleElement()
          .satisfies(message -> assertThat(message.name()).isEqualTo("plcaed"));
    }
  }
}
