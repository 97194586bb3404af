package dev.waymark.proof.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.Lease;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.bookmark.BookmarkQueries;
import dev.waymark.engine.bookmark.BookmarkWorkerBuilder;
import dev.waymark.engine.bookmark.Bookmarks;
import dev.waymark.engine.bookmark.ClaimRequest;
import dev.waymark.engine.callback.CallbackRefused;
import dev.waymark.engine.callback.Secret;
import dev.waymark.engine.callback.Token;
import dev.waymark.engine.schedule.Schedule;
import dev.waymark.engine.schedule.Schedules;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What nobody can ask for: leases of no length, pages of any length, and what is still to come. */
final class BoundsTest {

  private static final Caller ANNA = Caller.of("anna");
  private static final Duration HOUR = Duration.ofHours(1);

  private final VirtualClock clock = new VirtualClock();

  @ParameterizedTest
  @EnumSource
  void a_lease_lasts_for_a_while_and_not_for_ever(Stores stores) {
    try (WorkflowTestKit kit = stores.create().process(clock, builder -> {})) {
      kit.deploy("waymark: 1\nkey: it\nstart: a\nactivities: { a: { type: wait } }\n");
      Run run = kit.start("it", Map.of());
      BookmarkId id = run.bookmark("a").id();
      Bookmarks bookmarks = kit.engine().bookmarks();
      Lease held = bookmarks.claim(id, HOUR, ANNA).orThrow().lease();

      for (Duration wrong :
          List.of(Duration.ZERO, HOUR.negated(), Limits.DURATION.plusSeconds(1))) {
        for (ThrowingCallable call :
            List.<ThrowingCallable>of(
                () -> bookmarks.claimNext(wrong, ANNA),
                () -> bookmarks.claim(ClaimRequest.lasting(wrong), ANNA),
                () -> bookmarks.claim(id, wrong, ANNA),
                () -> bookmarks.extend(id, held, wrong, ANNA),
                () -> kit.engine().tasks().claim(id, wrong, ANNA))) {
          assertThatIllegalArgumentException()
              .isThrownBy(call)
              .withMessage(
                  "Expected a lease of more than 0 and at most %s, but got %s"
                      .formatted(Limits.DURATION, wrong));
        }
      }
      assertThat(bookmarks.look().find(id, ANNA).orElseThrow().bookmark().lease()).isEqualTo(held);
    }
  }

