package dev.waymark.tck.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.store.Outbox;
import dev.waymark.engine.store.Outbox.Backlog;
import dev.waymark.engine.store.Outbox.Lane;
import dev.waymark.engine.store.Outbox.Pending;
import dev.waymark.engine.store.Outbox.Selection;
import dev.waymark.tck.Rows;
import dev.waymark.tck.StoreContract;
import dev.waymark.tck.StoreFactory;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Events from their commit to their deletion. */
public abstract class OutboxContract extends StoreContract {

  /** A store may give each lane a share of the limit only; no share is too small here. */
  private static final int PLENTY = 10_000;

  private static final List<String> SINKS = List.of("sink", "audit");

  private final InstanceId id = Rows.newId();
  private final NodeId other = Rows.newNode();

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private Outbox outbox;

  public OutboxContract(StoreFactory stores) {
    super(stores);
  }

  @BeforeEach
  void askOutbox() {
    outbox = store.outbox();
  }

  // ---- sinks

  @Test
  void who_listens_is_known_as_long_as_the_node_is() {
    outbox.listens(node, List.of("sink", "audit"));

    assertThat(outbox.listeners())
        .singleElement()
        .satisfies(
            listener -> {
              assertThat(listener.node()).isEqualTo(node);
              assertThat(listener.alive()).isTrue();
              assertThat(listener.sinks()).containsExactly("sink", "audit");
            });

    store.nodes().leave(node);
    assertThat(outbox.listeners()).singleElement().matches(listener -> !listener.alive());
  }

  @Test
  void events_of_other_sinks_stay_where_they_are() {
    List<Lane> lanes = lease(node, Outbox.LANES);
    given(start(id).event("sink", 0).event("audit", 1));

    assertThat(outbox.next(Selection.of(lanes, List.of("audit")), PLENTY))
        .extracting(Pending::sink)
        .containsExactly("audit");
    assertThat(outbox.next(Selection.of(lanes, SINKS), PLENTY)).hasSize(2);
  }

  @Test
  void a_stream_that_is_left_out_stays_while_others_of_its_lane_come() {
    List<Lane> lanes = lease(node, Outbox.LANES);
    given(start(id).event("sink", 0).event("audit", 1));
    Selection withoutSink =
        new Selection(lanes, SINKS, Set.of(new Outbox.Stream(Outbox.laneOf(id), "sink")));

    assertThat(outbox.next(withoutSink, PLENTY)).extracting(Pending::sink).containsOnly("audit");

    for (Pending event : outbox.next(Selection.of(lanes, SINKS), PLENTY)) {
      outbox.park(node, event, now(), "503");
    }
    assertThat(outbox.due(withoutSink, PLENTY)).extracting(Pending::sink).containsOnly("audit");
  }

  // ---- delivery

  @Test
  void an_event_is_pending_as_it_was_written_until_it_is_delivered() {
    List<Lane> lanes = lease(node, Outbox.LANES);
    given(start(id).event("sink", 3, "order.placed"));

    List<Pending> events = outbox.next(Selection.of(lanes, SINKS), PLENTY);

    Pending event = events.get(0);
    assertThat(events)
        .containsExactly(
            new Pending(
                Outbox.laneOf(id),
                event.id(),
                "sink",
                id + ".1.3",
                id,
                1,
                3,
                "order.placed",
                "{}",
                0));
    assertThat(outbox.backlog()).isEqualTo(new Backlog(1, 0, 0));
    assertThat(outbox.next(Selection.of(lanes, SINKS), PLENTY)).isEqualTo(events);

    delivered(node, events);
    delivered(node, events);
    assertThat(outbox.next(Selection.of(lanes, SINKS), PLENTY)).isEmpty();
    assertThat(outbox.backlog()).isEqualTo(new Backlog(0, 0, 0));
  }

  @Test
  void events_of_an_instance_come_in_the_order_of_its_steps() {
    List<Lane> lanes = lease(node, Outbox.LANES);
    given(start(id).event("sink", 0).event("sink", 1));
    given(step(id, 1).event("sink", 0), start(Rows.newId()).event("sink", 0));
    given(step(id, 2).event("sink", 0));

    assertThat(next(lanes)).containsExactly("1.0", "1.1", "2.0", "3.0");
    assertThat(outbox.next(Selection.of(lanes, SINKS), 2)).hasSizeBetween(1, 2);
    assertThat(outbox.next(Selection.of(lanes, SINKS), PLENTY)).hasSize(5);
  }

  @Test
  void only_events_of_the_lanes_that_are_asked_for_come() {
    List<Lane> others =
        lease(node, Outbox.LANES).stream().filter(l -> l.lane() != Outbox.laneOf(id)).toList();
    given(start(id).event("sink", 0));

    assertThat(outbox.next(Selection.of(others, SINKS), PLENTY)).isEmpty();
    assertThat(outbox.next(Selection.of(List.of(), SINKS), PLENTY)).isEmpty();
  }

  @Test
  void whoever_has_lost_the_lane_deletes_nothing() {
    List<Lane> lanes = lease(node, Outbox.LANES);
    given(start(id).event("sink", 0));
    List<Pending> events = outbox.next(Selection.of(lanes, SINKS), PLENTY);
    clock.advance(MINUTE);
    List<Lane> taken = lease(other, Outbox.LANES);

    delivered(node, events);
    outbox.park(node, events.get(0), now().plus(HOUR), "late");
    outbox.park(node, events.get(0), null, "late");

    assertThat(outbox.next(Selection.of(taken, SINKS), PLENTY)).isEqualTo(events);
  }

