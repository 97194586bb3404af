package dev.waymark.tck.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.NodeId;
import dev.waymark.core.step.Step.Spend.Guard;
import dev.waymark.engine.query.OpenTimer;
import dev.waymark.engine.store.Duties;
import dev.waymark.engine.store.Duties.NextWork;
import dev.waymark.engine.store.Duties.Ready;
import dev.waymark.engine.store.Duties.Running;
import dev.waymark.engine.store.Outbox;
import dev.waymark.engine.store.Outbox.Lane;
import dev.waymark.engine.store.Outbox.Pending;
import dev.waymark.engine.store.Outbox.Selection;
import dev.waymark.engine.store.StoredSchedules.ScheduleRow;
import dev.waymark.tck.Rows;
import dev.waymark.tck.StoreContract;
import dev.waymark.tck.StoreFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Work that is due: ready visits, timers, stranded visits. */
public abstract class DutiesContract extends StoreContract {

  /** A bound on crashes that no visit exceeds. */
  private static final int ANY = Integer.MAX_VALUE;

  private final InstanceId first = Rows.newId();
  private final InstanceId second = Rows.newId();

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private Duties duties;

  public DutiesContract(StoreFactory stores) {
    super(stores);
  }

  @BeforeEach
  void askDuties() {
    duties = store.duties();
  }

  @Test
  void in_an_empty_store_there_is_nothing_to_do() {
    assertThat(duties.ready(10, ANY)).isEmpty();
    assertThat(duties.nextReady(ANY)).isNull();
    assertThat(duties.dueTimers(10)).isEmpty();
    assertThat(duties.nextTimer()).isNull();
    assertThat(nextWork()).isEqualTo(new NextWork(null, null, null, null, false));
    assertThat(duties.stranded(10)).isEmpty();
    assertThat(duties.runningOn(node, 10)).isEmpty();
    assertThat(duties.superseded(List.of())).isEmpty();
  }

  @Test
  void ready_visits_are_found_when_they_are_due_the_longest_due_first() {
    given(
        start(first).beginReady(1, now().plus(HOUR)),
        start(second).beginReady(1, now().plus(MINUTE)));

    clock.advance(MINUTE.minus(MICRO));
    assertThat(duties.ready(10, ANY)).isEmpty();
    clock.advance(MICRO);
    assertThat(duties.ready(10, ANY)).containsExactly(new Ready(second, 1, 0));
    clock.advance(HOUR);
    assertThat(duties.ready(10, ANY))
        .containsExactly(new Ready(second, 1, 0), new Ready(first, 1, 0));
    assertThat(duties.ready(1, ANY)).containsExactly(new Ready(second, 1, 0));
  }

  @Test
  void visits_with_more_crashes_than_asked_for_are_left_out_and_keep_nothing_from_being_found() {
    given(
        start(first).beginReady(1, now(), 2).beginReady(2, now().plus(MICRO), 1),
        start(second).beginReady(1, now().plus(MINUTE), 0));
    clock.advance(HOUR);
    Ready twice = new Ready(first, 1, 2);
    Ready once = new Ready(first, 2, 1);
    Ready never = new Ready(second, 1, 0);

    assertThat(duties.ready(10, 2)).containsExactly(twice, once, never);
    assertThat(duties.ready(10, 1)).containsExactly(once, never);
    assertThat(duties.ready(10, 0)).containsExactly(never);
    // The limit counts the visits that are found, not those that are left out.
    assertThat(duties.ready(1, 0)).containsExactly(never);
    assertThat(duties.nextReady(2)).isEqualTo(now().minus(HOUR));
    assertThat(duties.nextReady(1)).isEqualTo(now().minus(HOUR).plus(MICRO));
    assertThat(duties.nextReady(0)).isEqualTo(now().minus(HOUR).plus(MINUTE));
  }

  @Test
  void a_visit_that_is_held_back_running_or_waiting_is_not_ready() {
    given(start(first).beginReady(1, null).beginRunning(2, node).beginWaiting(3));

    assertThat(duties.ready(10, ANY)).isEmpty();
    assertThat(duties.nextReady(ANY)).isNull();
  }

  @Test
  void a_visit_that_was_taken_is_no_longer_ready_until_it_is_given_back() {
    given(start(first).beginReady(1, now()));

    given(step(first, 1).changeToRunning(1, 1, node));
    assertThat(duties.ready(10, ANY)).isEmpty();

    given(step(first, 2).changeToReady(1, 1, now()));
    assertThat(duties.ready(10, ANY)).containsExactly(new Ready(first, 1, 0));
  }

