package dev.waymark.proof.bookmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.Lease;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.Decision.Rejection.Code;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.bookmark.Bookmarks;
import dev.waymark.engine.bookmark.ClaimResult;
import dev.waymark.engine.store.Checker;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.task.Task;
import dev.waymark.engine.task.Tasks;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tasks that people take for a while, on both stores. */
final class TaskClaimsTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Caller ANNA = Caller.of("anna");
  private static final Caller FINN = in("finn", "finance");
  private static final Caller FRED = in("fred", "finance");
  private static final Caller RITA = in("rita", "finance");

  private static final String FLOW =
      """
      waymark: 1
      key: flow
      start: do
      activities:
        do:
          type: user-task
          with: { candidates: "group:finance", exclude: "${ Variables.requester }" }
          next: paid
        paid: { type: wait, with: { for: external-message, key: paid } }
      """;

  private static Caller in(String user, String group) {
    return Caller.of(new Actor(user, Actor.DEFAULT_TENANT, Set.of(group), Set.of()));
  }

  private interface Scene {
    void play(WorkflowTestKit kit, Run run, BookmarkId task);
  }

  private static void on(Stores stores, Scene scene) {
    VirtualClock clock = new VirtualClock();
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(FLOW);
      Run run = kit.start("flow", Map.of("requester", "rita"));
      scene.play(kit, run, run.bookmark("do").id());
      assertThat(store.checker().check(Checker.Options.live())).isEmpty();
    }
  }

  private static @Nullable Lease shown(Tasks tasks, Caller to) {
    Task task = tasks.inbox(10, to).tasks().get(0);
    assertThat(tasks.find(task.id(), to).orElseThrow().claim()).isEqualTo(task.claim());
    return task.claim();
  }

  private static Rejection refused(ClaimResult grip) {
    assertThat(grip).isInstanceOf(ClaimResult.Refused.class);
    return ((ClaimResult.Refused) grip).rejection();
  }

  private static Rejection refused(Answer answer) {
    assertThat(answer).isInstanceOf(Answer.Refused.class);
    return ((Answer.Refused) answer).rejection();
  }

  @ParameterizedTest
  @EnumSource
  void what_one_has_taken_the_others_see_in_his_hands_and_cannot_take(Stores stores) {
    on(
        stores,
        (kit, run, task) -> {
          Tasks tasks = kit.engine().tasks();
          Instant until = kit.clock().instant().plus(HOUR);
          Lease lease = tasks.claim(task, HOUR, FINN).orThrow().lease();

          assertThat(lease.until()).isEqualTo(until);
          assertThat(shown(tasks, FRED)).isEqualTo(lease);
          Rejection held = refused(tasks.claim(task, HOUR, FRED));
          assertThat(held.code()).isEqualTo(Code.LEASED);
          assertThat(held.message())
              .isEqualTo("Expected bookmark 'do' to be free, but finn holds it until " + until);
          assertThat(refused(tasks.complete(task, Map.of(), FRED)).code()).isEqualTo(Code.LEASED);
          assertThat(refused(tasks.release(task, FRED)).code()).isEqualTo(Code.LEASED);
          assertThat(tasks.claim(task, HOUR, FINN).orThrow().lease()).isEqualTo(lease);

          tasks.complete(task, lease.fence(), Map.of(), FINN).orThrow();
          kit.runUntilIdle();
          assertThat(run).isWaitingAt("paid");
          assertThat(refused(tasks.claim(task, HOUR, FRED)).message())
              .contains("was consumed by finn at");
          assertThat(refused(tasks.release(task, FINN)).code()).isEqualTo(Code.ALREADY_CLOSED);
        });
  }

  @ParameterizedTest
  @EnumSource
  void a_task_comes_back_when_the_time_of_who_took_it_is_over(Stores stores) {
    on(
        stores,
        (kit, run, task) -> {
          Tasks tasks = kit.engine().tasks();
          Lease late = tasks.claim(task, FINN).orThrow().lease();

          kit.advance(Limits.TASK_CLAIM.minusMillis(1));
          assertThat(shown(tasks, FRED)).isEqualTo(late);
          kit.advance(Duration.ofMillis(1));

          assertThat(shown(tasks, FRED)).isNull();
          Lease next = tasks.claim(task, FRED).orThrow().lease();
          assertThat(next.fence()).isGreaterThan(late.fence());
          Rejection stale = refused(tasks.complete(task, late.fence(), Map.of(), FINN));
          assertThat(stale.code()).isEqualTo(Code.STALE_FENCE);
          assertThat(stale.message()).endsWith("fred claimed it since");
          tasks.complete(task, next.fence(), Map.of(), FRED).orThrow();
        });
  }

  @ParameterizedTest
  @EnumSource
  void who_has_taken_it_completes_it_without_saying_the_fence(Stores stores) {
    on(
        stores,
        (kit, run, task) -> {
          Tasks tasks = kit.engine().tasks();
          var unused = tasks.claim(task, HOUR, FINN).orThrow();

          tasks.complete(task, Map.of(), FINN).orThrow();

          kit.runUntilIdle();
          assertThat(run).isWaitingAt("paid");
        });
  }

  @ParameterizedTest
  @EnumSource
  void a_live_claim_is_its_holders_also_for_who_knows_the_fence(Stores stores) {
    on(
        stores,
        (kit, run, task) -> {
          Tasks tasks = kit.engine().tasks();
          Bookmarks bookmarks = kit.engine().bookmarks();
          Lease finns = tasks.claim(task, HOUR, FINN).orThrow().lease();
          String refusal =
              "Expected a claim on bookmark 'do' that is still yours, but finn claimed it since";

          for (Caller other : List.of(FRED, ANNA)) {
            for (String holder : List.of("finn", other.actor().id(), "x")) {
              for (long fence : List.of(finns.fence(), finns.fence() + 1)) {
                Lease guessed = new Lease(holder, fence, finns.until());
                assertThat(refused(bookmarks.release(task, guessed, other)).message())
                    .isEqualTo(refusal);
                assertThat(
                        refused(bookmarks.extend(task, guessed, Duration.ofMillis(1), other))
                            .message())
                    .isEqualTo(refusal);
                assertThat(refused(bookmarks.begin(task, guessed, other)).message())
                    .isEqualTo(refusal);
                assertThat(
                        refused(bookmarks.progress(task, guessed, Map.of("percent", 1), other))
                            .message())
                    .isEqualTo(refusal);
                assertThat(refused(tasks.complete(task, fence, Map.of(), other)).code())
                    .isEqualTo(Code.STALE_FENCE);
              }
            }
          }
          assertThat(shown(tasks, FRED)).isEqualTo(finns);
          tasks.complete(task, finns.fence(), Map.of(), FINN).orThrow();
        });
  }

  @ParameterizedTest
  @EnumSource
  void who_puts_it_back_makes_it_free_at_once(Stores stores) {
    on(
        stores,
        (kit, run, task) -> {
          Tasks tasks = kit.engine().tasks();
          assertThat(refused(tasks.release(task, FINN)).message())
              .isEqualTo("Expected finn to hold 'do', but nobody does");
          Lease first = tasks.claim(task, HOUR, FINN).orThrow().lease();

          assertThat(tasks.release(task, FINN)).isInstanceOf(ClaimResult.Held.class);

          assertThat(shown(tasks, FRED)).isNull();
          tasks.claim(task, HOUR, FRED).orThrow();
          assertThat(refused(tasks.complete(task, first.fence(), Map.of(), FINN)).code())
              .isEqualTo(Code.STALE_FENCE);
        });
  }

  @ParameterizedTest
  @EnumSource
  void who_may_not_take_it_is_told_why(Stores stores) {
    on(
        stores,
        (kit, run, task) -> {
          Tasks tasks = kit.engine().tasks();

          Rejection stranger = refused(tasks.claim(task, HOUR, ANNA));
          assertThat(stranger.code()).isEqualTo(Code.NOT_YOURS);
          assertThat(stranger.message())
              .isEqualTo("Expected one of group:finance for 'do', but anna is none of them");
          Rejection requester = refused(tasks.claim(task, HOUR, RITA));
          assertThat(requester.code()).isEqualTo(Code.NOT_YOURS);
          assertThat(requester.message())
              .isEqualTo("Expected somebody other than rita for 'do', but it is rita");
          Caller elsewhere = Caller.of(Actor.of("finn").in("other"));
          assertThat(refused(tasks.claim(task, HOUR, elsewhere)).code()).isEqualTo(Code.NOT_FOUND);
          assertThat(refused(tasks.release(task, elsewhere)).code()).isEqualTo(Code.NOT_FOUND);
          assertThat(shown(tasks, FRED)).isNull();

          tasks.complete(task, Map.of(), FRED).orThrow();
          kit.runUntilIdle();
          BookmarkId message = run.bookmark("paid").id();
          assertThat(refused(tasks.claim(message, HOUR, FRED)).code()).isEqualTo(Code.WRONG_STATE);
          assertThat(run.status()).isEqualTo(Status.RUNNING);
        });
  }

  @ParameterizedTest
  @EnumSource
  void a_task_that_nobody_does_ends_by_itself_also_in_somebodys_hands(Stores stores) {
    on(
        stores,
        (kit, other, task) -> {
          kit.deploy(
              """
              waymark: 1
              key: lapse
              start: do
              activities:
                do:
                  type: user-task
                  with:
                    candidates: "group:finance"
                    autoComplete: { after: PT3H, outcome: late, answer: { ok: false } }
              """);
          Run run = kit.start("lapse", Map.of());
          Tasks tasks = kit.engine().tasks();
          BookmarkId id = run.bookmark("do").id();
          long fence = tasks.claim(id, FRED).orThrow().lease().fence();
          kit.advance(Duration.ofHours(3).minusMillis(1));
          assertThat(run.status()).isEqualTo(Status.RUNNING);

          kit.advance(Duration.ofMillis(1));

          assertThat(run.status()).isEqualTo(Status.COMPLETED);
          assertThat(run.variables()).containsEntry("outcome", "late").containsEntry("ok", false);
          Rejection late = refused(tasks.complete(id, fence, Map.of("ok", true), FRED));
          assertThat(late.code()).isEqualTo(Code.ALREADY_CLOSED);
          assertThat(late.message()).contains("it was withdrawn by");
        });
  }
}
