package dev.waymark.proof.death;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Lease;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.bookmark.BookmarkStatus;
import dev.waymark.engine.bookmark.Bookmarks;
import dev.waymark.engine.bookmark.ClaimRequest;
import dev.waymark.engine.bookmark.ClaimResult;
import dev.waymark.engine.schedule.Schedule;
import dev.waymark.engine.schedule.Schedules;
import dev.waymark.proof.support.LosingStore;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** One lost connection: what was asked for is done once, and its caller is told so. */
final class LostConnectionsTest {

  private static final Caller ANNA = Caller.of("anna");
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final String ASKING =
      """
      waymark: 1
      key: asking
      start: ask
      activities:
        ask: { type: wait }
      """;

  private final VirtualClock clock = new VirtualClock();
  private LosingStore losing;
  private WorkflowTestKit kit;

  private void open(Stores stores) {
    losing = new LosingStore(stores.create().open(clock));
    kit = WorkflowTestKit.on(losing.store(), clock, builder -> {});
    kit.deploy(ASKING);
  }

  @AfterEach
  void close() {
    assertThat(losing.hasLost()).isTrue();
    kit.close();
  }

  private Bookmarks bookmarks() {
    return kit.engine().bookmarks();
  }

  private Schedules schedules() {
    return kit.engine().schedules();
  }

  private BookmarkId ask() {
    return kit.start("asking", Map.of()).bookmark("ask").id();
  }

  private BookmarkStatus status(BookmarkId wait) {
    return bookmarks().look().find(wait, ANNA).orElseThrow();
  }

  private long runs() {
    return kit.engine().instances().list(InstanceQuery.ALL, ANNA).size();
  }

  // ---- waits

  @ParameterizedTest
  @CsvSource({"POSTGRES,true", "POSTGRES,false", "SQLITE,true", "SQLITE,false"})
  void each_verb_on_a_claim_is_done_once(Stores stores, boolean carriedOut) {
    open(stores);
    BookmarkId wait = ask();

    losing.lose("claimOne", carriedOut);
    Lease lease = bookmarks().claim(wait, MINUTE, ANNA).orThrow().lease();
    assertThat(lease.fence()).isEqualTo(1);
    int extensions = status(wait).extensions();

    losing.lose("extend", carriedOut);
    Lease longer = bookmarks().extend(wait, lease, MINUTE.multipliedBy(5), ANNA).orThrow().lease();
    assertThat(longer.until()).isEqualTo(clock.instant().plus(MINUTE.multipliedBy(5)));
    assertThat(status(wait).extensions()).isEqualTo(extensions - 1);

    losing.lose("begin", carriedOut);
    assertThat(bookmarks().begin(wait, longer, ANNA)).isInstanceOf(ClaimResult.Held.class);
    losing.lose("progress", carriedOut);
    assertThat(bookmarks().progress(wait, longer, Map.of("done", 1), ANNA))
        .isInstanceOf(ClaimResult.Held.class);
    assertThat(status(wait).progress()).containsEntry("done", 1L);

    losing.lose("release", carriedOut);
    assertThat(bookmarks().release(wait, longer, ANNA)).isInstanceOf(ClaimResult.Held.class);
    assertThat(status(wait).bookmark().lease()).isNull();

    // Nothing is left over of the repeats: a second release is refused.
    losing.lose("find", carriedOut);
    assertThat(bookmarks().release(wait, longer, ANNA)).isInstanceOf(ClaimResult.Refused.class);
  }

  @ParameterizedTest
  @CsvSource({"POSTGRES,true", "POSTGRES,false", "SQLITE,true", "SQLITE,false"})
  void the_next_wait_is_claimed_although_the_answer_was_lost(Stores stores, boolean carriedOut) {
    open(stores);
    BookmarkId first = ask();
    BookmarkId elsewhere = ask();
    Lease other = bookmarks().claim(elsewhere, MINUTE, ANNA).orThrow().lease();

    losing.lose("claim", carriedOut);
    List<ClaimResult.Held> held = bookmarks().claim(ClaimRequest.lasting(MINUTE).batch(5), ANNA);

    assertThat(held).extracting(one -> one.bookmark().id()).containsExactly(first);
    // Another claim of the same holder is left alone.
    assertThat(status(elsewhere).bookmark().lease()).isEqualTo(other);
  }

  @ParameterizedTest
  @EnumSource
  void a_worker_goes_on_at_once_with_what_it_claimed_without_hearing_of_it(Stores stores) {
    open(stores);
    Run run = kit.start("asking", Map.of());

    losing.lose("claim", true);
    kit.engine().worker(BookmarkKind.USER_ACTION).name("robot").handle(work -> Map.of());
    kit.runUntilIdle();
    kit.advance(Duration.ofSeconds(1));

    assertThat(run.status()).isEqualTo(Status.COMPLETED);
  }

