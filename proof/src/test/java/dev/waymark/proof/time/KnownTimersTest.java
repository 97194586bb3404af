package dev.waymark.proof.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.engine.Caller;
import dev.waymark.engine.store.Checker.Options;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.StoreHooks;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A node fires the timers that it has set from memory; the database is asked for the others. */
final class KnownTimersTest {

  private static final Caller ALICE = Caller.of("alice");
  private static final Duration QUESTION = Duration.ofMillis(20);

  private static final String NAP =
      """
      waymark: 1
      key: nap
      start: sleep
      activities:
        sleep: { type: timer, with: { until: "${ Variables.at }" } }
      """;

  private static final String TASK =
      """
      waymark: 1
      key: task
      start: ask
      activities:
        ask: { type: wait, on: { timeout: { after: PT1H, to: late } } }
        late: { type: end }
      """;

  private final VirtualClock clock = new VirtualClock();
  private final AtomicInteger questions = new AtomicInteger();

  private WorkflowTestKit kit(Store store) {
    WorkflowTestKit kit =
        WorkflowTestKit.on(
            StoreHooks.before(store, "dueTimers", questions::incrementAndGet),
            clock,
            builder -> {});
    kit.deploy(NAP);
    kit.deploy(TASK);
    kit.runUntilIdle();
    return kit;
  }

  private Run nap(WorkflowTestKit kit, Duration length) {
    return kit.start("nap", Map.of("at", clock.instant().plus(length).toString()));
  }

  private static void assertSound(Store store) {
    assertThat(store.checker().check(Options.live().withMaxLateness(Duration.ZERO).replayingAll()))
        .isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void a_timer_fires_when_it_is_due_and_the_database_is_asked_later(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = kit(store)) {
      Run later = nap(kit, Duration.ofMillis(1_500));
      Run run = nap(kit, Duration.ofSeconds(1));
      kit.advance(Duration.ofMillis(999));
      assertThat(run).isWaitingAt("sleep");
      questions.set(0);

      kit.advance(Duration.ofMillis(1));
      assertThat(run).isCompleted();
      assertThat(questions).hasValue(0);
      assertThat(later).isWaitingAt("sleep");

      kit.advance(Duration.ofMillis(500));
      assertThat(later).isCompleted();
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_timer_of_another_node_fires_when_it_is_due(Stores stores) {
    Stores.Place place = stores.create();
    Run run;
    try (WorkflowTestKit kit = kit(place.open(clock))) {
      run = nap(kit, Duration.ofMinutes(1));
    }
    try (WorkflowTestKit kit = kit(place.open(clock))) {
      kit.advance(Duration.ofMinutes(1));
      assertThat(kit.run(run.id())).isCompleted();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_timer_that_an_operator_moves_fires_at_its_new_time(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = kit(store)) {
      Run sooner = nap(kit, Duration.ofMinutes(2));
      Run later = nap(kit, Duration.ofMinutes(2));
      reschedule(kit, sooner, Duration.ofMinutes(1));
      reschedule(kit, later, Duration.ofMinutes(3));

      kit.advance(Duration.ofMinutes(1));
      assertThat(sooner).isCompleted();
      kit.advance(Duration.ofMinutes(2).minusMillis(1));
      assertThat(later).isWaitingAt("sleep");
      kit.advance(Duration.ofMillis(1));
      assertThat(later).isCompleted();
      assertSound(store);
    }
  }

  private void reschedule(WorkflowTestKit kit, Run run, Duration to) {
    BookmarkId timer = run.instance().bookmarks().firstKey();
    Instant due = clock.instant().plus(to);
    kit.engine().operations().rescheduleTimer(timer, due, "for the test", ALICE).orThrow();
  }

  @ParameterizedTest
  @EnumSource
  void a_time_out_whose_wait_was_answered_does_not_fire(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = kit(store)) {
      Run run = kit.start("task", Map.of());
      Bookmark wait =
          run.instance().bookmarks().values().stream()
              .filter(bookmark -> bookmark.kind() != BookmarkKind.TIMER)
              .findFirst()
              .orElseThrow();
      kit.engine().bookmarks().resume(wait.id(), Map.of(), ALICE).orThrow();
      long version = run.instance().version();

      kit.advance(Duration.ofHours(2));

      assertThat(run).isCompleted();
      assertThat(run.instance().version()).isEqualTo(version);
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void of_a_crowd_that_is_due_at_once_each_fires_once(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = kit(store)) {
      List<Run> runs = new ArrayList<>();
      for (int i = 0; i < Limits.TIMERS_FROM_MEMORY + 50; i++) {
        runs.add(nap(kit, Duration.ofMinutes(1)));
      }
      Instant due = Instant.parse(String.valueOf(runs.get(0).variables().get("at")));

      kit.advance(Duration.between(clock.instant(), due).plus(QUESTION));

      assertThat(runs).allSatisfy(run -> assertThat(run).isCompleted());
      assertThat(runs).allMatch(run -> run.instance().version() == 2);
      assertSound(store);
    }
  }

  @Test
  void timers_that_a_node_has_no_room_for_fire_when_they_are_due() {
    Store store = Stores.SQLITE.create().open(clock);
    try (WorkflowTestKit kit = kit(store)) {
      Run first = nap(kit, Duration.ofMinutes(3));
      for (int i = 0; i < Limits.KNOWN_TIMERS; i++) {
        nap(kit, Duration.ofMinutes(2));
      }
      Run last = nap(kit, Duration.ofMinutes(3));
      Run next = nap(kit, Duration.ofMinutes(1));

      kit.advance(Duration.ofMinutes(1));
      assertThat(next).isCompleted();
      kit.advance(Duration.ofMinutes(1).plus(QUESTION));
      assertThat(store.duties().nextTimer())
          .isEqualTo(Instant.parse(String.valueOf(first.variables().get("at"))));
      kit.advance(Duration.ofMinutes(1));
      assertThat(first).isCompleted();
      assertThat(last).isCompleted();
    }
  }
}