  @Test
  void whoever_has_lapsed_still_deletes_while_nobody_has_the_lane() {
    List<Lane> lanes = lease(node, Outbox.LANES);
    given(start(id).event("sink", 0));
    clock.advance(HOUR);

    delivered(node, outbox.next(Selection.of(lanes, SINKS), PLENTY));

    assertThat(outbox.backlog().pending()).isZero();
  }

  // ---- parking

  @Test
  void a_parked_event_and_all_behind_it_wait_while_the_lane_goes_on() {
    List<Lane> lanes = lease(node, Outbox.LANES);
    InstanceId neighbour = Rows.newId();
    given(start(id).event("sink", 0).event("sink", 1).event("audit", 2));
    given(start(neighbour).event("sink", 0));
    Pending first =
        outbox.next(Selection.of(lanes, SINKS), PLENTY).stream()
            .filter(event -> event.instance().equals(id))
            .findFirst()
            .orElseThrow();

    outbox.park(node, first, now().plus(MINUTE), "503");

    assertThat(next(lanes)).containsExactly("1.2");
    assertThat(outbox.next(Selection.of(lanes, SINKS), PLENTY))
        .extracting(Pending::instance)
        .contains(neighbour);
    assertThat(outbox.backlog()).isEqualTo(new Backlog(2, 2, 0));
    assertThat(outbox.nextDue()).isEqualTo(now().plus(MINUTE));
    assertThat(outbox.due(Selection.of(lanes, SINKS), 10)).isEmpty();

    clock.advance(MINUTE);
    assertThat(outbox.due(Selection.of(lanes, SINKS), 10))
        .extracting(Pending::ordinal)
        .containsExactly(0, 1);
    assertThat(outbox.due(Selection.of(lanes, SINKS), 10))
        .extracting(Pending::attempts)
        .containsExactly(1, 0);
    assertThat(outbox.due(Selection.of(lanes, SINKS), 1))
        .extracting(Pending::ordinal)
        .containsExactly(0);
  }

  @Test
  void an_event_that_is_written_later_waits_behind_the_parked_one() {
    List<Lane> lanes = lease(node, Outbox.LANES);
    given(start(id).event("sink", 0));
    outbox.park(
        node, outbox.next(Selection.of(lanes, SINKS), PLENTY).get(0), now().plus(MINUTE), "503");

    given(step(id, 1).event("sink", 0).event("audit", 1));
    assertThat(next(lanes)).containsExactly("2.1");

    clock.advance(MINUTE);
    delivered(node, outbox.due(Selection.of(lanes, SINKS), 10));
    assertThat(next(lanes)).containsExactly("2.0", "2.1");
  }

  @Test
  void an_event_that_fails_again_takes_those_behind_it_along() {
    List<Lane> lanes = lease(node, Outbox.LANES);
    given(start(id).event("sink", 0).event("sink", 1));
    outbox.park(
        node, outbox.next(Selection.of(lanes, SINKS), PLENTY).get(0), now().plus(MINUTE), "503");
    given(step(id, 1).event("sink", 0));
    clock.advance(MINUTE);
    renew(node);

    outbox.park(node, outbox.due(Selection.of(lanes, SINKS), 1).get(0), now().plus(MINUTE), "503");

    assertThat(outbox.due(Selection.of(lanes, SINKS), 10)).isEmpty();
    assertThat(next(lanes)).isEmpty();
    clock.advance(MINUTE);
    List<Pending> due = outbox.due(Selection.of(lanes, SINKS), 10);
    assertThat(due.stream().map(e -> e.version() + "." + e.ordinal())).startsWith("1.0", "1.1");
    assertThat(due.get(0).attempts()).isEqualTo(2);
  }

  @Test
  void a_dead_event_no_longer_stands_in_the_way() {
    List<Lane> lanes = lease(node, Outbox.LANES);
    given(start(id).event("sink", 0).event("sink", 1));

    outbox.park(node, outbox.next(Selection.of(lanes, SINKS), PLENTY).get(0), null, "410");

    assertThat(next(lanes)).containsExactly("1.1");
    assertThat(outbox.backlog()).isEqualTo(new Backlog(1, 0, 1));
    assertThat(outbox.nextDue()).isNull();
    assertThat(outbox.due(Selection.of(lanes, SINKS), 10)).isEmpty();
  }

  @Test
  void an_event_that_was_delivered_meanwhile_parks_nothing() {
    List<Lane> lanes = lease(node, Outbox.LANES);
    given(start(id).event("sink", 0).event("sink", 1));
    Pending first = outbox.next(Selection.of(lanes, SINKS), PLENTY).get(0);
    delivered(node, List.of(first));

    outbox.park(node, first, now().plus(MINUTE), "503");

    assertThat(next(lanes)).containsExactly("1.1");
  }

  private List<Lane> lease(NodeId holder, int most) {
    return outbox.lease(holder, most, MINUTE);
  }

  private void renew(NodeId holder) {
    var unused = lease(holder, Outbox.LANES);
  }

  /** Version and ordinal of the pending events of the one instance. */
  private List<String> next(List<Lane> lanes) {
    return outbox.next(Selection.of(lanes, SINKS), PLENTY).stream()
        .filter(event -> event.instance().equals(id))
        .map(event -> event.version() + "." + event.ordinal())
        .toList();
  }

  private void delivered(NodeId by, List<Pending> events) {
    var unused = outbox.delivered(by, events);
  }
}