  @ParameterizedTest
  @EnumSource
  void a_worker_that_cannot_give_back_at_once_tries_again(Stores stores) {
    open(stores);
    Run run = kit.start("asking", Map.of());
    losing.lose("release", false);

    kit.engine()
        .worker(BookmarkKind.USER_ACTION)
        .name("robot")
        .lease(Duration.ofMinutes(10))
        .handle(
            work -> {
              if (work.claims() == 1) {
                throw new IllegalStateException("not yet");
              }
              return Map.of();
            });
    kit.runUntilIdle();
    kit.advance(Duration.ofSeconds(5));

    assertThat(run.status()).isEqualTo(Status.COMPLETED);
  }

  // ---- schedules

  @ParameterizedTest
  @CsvSource({"POSTGRES,true", "POSTGRES,false", "SQLITE,true", "SQLITE,false"})
  void each_verb_on_a_schedule_is_done_once(Stores stores, boolean carriedOut) {
    open(stores);
    Schedule daily = Schedule.every("daily", Duration.ofDays(1), StartRequest.of("asking"));

    losing.lose("create", carriedOut);
    assertThat(schedules().put(daily, ANNA).paused()).isFalse();
    losing.lose("replace", carriedOut);
    assertThat(schedules().pause("daily", ANNA).paused()).isTrue();
    losing.lose("replace", carriedOut);
    assertThat(schedules().resume("daily", ANNA).paused()).isFalse();
    losing.lose("find", carriedOut);
    assertThat(schedules().find("daily", ANNA)).isPresent();

    losing.lose("replace", carriedOut);
    assertThat(schedules().trigger("daily", ANNA)).isPresent();
    assertThat(runs()).isEqualTo(1);
    assertThat(schedules().find("daily", ANNA).orElseThrow().started()).isEqualTo(1);

    Instant from = clock.instant();
    schedules().pause("daily", ANNA);
    clock.set(from.plus(Duration.ofDays(2)));
    losing.lose("replace", carriedOut);
    assertThat(schedules().backfill("daily", from, clock.instant(), ANNA)).hasSize(2);
    assertThat(runs()).isEqualTo(3);
    assertThat(schedules().find("daily", ANNA).orElseThrow().started()).isEqualTo(3);

    losing.lose("delete", carriedOut);
    assertThat(schedules().delete("daily", ANNA)).isTrue();
    assertThat(schedules().delete("daily", ANNA)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"POSTGRES,true", "POSTGRES,false", "SQLITE,true", "SQLITE,false"})
  void an_occurrence_whose_crossing_out_was_lost_is_counted(Stores stores, boolean carriedOut) {
    open(stores);
    schedules().put(Schedule.every("hourly", Duration.ofHours(1), StartRequest.of("asking")), ANNA);
    // The first change decides that the occurrence starts.
    losing.loseAfter(1, "replace", carriedOut);

    kit.advance(Duration.ofHours(1).plusSeconds(20));

    assertThat(runs()).isEqualTo(1);
    assertThat(schedules().find("hourly", ANNA).orElseThrow().started()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"POSTGRES,true", "POSTGRES,false", "SQLITE,true", "SQLITE,false"})
  void an_occurrence_whose_start_was_lost_is_counted(Stores stores, boolean carriedOut) {
    open(stores);
    schedules().put(Schedule.every("hourly", Duration.ofHours(1), StartRequest.of("asking")), ANNA);
    losing.lose("commit", carriedOut);

    kit.advance(Duration.ofHours(1).plusSeconds(20));

    assertThat(runs()).isEqualTo(1);
    assertThat(schedules().find("hourly", ANNA).orElseThrow().started()).isEqualTo(1);
  }

  // ---- questions

  @ParameterizedTest
  @EnumSource
  void a_question_is_asked_again(Stores stores) {
    open(stores);
    Run run = kit.start("asking", Map.of());

    losing.lose("load", true);
    assertThat(kit.engine().instances().find(run.id(), ANNA)).isPresent();
    losing.lose("find", true);
    assertThat(kit.engine().definitions().find("asking", 1, ANNA)).isPresent();
    losing.lose("list", true);
    assertThat(runs()).isEqualTo(1);
    losing.lose("find", true);
    assertThat(kit.engine().instances().start(StartRequest.of("asking").version(1), ANNA))
        .isInstanceOf(Answer.Done.class);
  }
}
