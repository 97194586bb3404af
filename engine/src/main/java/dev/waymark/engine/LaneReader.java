package dev.waymark.engine;

import dev.waymark.engine.CrashPoints.Point;
import dev.waymark.engine.store.Outbox.Lane;
import dev.waymark.engine.store.Outbox.Pending;
import dev.waymark.engine.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers the events of some lanes: at least once, and in order for each instance.
 *
 * <p>Lanes are worked on side by side, the events of a lane one after another. An event that fails
 * is put aside with what follows it of its instance; its lane goes on.
 */
final class LaneReader {

  private static final Logger log = LoggerFactory.getLogger(LaneReader.class);
  private static final int PAGE = 1_000;
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration WORST_PAUSE = Duration.ofHours(2);

  /** With pauses doubling from a second to two hours this outlives a day. */
  private static final int MAX_ATTEMPTS = 24;

  private static final Duration NOBODY_LISTENS = Duration.ofMinutes(1);

  private final Node node;
  private final Map<String, Subscription> subscriptions;
  private volatile List<Lane> lanes = List.of();
  private boolean working;
  private boolean again;
  private volatile boolean parkedDue = true;
  private volatile boolean mayHaveParked = true;
  private Scheduler.@Nullable Pending alarm;

  LaneReader(Node node, Map<String, Subscription> subscriptions) {
    this.node = node;
    this.subscriptions = subscriptions;
  }

  /** These lanes are its own from now on. What lies parked in them is looked for once. */
  void holds(List<Lane> held) {
    lanes = held;
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
    synchronized (this) {
      if (working) {
        again = true;
        return;
      }
      working = true;
    }
    node.scheduler().execute(this::work);
  }

  private void work() {
    List<Lane> mine = lanes;
    List<Pending> events = List.of();
    try {
      if (!mine.isEmpty()) {
        events = new ArrayList<>();
        if (parkedDue) {
          parkedDue = false;
          events.addAll(node.store().outbox().due(mine, PAGE));
        }
        events.addAll(node.store().outbox().next(mine, PAGE));
      }
      node.crash().at(Point.O1_EVENTS_READ);
    } catch (RuntimeException e) {
      log.warn("Could not read events; trying again", e);
    }
    if (events.isEmpty()) {
      rest();
    } else {
      deliver(events);
    }
  }

  private void rest() {
    synchronized (this) {
      working = again;
      again = false;
      if (!working) {
        setAlarm();
        return;
      }
    }
    // A read costs much the same for one event as for a hundred. Reading as soon as there is one
    // took most of two cores and let W1 fall to a quarter.
    Duration gather = node.settings().gatherEvents();
    if (gather.isZero()) {
      node.scheduler().execute(this::work);
    } else {
      node.scheduler().after(gather, this::work);
    }
  }

  /** Parked events come back at their time, without anybody writing new ones. */
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
        // What is overdue in lanes of others must not keep this node awake.
        alarm = node.scheduler().after(wait.isNegative() ? FIRST_PAUSE : wait, this::wakeForParked);
      }
    } catch (StoreException e) {
      log.warn("Could not look when parked events are due; the next poll finds them", e);
    }
  }

  private void deliver(List<Pending> events) {
    Map<Integer, List<Pending>> byLane = new TreeMap<>();
    events.forEach(e -> byLane.computeIfAbsent(e.lane(), lane -> new ArrayList<>()).add(e));
    List<Pending> delivered = new ArrayList<>();
    AtomicInteger open = new AtomicInteger(byLane.size());
    for (List<Pending> lane : byLane.values()) {
      node.scheduler()
          .executeUserCode(
              () -> {
                List<Pending> done = deliverLane(lane);
                synchronized (delivered) {
                  delivered.addAll(done);
                }
                if (open.decrementAndGet() == 0) {
                  delete(delivered);
                  goOn(events.size());
                }
              });
    }
  }

  private void delete(List<Pending> delivered) {
    try {
      node.crash().at(Point.O2_EVENTS_DELIVERED);
      if (!delivered.isEmpty()) {
        node.store().outbox().delivered(node.id(), delivered);
      }
    } catch (StoreException e) {
      log.warn("Could not delete {} delivered events; they come again", delivered.size(), e);
    }
  }

  // A page that was not full has emptied the lanes: only what was written since is worth a look.
  private void goOn(int events) {
    if (events < PAGE) {
      rest();
    } else {
      node.scheduler().execute(this::work);
    }
  }

  private record Stream(Object instance, String sink) {}

  private List<Pending> deliverLane(List<Pending> events) {
    List<Pending> done = new ArrayList<>(events.size());
    Set<Stream> aside = new HashSet<>();
    for (Pending event : events) {
      Stream stream = new Stream(event.instance(), event.sink());
      if (aside.contains(stream)) {
        continue;
      }
      @Nullable Exception trouble = hand(event);
      if (trouble == null) {
        done.add(event);
      } else {
        aside.add(stream);
        park(event, trouble);
      }
    }
    return done;
  }

  /** Gives an event to its listener; what went wrong, or absent. */
  private @Nullable Exception hand(Pending event) {
    Subscription subscription = subscriptions.get(event.sink());
    if (subscription == null) {
      return new IllegalStateException("Nobody listens as '" + event.sink() + "' in this process");
    }
    try {
      subscription
          .listener()
          .on(
              new Event(
                  event.eventId(),
                  event.type(),
                  event.instance(),
                  event.version(),
                  event.ordinal(),
                  node.reader().object(event.data())));
      return null;
    } catch (Exception e) {
      return e;
    } catch (Error e) {
      // A listener's broken class path or assertion must not stop the lane for good.
      return new IllegalStateException(e.toString(), e);
    }
  }

  private void park(Pending event, Exception trouble) {
    log.warn("Event {} could not be delivered to {}", event.eventId(), event.sink(), trouble);
    mayHaveParked = true;
    boolean listening = subscriptions.containsKey(event.sink());
    @Nullable Instant due = listening ? next(event.attempts()) : node.now().plus(NOBODY_LISTENS);
    try {
      node.store().outbox().park(node.id(), event, due, String.valueOf(trouble.getMessage()));
    } catch (StoreException e) {
      log.warn("Could not put event {} aside; it comes again", event.eventId(), e);
    }
  }

  private @Nullable Instant next(int attempts) {
    if (attempts + 1 >= MAX_ATTEMPTS) {
      return null;
    }
    Duration doubled = FIRST_PAUSE.multipliedBy(1L << Math.min(attempts, 20));
    return node.now().plus(doubled.compareTo(WORST_PAUSE) < 0 ? doubled : WORST_PAUSE);
  }
}