  @Test
  void the_next_ready_visit_is_the_earliest_whether_past_or_future() {
    given(start(first).beginReady(1, now().plus(HOUR)).beginReady(2, now().plus(MINUTE)));

    assertThat(duties.nextReady(ANY)).isEqualTo(now().plus(MINUTE));

    var due = now().plus(MINUTE);
    clock.advance(HOUR);
    assertThat(duties.nextReady(ANY)).isEqualTo(due);
  }

  @Test
  void timers_are_due_by_the_stores_clock_and_never_early() {
    given(
        start(first).timer(1, now().plus(HOUR)).task(2),
        start(second).timer(1, now().plus(MINUTE)));

    assertThat(duties.nextTimer()).isEqualTo(now().plus(MINUTE));
    assertThat(duties.nextTimer(now().plus(MINUTE).minus(MICRO))).isEqualTo(now().plus(MINUTE));
    assertThat(duties.nextTimer(now().plus(MINUTE))).isEqualTo(now().plus(HOUR));
    assertThat(duties.nextTimer(now().plus(HOUR))).isNull();
    clock.advance(MINUTE.minus(MICRO));
    assertThat(duties.dueTimers(10)).isEmpty();
    clock.advance(MICRO);
    assertThat(duties.dueTimers(10)).containsExactly(new BookmarkId(second, 1));
    clock.advance(HOUR);
    assertThat(duties.dueTimers(10))
        .containsExactly(new BookmarkId(second, 1), new BookmarkId(first, 1));
    assertThat(duties.dueTimers(1)).containsExactly(new BookmarkId(second, 1));
  }

  @Test
  void a_due_time_between_two_microseconds_is_not_early_either() {
    given(start(first).timer(1, now().plusNanos(1_500)).beginReady(1, now().plusNanos(1_500)));

    clock.advance(MICRO);
    assertThat(duties.dueTimers(10)).isEmpty();
    assertThat(duties.ready(10, ANY)).isEmpty();

    clock.advance(MICRO);
    assertThat(duties.dueTimers(10)).hasSize(1);
    assertThat(duties.ready(10, ANY)).hasSize(1);
  }

  @Test
  void an_operator_sees_the_timers_of_a_tenant_up_to_a_moment() {
    given(
        start(first).timer(1, now().plus(HOUR)).task(2),
        start(second).timer(1, now().plus(MINUTE)));

    assertThat(duties.timers(Rows.TENANT, now().plus(HOUR).minus(MICRO), 10))
        .containsExactly(new OpenTimer(new BookmarkId(second, 1), "timer-1", now().plus(MINUTE)));
    assertThat(duties.timers(Rows.TENANT, now().plus(HOUR), 10)).hasSize(2);
    assertThat(duties.timers(Rows.TENANT, now().plus(HOUR), 1)).hasSize(1);
    assertThat(duties.timers("other", now().plus(HOUR), 10)).isEmpty();
  }

  @Test
  void a_timer_that_has_fired_is_gone() {
    given(start(first).timer(1, now()));

    given(step(first, 1).spend(1, Guard.DUE, 0));

    assertThat(duties.dueTimers(10)).isEmpty();
    assertThat(duties.nextTimer()).isNull();
  }

  @Test
  void a_due_time_on_something_else_than_a_timer_fires_nothing() {
    given(start(first).bookmark(1, BookmarkKind.APPROVAL, "approve", now()));

    assertThat(duties.dueTimers(10)).isEmpty();
    assertThat(duties.nextTimer()).isNull();
  }

  @Test
  void one_question_tells_when_the_next_work_of_each_kind_is_due() {
    given(
        start(first)
            .timer(1, now().plus(HOUR))
            .timer(2, now().plus(MINUTE))
            .beginReady(1, now().plus(HOUR))
            .beginReady(2, now().minus(MINUTE))
            .beginReady(3, now().minus(HOUR), 2)
            .expiring(3, now().plus(HOUR))
            .event("sink", 0),
        start(second).bookmark(1, BookmarkKind.APPROVAL, "approve", now().minus(HOUR)));
    store.schedules().create(schedule("soon", now().plus(MICRO)));
    store.schedules().create(schedule("later", now().plus(HOUR)));
    List<Lane> lanes = store.outbox().lease(node, Outbox.LANES, HOUR);

    assertThat(duties.nextWork(1, lanes, List.of("sink")))
        .isEqualTo(
            new NextWork(
                duties.nextTimer(),
                duties.nextReady(1),
                store.waits().nextOutOfTime(),
                store.schedules().nextDue(),
                true))
        .isEqualTo(
            new NextWork(
                now().plus(MINUTE),
                now().minus(MINUTE),
                now().plus(HOUR),
                now().plus(MICRO),
                true));
    assertThat(duties.nextWork(2, lanes, List.of("sink")).ready()).isEqualTo(now().minus(HOUR));
  }

