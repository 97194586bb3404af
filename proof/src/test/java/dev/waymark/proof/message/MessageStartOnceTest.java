package dev.waymark.proof.message;

import static dev.waymark.proof.message.ChildrenTest.assertSound;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.message.Messages.Correlated;
import dev.waymark.engine.message.Messages.NotBegun;
import dev.waymark.engine.store.Checker.Options;
import dev.waymark.engine.store.Store;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages of one key that find nobody: as many runs, or one at a time, as the definition says. */
final class MessageStartOnceTest {

  private static final Caller SHOP = Caller.of("shop");

  /** It waits for the message of its key only later. */
  private static final String ORDER =
      """
      waymark: 1
      key: order
      startOn: { name: placed, businessKey: "${ Context.correlationId }" }
      start: check
      activities:
        check: { type: wait, with: { for: user-action }, next: changed }
        changed:
          type: wait
          with: { for: external-message, key: placed, correlate: "${ Context.correlationId }" }
          output: { changed: "${ Output.n }" }
      """;

  private final VirtualClock clock = new VirtualClock();

  private interface Scene {
    void play(WorkflowTestKit kit);
  }

  private void on(Stores stores, String definition, Scene scene) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(definition);
      scene.play(kit);
      assertSound(store);
    }
  }

  private static Correlated placed(String order, int n, String id) {
    return Correlated.of("placed", order, Map.of("n", n), "shop", id);
  }

  private static void place(WorkflowTestKit kit, String order, int n, String id) {
    assertThat(kit.engine().messages().correlate(placed(order, n, id), SHOP)).isTrue();
    kit.runUntilIdle();
  }

  private static List<Instance> runs(Engine engine) {
    return engine.instances().list(InstanceQuery.ALL, SHOP).stream()
        .map(found -> engine.instances().find(found.id(), SHOP).orElseThrow())
        .toList();
  }

  private static List<Message> kept(WorkflowTestKit kit) {
    return kit.engine().messages().unmatched(null, 10, SHOP);
  }

  @ParameterizedTest
  @EnumSource
  void without_a_business_key_every_message_that_finds_nobody_begins_a_run(Stores stores) {
    on(
        stores,
        ORDER.replace(", businessKey: \"${ Context.correlationId }\"", ""),
        kit -> {
          place(kit, "o-1", 1, "m-1");
          place(kit, "o-1", 2, "m-2");

          assertThat(runs(kit.engine()))
              .hasSize(2)
              .allSatisfy(
                  run -> {
                    assertThat(run.origin().correlationId()).isEqualTo("o-1");
                    assertThat(run.origin().businessKey()).isNull();
                  });
        });
  }

  @ParameterizedTest
  @EnumSource
  void with_one_the_second_waits_for_the_first_run_and_says_so(Stores stores) {
    on(
        stores,
        ORDER,
        kit -> {
          place(kit, "o-1", 1, "m-1");
          place(kit, "o-1", 2, "m-2");
          place(kit, "o-2", 3, "m-3");
          kit.advance(Duration.ofMinutes(11));

          assertThat(runs(kit.engine()))
              .extracting(run -> run.origin().businessKey())
              .containsExactlyInAnyOrder("o-1", "o-2");
          assertThat(kept(kit)).extracting(message -> message.key().id()).containsExactly("m-2");
          InstanceId first =
              kit.engine()
                  .instances()
                  .list(InstanceQuery.ALL.withBusinessKey("o-1"), SHOP)
                  .get(0)
                  .id();
          assertThat(kit.engine().messages().notBegun(kept(kit).get(0).key(), SHOP))
              .extracting(NotBegun::why)
              .containsExactly(
                  "Expected business key 'o-1' to be free, but instance %s has it"
                      .formatted(first));

          kit.run(first).resume("check", Map.of());
          kit.runUntilIdle();
          Instance done = kit.engine().instances().find(first, SHOP).orElseThrow();
          assertThat(done.status()).isEqualTo(Status.COMPLETED);
          assertThat(done.variables()).containsEntry("changed", 2L);
          assertThat(runs(kit.engine())).hasSize(2);
          assertThat(kept(kit)).isEmpty();
        });
  }

  @ParameterizedTest
  @EnumSource
  void what_the_first_run_did_not_want_begins_the_next_one_at_its_end(Stores stores) {
    on(
        stores,
        ORDER,
        kit -> {
          place(kit, "o-1", 1, "m-1");
          place(kit, "o-1", 2, "m-2");
          InstanceId first = runs(kit.engine()).get(0).id();
          kit.engine().operations().cancel(first, "Not paid", SHOP).orThrow();
          kit.runUntilIdle();

          assertThat(runs(kit.engine()))
              .extracting(Instance::variables)
              .containsExactlyInAnyOrder(Map.of("n", 1L), Map.of("n", 2L));
          assertThat(kept(kit)).isEmpty();
        });
  }

  @ParameterizedTest
  @EnumSource
  void a_key_that_is_none_begins_nothing_and_says_why(Stores stores) {
    on(
        stores,
        ORDER.replace(
            "businessKey: \"${ Context.correlationId }\"", "businessKey: \"${ Output.number }\""),
        kit -> {
          place(kit, "o-1", 1, "m-1");

          assertThat(runs(kit.engine())).isEmpty();
          assertThat(kit.engine().messages().notBegun(kept(kit).get(0).key(), SHOP).get(0).why())
              .startsWith("Expected 'businessKey' to be a text, but it has no value");
        });
  }

  private static Store postgres(String url) {
    return PostgresStore.open(
        url, PostgresServer.USER, PostgresServer.PASSWORD, PostgresOptions.DEFAULTS);
  }

  private static Engine counting(String url, Set<String> begun, CountDownLatch all) {
    return Engine.builder(postgres(url))
        .activity(
            "count",
            context -> {
              if (begun.add(context.variable("key", String.class))) {
                all.countDown();
              }
              return ActivityResult.completed();
            })
        .start();
  }

  @Test
  void of_messages_that_come_at_once_on_two_nodes_one_begins_the_run_of_their_key()
      throws Exception {
    String url = PostgresServer.shared().url(PostgresServer.shared().newDatabase());
    int keys = 20;
    Set<String> begun = ConcurrentHashMap.newKeySet();
    CountDownLatch all = new CountDownLatch(keys);
    try (Store judge = postgres(url);
        Engine one = counting(url, begun, all);
        Engine two = counting(url, begun, all)) {
      one.definitions()
          .deploy(
              """
              waymark: 1
              key: order
              startOn: { name: placed, businessKey: "${ Output.key }" }
              start: count
              activities:
                count: { type: count, next: rest }
                rest: { type: wait }
              """,
              SHOP);
      List<CompletableFuture<Boolean>> stored = new ArrayList<>();
      for (int i = 0; i < 5 * keys; i++) {
        Correlated message =
            Correlated.of("placed", "c", Map.of("key", "k-" + i % keys), "shop", "m-" + i);
        stored.add((i % 2 == 0 ? one : two).messages().correlateAsync(message, SHOP));
      }
      stored.forEach(CompletableFuture::join);
      assertThat(all.await(60, TimeUnit.SECONDS)).isTrue();
      // Whoever activates takes a full look, which finds all that were refused.
      two.definitions().activate("order", 1, SHOP);

      assertThat(one.instances().list(InstanceQuery.ALL.page(null, 1_000), SHOP)).hasSize(keys);
      assertThat(two.messages().unmatched(null, 1_000, SHOP)).hasSize(4 * keys);
      assertThat(judge.checker().check(Options.live().replayingAll())).isEmpty();
    }
  }
}