  @Test
  void a_worker_that_could_never_answer_anything_is_not_started() {
    try (WorkflowTestKit kit = WorkflowTestKit.with(builder -> {})) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> kit.engine().worker(BookmarkKind.TIMER))
          .withMessageEndingWith("but got TIMER: it fires by itself");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> kit.engine().worker(BookmarkKind.MANUAL_INTERVENTION))
          .withMessageEndingWith(": a person resolves it with one of its actions");
      BookmarkWorkerBuilder worker = kit.engine().worker(BookmarkKind.USER_ACTION);
      assertThatIllegalArgumentException().isThrownBy(() -> worker.lease(Duration.ZERO));
      assertThatIllegalArgumentException().isThrownBy(() -> worker.lease(Duration.ofNanos(1)));
      assertThatIllegalArgumentException().isThrownBy(() -> worker.longestRest(Duration.ZERO));
      assertThatIllegalArgumentException().isThrownBy(() -> worker.concurrency(0));
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_page_has_a_length(Stores stores) {
    try (WorkflowTestKit kit = stores.create().process(clock, builder -> {})) {
      BookmarkQueries look = kit.engine().bookmarks().look();

      for (int wrong : new int[] {0, -1, Limits.PAGE + 1}) {
        for (ThrowingCallable call :
            List.<ThrowingCallable>of(
                () -> look.open(BookmarkKind.TIMER, null, wrong, ANNA),
                () -> look.lapsedLeases(wrong, ANNA),
                () -> look.overdue(BookmarkKind.TIMER, wrong, ANNA),
                () -> kit.engine().operations().timersDueWithin(HOUR, wrong, ANNA),
                () -> kit.engine().schedules().list(null, wrong, ANNA))) {
          assertThatIllegalArgumentException()
              .isThrownBy(call)
              .withMessage("Expected a page of 1 to 1,000, but got " + wrong);
        }
      }
      assertThat(look.open(BookmarkKind.TIMER, null, Limits.PAGE, ANNA)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_backfill_leaves_to_the_schedule_what_is_still_to_come(Stores stores) {
    try (WorkflowTestKit kit = stores.create().process(clock, builder -> {})) {
      kit.deploy("waymark: 1\nkey: it\nstart: a\nactivities: { a: { type: end } }\n");
      Schedules schedules = kit.engine().schedules();
      Instant now = clock.instant();
      Instant begin = now.minus(HOUR.multipliedBy(2));
      schedules.put(Schedule.every("hourly", HOUR, begin, StartRequest.of("it")), ANNA);

      assertThat(schedules.backfill("hourly", begin, now.plus(HOUR.multipliedBy(5)), ANNA))
          .containsExactly(now.minus(HOUR), now);
      assertThat(runs(kit)).hasSize(2);

      kit.advance(HOUR);
      assertThat(runs(kit)).hasSize(3);
    }
  }

  private static List<Instance> runs(WorkflowTestKit kit) {
    return kit.engine().instances().list(InstanceQuery.ALL, ANNA);
  }

  /** What the engine takes from outside, at its bound and one above. */
  @Test
  void what_is_at_a_bound_of_the_engine_is_taken_and_one_more_is_refused() {
    try (WorkflowTestKit kit =
        WorkflowTestKit.with(builder -> builder.callbackSecrets(Secret.of("s", new byte[32])))) {
      kit.deploy(
          "waymark: 1\nkey: it\nstart: a\nactivities:"
              + " { a: { type: wait, with: { for: webhook, key: hook } } }\n");
      Run run = kit.start("it", Map.of());
      Engine engine = kit.engine();
      Instant begin = kit.clock().instant().minus(HOUR.multipliedBy(Limits.BACKFILL + 10));

      bound(Limits.CLAIMS, n -> engine.worker(BookmarkKind.USER_ACTION).concurrency(n));
      bound(Limits.CLAIMS, n -> ClaimRequest.lasting(HOUR).batch(n));
      bound(
          Limits.LEASE_EXTENSIONS,
          n -> engine.bookmarks().claim(ClaimRequest.lasting(HOUR).extensions(n), ANNA));
      bound(
          Limits.HOUSEKEEPING_BATCH,
          n -> engine.bookmarks().housekeeping().archive(Bookmark.End.CONSUMED, begin, n));
      bound(Limits.MESSAGES_PER_PAGE, n -> engine.messages().unmatched(null, n, ANNA));
      bound(Limits.HISTORY_PAGE, n -> engine.instances().history(run.id(), 1, n, ANNA));
      engine.schedules().put(Schedule.every("hourly", HOUR, begin, StartRequest.of("it")), ANNA);
      bound(
          Limits.BACKFILL,
          n ->
              engine
                  .schedules()
                  .backfill("hourly", begin, begin.plus(HOUR.multipliedBy(n + 1)), ANNA));
      String token = engine.callbacks().seal(new Token("default", run.id(), "hook", false, null));
      bound(Limits.CALLBACK_BYTES, n -> engine.callbacks().receive(token, body(n), Map.of()));
      assertThat(token.length()).isLessThan(Limits.TOKEN);
      assertThatThrownBy(
              () -> engine.callbacks().receive("x".repeat(Limits.TOKEN + 1), body(10), Map.of()))
          .isInstanceOf(CallbackRefused.class);
      BookmarkWorkerBuilder worker = engine.worker(BookmarkKind.USER_ACTION);
      assertThat(worker.lease(Limits.WORKER_LEASE)).isSameAs(worker);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> worker.lease(Limits.WORKER_LEASE.minusNanos(1)));
    }
  }

  private static void bound(int bound, IntConsumer use) {
    assertThatCode(() -> use.accept(bound)).doesNotThrowAnyException();
    assertThatThrownBy(() -> use.accept(bound + 1))
        .isInstanceOfAny(IllegalArgumentException.class, CallbackRefused.class)
        .hasMessageContaining("xpected")
        .hasMessageContaining("but ");
  }

  private static byte[] body(int bytes) {
    return ("{\"x\":\"" + "x".repeat(bytes - 8) + "\"}").getBytes(StandardCharsets.UTF_8);
  }
}