  @Test
  void the_next_wait_that_is_out_of_time_is_the_earliest_that_expires_or_is_escalated() {
    given(start(first).bookmark(1, BookmarkKind.MANUAL_INTERVENTION, "parked", now().plus(HOUR)));
    assertThat(nextWork().outOfTime()).isEqualTo(now().plus(HOUR));

    given(start(second).expiring(1, now().plus(MINUTE)));
    assertThat(nextWork().outOfTime()).isEqualTo(now().plus(MINUTE));

    given(step(second, 1).close(1, Bookmark.End.CONSUMED));
    assertThat(nextWork().outOfTime()).isEqualTo(now().plus(HOUR));
  }

  @Test
  void events_are_work_of_a_node_that_holds_their_lane_and_listens_to_their_sink() {
    given(start(first).event("sink", 0));
    List<Lane> lanes = store.outbox().lease(node, Outbox.LANES, HOUR);
    int lane = Outbox.laneOf(first);
    List<Lane> its = lanes.stream().filter(held -> held.lane() == lane).toList();
    List<Lane> others = lanes.stream().filter(held -> held.lane() != lane).toList();

    assertThat(duties.nextWork(ANY, its, List.of("audit", "sink")).events()).isTrue();
    assertThat(duties.nextWork(ANY, its, List.of("audit")).events()).isFalse();
    assertThat(duties.nextWork(ANY, its, List.of()).events()).isFalse();
    assertThat(duties.nextWork(ANY, others, List.of("sink")).events()).isFalse();
    assertThat(duties.nextWork(ANY, List.of(), List.of("sink")).events()).isFalse();

    List<Pending> events = store.outbox().next(Selection.of(its, List.of("sink")), 10);
    store.outbox().park(node, events.getFirst(), now(), "503");
    assertThat(duties.nextWork(ANY, its, List.of("sink")).events()).isFalse();
  }

  private NextWork nextWork() {
    return duties.nextWork(ANY, List.of(), List.of());
  }

  private ScheduleRow schedule(String name, Instant due) {
    return new ScheduleRow(
        Rows.TENANT, name, 1, "flow", "{}", false, due, due, "{}", "anna", now(), "anna", now());
  }

  @Test
  void visits_of_a_living_node_are_not_stranded_even_if_it_has_lapsed() {
    given(start(first).beginRunning(1, node));
    clock.advance(Duration.ofDays(2));

    assertThat(duties.stranded(10)).isEmpty();
  }

  @Test
  void visits_of_a_dead_node_and_of_one_never_known_are_stranded() {
    NodeId unknown = Rows.newNode();
    given(
        start(first).beginRunning(1, node).beginWaiting(2), start(second).beginRunning(1, unknown));
    assertThat(duties.stranded(10)).containsExactly(new Running(second, 1, 1, unknown));

    store.nodes().leave(node);

    assertThat(duties.stranded(10))
        .containsExactlyInAnyOrder(
            new Running(first, 1, 1, node), new Running(second, 1, 1, unknown));
    assertThat(duties.stranded(1)).hasSize(1);
  }

  @Test
  void what_a_node_runs_is_listed() {
    given(
        start(first).beginRunning(1, node).beginRunning(2, node).beginReady(3, now()),
        start(second).beginRunning(1, Rows.newNode()));

    assertThat(duties.runningOn(node, 10))
        .containsExactlyInAnyOrder(new Running(first, 1, 1, node), new Running(first, 2, 1, node));
    assertThat(duties.runningOn(node, 1)).hasSize(1);
  }

  @Test
  void a_visit_that_has_ended_or_moved_on_is_superseded() {
    NodeId thief = Rows.newNode();
    given(
        start(first)
            .beginRunning(1, node)
            .beginRunning(2, node)
            .beginRunning(3, node)
            .beginRunning(4, node)
            .beginRunning(5, node));
    given(
        step(first, 1)
            .end(2)
            .changeToReady(3, 1, now())
            .changeToRunning(4, 2, node)
            .changeToRunning(5, 1, thief));

    List<Running> believed =
        List.of(
            new Running(first, 1, 1, node),
            new Running(first, 2, 1, node),
            new Running(first, 3, 1, node),
            new Running(first, 4, 1, node),
            new Running(first, 5, 1, node),
            new Running(second, 1, 1, node));

    assertThat(duties.superseded(believed))
        .containsExactlyInAnyOrderElementsOf(believed.subList(1, 6));
  }
}
