package dev.waymark.engine.internal.outbox;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.internal.node.Backoff;
import dev.waymark.engine.internal.node.RunAgain;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.node.Trace;
import dev.waymark.engine.internal.row.RowKind;
import dev.waymark.engine.internal.row.RowReader;
import dev.waymark.engine.internal.row.RowWriter;
import dev.waymark.engine.internal.step.UnreadableRows;
import dev.waymark.engine.message.Event;
import dev.waymark.engine.message.Subscription;
import dev.waymark.engine.spi.CrashPoints.Point;
import dev.waymark.engine.spi.Scheduler;
import dev.waymark.engine.store.Outbox.Lane;
import dev.waymark.engine.store.Outbox.Pending;
import dev.waymark.engine.store.Outbox.Selection;
import dev.waymark.engine.store.Outbox.Stream;
import dev.waymark.engine.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers the events of some lanes: at least once, and in order for each instance.
 *
 * <p>Streams are worked on side by side, the events of a stream one after another. An event that
 * fails is put aside with what follows it of its instance; its stream goes on.
 */
final class OutboxReader {

  private static final Logger log = LoggerFactory.getLogger(OutboxReader.class);
  private static final int PAGE = 1_000;
  private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofHours(2));

  /** The 24 pauses between them, from a second to two hours, are a day and 16 minutes together. */
  private static final int MAX_ATTEMPTS = 25;

  private static final Duration NOBODY_LISTENS = Duration.ofMinutes(1);

  private final ThisNode node;
  private final RowReader reader;
  private final RowWriter writer;
  private final UnreadableRows unreadable;
  private final Map<String, Subscription> subscriptions;
  private final List<String> sinks;
  private final DeliveredEvents delivered;
  private final RunAgain reading;
  private volatile @Nullable HeldLanes lanes;
  private volatile boolean parkedDue = true;
  private volatile boolean mayHaveParked = true;
  private Scheduler.@Nullable Pending alarm;

  /** Streams whose listener is still busy with an event of an earlier page. */
  private final Set<Stream> busy = new HashSet<>();

  /** Lanes, and the node that has leased them. */
  private record HeldLanes(NodeId as, List<Lane> lanes) {}

  OutboxReader(
      ThisNode node,
      RowReader reader,
      RowWriter writer,
      UnreadableRows unreadable,
      Map<String, Subscription> subscriptions) {
    this.node = node;
    this.reader = reader;
    this.writer = writer;
    this.unreadable = unreadable;
    this.subscriptions = subscriptions;
    this.sinks = List.copyOf(subscriptions.keySet());
    this.delivered = new DeliveredEvents(node.store().outbox());
    this.reading = new RunAgain(node.scheduler(), this::readPage);
  }

  /**
   * Takes these lanes over, unless this reader has them already. Events in them are looked for
   * once, also parked ones.
   *
   * @param as the node that holds them: this process may be another node by the time they are read
   */
  void holds(NodeId as, List<Lane> held) {
    HeldLanes now = new HeldLanes(as, held);
    if (now.equals(lanes)) {
      return;
    }
    lanes = now;
    parkedDue = true;
    mayHaveParked = true;
    wake();
  }

  // Looking for parked events before every page cost as much as reading the page.
  private void wakeForParked() {
    parkedDue = true;
    wake();
  }

  void wake() {
    reading.ask();
  }

  private void readPage() {
    HeldLanes held = lanes;
    if (held != null && !delivered.isEmpty() && !delivered.deleteKept(held.as())) {
      loseLanes();
      held = null;
    }
    if (!delivered.isEmpty()) {
      node.scheduler().after(delivered.pause(), reading::run);
      return;
    }
    List<Pending> events = List.of();
    boolean parked = false;
    try {
      if (held != null && !held.lanes().isEmpty()) {
        Selection idle = idle(held.lanes());
        events = new ArrayList<>();
        if (parkedDue) {
          parkedDue = false;
          events.addAll(node.store().outbox().due(idle, PAGE));
          parked = !events.isEmpty();
        }
        events.addAll(node.store().outbox().next(idle, PAGE));
      }
      node.crash().at(Point.O1_EVENTS_READ);
    } catch (RuntimeException | Error e) {
      log.warn("Could not read events; trying again", e);
      events = List.of();
    }
    if (events.isEmpty() || held == null) {
      rest();
    } else {
      deliver(held.as(), events, parked);
    }
  }

  private synchronized Selection idle(List<Lane> all) {
    return new Selection(all, sinks, busy);
  }

  private void rest() {
    synchronized (this) {
      if (!reading.ended()) {
        setAlarm();
        return;
      }
    }
    // A read costs much the same for one event as for a hundred. Reading as soon as there is one
    // took most of two cores and let W1 fall to a quarter.
    Duration gather = node.settings().gatherEvents();
    if (gather.isZero()) {
      reading.runSoon();
    } else {
      node.scheduler().after(gather, reading::run);
    }
  }

  /** Parked events become due by time, also if no new event is written. */
  private void setAlarm() {
    if (!mayHaveParked) {
      return;
    }
    if (alarm != null) {
      alarm.cancel();
      alarm = null;
    }
    try {
      Instant due = node.store().outbox().nextDue();
      mayHaveParked = due != null;
      if (due != null) {
        Duration wait = Duration.between(node.now(), due);
        // Overdue events in lanes of others must not keep this node awake.
        alarm =
            node.scheduler().after(wait.isNegative() ? BACKOFF.first() : wait, this::wakeForParked);
      }
    } catch (StoreException e) {
      log.warn("Could not look when parked events are due; trying again", e);
      alarm = node.scheduler().after(BACKOFF.first(), this::wakeForParked);
    }
  }

  /**
   * Delivers a page, its streams side by side. The next page begins when all have ended, or after a
   * while without those that are still busy: a slow listener holds up its own stream and no other.
   *
   * @param parked whether events are among them that were put aside before
   */
  private void deliver(NodeId as, List<Pending> events, boolean parked) {
    Map<Stream, List<Pending>> streams = new LinkedHashMap<>();
    for (Pending event : events) {
      streams.computeIfAbsent(event.stream(), stream -> new ArrayList<>()).add(event);
    }
    synchronized (this) {
      busy.addAll(streams.keySet());
    }
    LanePage page = new LanePage(node, as, streams, this::hand, this::park, delivered);
    boolean more = parked || events.size() >= PAGE;
    page.whenEnded(this::streamEnded, lost -> reading.part(() -> pageEnded(more, lost)));
    page.start();
  }

  private void streamEnded(Stream stream, boolean late) {
    synchronized (this) {
      busy.remove(stream);
    }
    if (late) {
      wake();
    }
  }

  private void pageEnded(boolean more, boolean lost) {
    if (lost) {
      loseLanes();
    }
    // A page that was not full has emptied the lanes: only events that were written since are worth
    // a look. But behind a parked event lie the events that were written after the parking: they
    // come next.
    if (more || !delivered.isEmpty()) {
      reading.runSoon();
    } else {
      rest();
    }
  }

  /** Delivered events were not there to be deleted: the lanes are another node's by now. */
  private void loseLanes() {
    log.warn("Lanes of the outbox were taken over by another node");
    lanes = null;
  }

  /** Gives an event to its listener; what went wrong, or absent. */
  private @Nullable Exception hand(Pending event) {
    Subscription subscription = subscriptions.get(event.sink());
    if (subscription == null) {
      return new IllegalStateException("Nobody listens as '" + event.sink() + "' in this process");
    }
    Event read = unreadable.readOne(RowKind.EVENT, event, this::read);
    if (read == null) {
      return new IllegalStateException("Expected an event that can be read, but it cannot");
    }
    try {
      // A process that does not listen itself has written all events for those that do.
      if (subscription.types().test(read.type())) {
        subscription.listener().on(read);
      }
      return null;
    } catch (Exception e) {
      return e;
    } catch (Error e) {
      // A listener's broken class path or assertion must not stop the lane for good.
      return new IllegalStateException(Trace.message(e), e);
    }
  }

  private Event read(Pending event) {
    return new Event(
        event.eventId(),
        event.type(),
        event.instance(),
        event.version(),
        event.ordinal(),
        reader.object(event.data()));
  }

  private void park(NodeId as, Pending event, Exception trouble) {
    Trace.log(
        trouble,
        thrown ->
            log.warn(
                "Event {} could not be delivered to {}", event.eventId(), event.sink(), thrown));
    mayHaveParked = true;
    boolean listening = subscriptions.containsKey(event.sink());
    @Nullable Instant due = listening ? next(event.attempts()) : node.now().plus(NOBODY_LISTENS);
    String words = Limits.shortened(Trace.message(trouble), Limits.ERROR_TEXT);
    try {
      node.store().outbox().park(as, event, due, writer.words(words));
    } catch (RuntimeException | Error e) {
      log.warn("Could not put event {} aside; it comes again", event.eventId(), e);
    }
  }

  private @Nullable Instant next(int attempts) {
    if (attempts + 1 >= MAX_ATTEMPTS) {
      return null;
    }
    return node.now().plus(BACKOFF.after(attempts + 1));
  }
}
