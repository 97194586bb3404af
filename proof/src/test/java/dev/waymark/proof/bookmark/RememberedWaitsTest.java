package dev.waymark.proof.bookmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.Decision.Rejection.Code;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.store.Checker;
import dev.waymark.engine.store.Leases.Claim;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.task.Tasks;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A node remembers the instances it has seen, while others claim and move them: what it remembers
 * may save it a look at the store, and nothing else. What is done past the engine here is what
 * another node would do.
 */
final class RememberedWaitsTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Caller ANNA = Caller.of("anna");
  private static final Caller BOB = Caller.of("bob");

  private static final String FLOW =
      """
      waymark: 1
      key: flow
      start: do
      activities:
        do: { type: user-task }
      """;

  private interface Scene {
    void play(Tasks tasks, Store store, BookmarkId task, Run run);
  }

  private static void on(Stores stores, Scene scene) {
    VirtualClock clock = new VirtualClock();
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(FLOW);
      Run run = kit.start("flow", Map.of());
      scene.play(kit.engine().tasks(), store, run.bookmark("do").id(), run);
      assertThat(run).hasStatus(Status.COMPLETED);
      assertThat(store.checker().check(Checker.Options.live())).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_claim_that_was_made_elsewhere_counts(Stores stores) {
    on(
        stores,
        (tasks, store, task, run) -> {
          Claim claim = claimedElsewhere(store, "bob");

          Rejection refused = refused(tasks.complete(task, Map.of(), ANNA));
          assertThat(refused.code()).isEqualTo(Code.LEASED);
          assertThat(refused.message()).contains("bob holds it until " + claim.lease().until());

          tasks.complete(task, claim.lease().fence(), Map.of(), BOB).orThrow();
        });
  }

  @ParameterizedTest
  @EnumSource
  void a_claim_that_was_lost_elsewhere_is_lost(Stores stores) {
    on(
        stores,
        (tasks, store, task, run) -> {
          long lost = tasks.claim(task, HOUR, ANNA).orThrow().lease().fence();
          assertThat(store.leases().release(task, lost)).isTrue();
          Claim claim = claimedElsewhere(store, "bob");

          Rejection refused = refused(tasks.complete(task, lost, Map.of(), ANNA));
          assertThat(refused.code()).isEqualTo(Code.STALE_FENCE);
          assertThat(refused.message()).contains("bob claimed it since");

          tasks.complete(task, claim.lease().fence(), Map.of(), BOB).orThrow();
        });
  }

  @ParameterizedTest
  @EnumSource
  void a_claim_that_another_node_gave_back_is_free(Stores stores) {
    on(
        stores,
        (tasks, store, task, run) -> {
          long fence = tasks.claim(task, HOUR, ANNA).orThrow().lease().fence();
          assertThat(store.leases().release(task, fence)).isTrue();

          tasks.complete(task, Map.of(), BOB).orThrow();
        });
  }

  @Test
  void what_another_node_has_changed_is_decided_anew() {
    VirtualClock clock = new VirtualClock();
    Stores.Place place = Stores.POSTGRES.create();
    try (WorkflowTestKit one = place.process(clock, builder -> {});
        WorkflowTestKit other = place.process(clock, builder -> {})) {
      one.deploy(FLOW);
      Run run = one.start("flow", Map.of());
      BookmarkId task = run.bookmark("do").id();
      other.engine().tasks().assign(task, "bob", ANNA).orThrow();

      assertThat(refused(one.engine().tasks().complete(task, Map.of(), ANNA)).code())
          .isEqualTo(Code.NOT_YOURS);
      one.engine().tasks().complete(task, Map.of(), BOB).orThrow();

      Rejection late = refused(other.engine().tasks().complete(task, Map.of(), BOB));
      assertThat(late.code()).isEqualTo(Code.ALREADY_CLOSED);
      assertThat(late.message()).contains("it was consumed by bob at ");
    }
  }

  @ParameterizedTest
  @EnumSource
  void who_completes_what_was_just_claimed_reads_nothing(Stores stores) {
    VirtualClock clock = new VirtualClock();
    AtomicInteger loads = new AtomicInteger();
    Store store = counting(stores.create().open(clock), loads);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(FLOW);
      Run run = kit.start("flow", Map.of());
      BookmarkId task = run.bookmark("do").id();
      long fence = kit.engine().tasks().claim(task, HOUR, ANNA).orThrow().lease().fence();
      loads.set(0);

      kit.engine().tasks().complete(task, fence, Map.of(), ANNA).orThrow();

      assertThat(loads).hasValue(0);
    }
  }

  private static Claim claimedElsewhere(Store store, String holder) {
    return store
        .leases()
        .claim(Actor.DEFAULT_TENANT, BookmarkKind.USER_ACTION, holder, HOUR, 1)
        .get(0);
  }

  private static Rejection refused(Answer answer) {
    assertThat(answer).isInstanceOf(Answer.Refused.class);
    return ((Answer.Refused) answer).rejection();
  }

  /** The same store, whose reads of instances are counted. */
  private static Store counting(Store store, AtomicInteger loads) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (self, method, arguments) -> {
              if (method.getName().startsWith("load")) {
                loads.incrementAndGet();
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException fault) {
                throw fault.getCause();
              }
            });
  }
}
