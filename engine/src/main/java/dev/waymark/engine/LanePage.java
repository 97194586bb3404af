package dev.waymark.engine;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.CrashPoints.Point;
import dev.waymark.engine.store.Outbox.Pending;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One page of events on its way to the listeners. The events of one lane and one sink are delivered
 * one after another; lanes, and the sinks of a lane, side by side.
 *
 * <p>A call that takes longer than {@link Limits#LISTENER_TIME} is given up: its event is put aside
 * like one that failed, and those behind it go on in another task.
 */
final class LanePage {

  private static final Logger log = LoggerFactory.getLogger(LanePage.class);

  /** How long the page waits for its slowest lane before it ends without it. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final Node node;
  private final NodeId as;
  private final Map<Integer, Map<String, List<Pending>>> byLane;
  private final Function<Pending, @Nullable Exception> hand;
  private final Failed failed;
  private final Map<Integer, Integer> open = new HashMap<>();
  private List<Pending> delivered = new ArrayList<>();
  private final List<Stream> streams = new ArrayList<>();
  private Scheduler.@Nullable Pending patience;
  private boolean over;
  private LaneEnd laneEnded = (lane, late) -> {};
  private Consumer<Boolean> pageEnded = lost -> {};

  /** Puts an event aside that could not be delivered. */
  interface Failed {
    void park(NodeId as, Pending event, Exception trouble);
  }

  /** Hears that a lane is free again; late if its page ended without it. */
  interface LaneEnd {
    void ended(int lane, boolean late);
  }

  LanePage(
      Node node,
      NodeId as,
      Map<Integer, Map<String, List<Pending>>> byLane,
      Function<Pending, @Nullable Exception> hand,
      Failed failed) {
    this.node = node;
    this.as = as;
    this.byLane = byLane;
    this.hand = hand;
    this.failed = failed;
  }

  /**
   * Names the listeners of this page.
   *
   * @param page told once, with whether the lanes turned out to be another node's
   */
  void whenEnded(LaneEnd lane, Consumer<Boolean> page) {
    laneEnded = lane;
    pageEnded = page;
  }

  void start() {
    byLane.forEach((lane, sinks) -> open.put(lane, sinks.size()));
    patience =
        node.scheduler().after(PATIENCE, () -> node.scheduler().execute(this::endWithoutTheSlow));
    byLane.forEach(
        (lane, sinks) -> {
          for (List<Pending> events : sinks.values()) {
            streams.add(new Stream(lane, events));
          }
        });
    streams.forEach(stream -> node.scheduler().executeUserCode(() -> stream.goOn(0)));
  }

  /**
   * One call of a listener. It is settled by its return or by being given up, whichever is first.
   */
  private record Call(Pending event, int next, Instant since, AtomicBoolean settled) {}

  /** The events of one lane and one sink. */
  private final class Stream {

    private final int lane;
    private final List<Pending> events;
    private final Set<InstanceId> aside = new HashSet<>();
    private volatile @Nullable Call current;

    Stream(int lane, List<Pending> events) {
      this.lane = lane;
      this.events = events;
    }

    /** Whatever happens on the way, the lane comes to its end. */
    private void goOn(int first) {
      try {
        deliverFrom(first);
      } catch (RuntimeException | Error e) {
        streamEnded(lane);
        throw e;
      }
    }

    /** One task at a time is here; a call that was given up no longer counts as one. */
    private void deliverFrom(int first) {
      for (int i = first; i < events.size(); i++) {
        Pending event = events.get(i);
        if (!aside.contains(event.instance())) {
          Call call = new Call(event, i + 1, node.now(), new AtomicBoolean());
          current = call;
          Exception trouble = hand.apply(event);
          if (!call.settled().compareAndSet(false, true)) {
            return;
          }
          ended(event, trouble);
        }
      }
      current = null;
      streamEnded(lane);
    }

    /** Gives a call up that has taken too long, and goes on with what is behind it. */
    private void giveUpIfOverdue() {
      Call call = current;
      if (call != null
          && !node.now().isBefore(call.since().plus(Limits.LISTENER_TIME))
          && call.settled().compareAndSet(false, true)) {
        ended(
            call.event(),
            new IllegalStateException(
                "Expected '%s' to take an event within %s, but it has not returned"
                    .formatted(call.event().sink(), Limits.LISTENER_TIME)));
        node.scheduler().executeUserCode(() -> goOn(call.next()));
      }
    }

    private void ended(Pending event, @Nullable Exception trouble) {
      if (trouble == null) {
        synchronized (LanePage.this) {
          delivered.add(event);
        }
      } else {
        aside.add(event.instance());
        failed.park(as, event, trouble);
      }
    }
  }

  /** Looks after calls that do not return, as long as there are any. */
  private void watch() {
    synchronized (this) {
      if (open.isEmpty()) {
        return;
      }
    }
    streams.forEach(stream -> node.scheduler().execute(stream::giveUpIfOverdue));
    node.scheduler().after(PATIENCE, () -> node.scheduler().execute(this::watch));
  }

  private void streamEnded(int lane) {
    boolean last;
    boolean late;
    List<Pending> done = List.of();
    synchronized (this) {
      if (open.merge(lane, -1, Integer::sum) > 0) {
        return;
      }
      open.remove(lane);
      last = open.isEmpty() && !over;
      late = over;
      over |= last;
      if (last || late) {
        done = delivered;
        delivered = new ArrayList<>();
      }
    }
    boolean lost = !deleted(done);
    laneEnded.ended(lane, late);
    if (last) {
      if (patience != null) {
        patience.cancel();
      }
      pageEnded.accept(lost);
    }
  }

  private void endWithoutTheSlow() {
    List<Pending> done;
    synchronized (this) {
      if (over) {
        return;
      }
      over = true;
      done = delivered;
      delivered = new ArrayList<>();
    }
    pageEnded.accept(!deleted(done));
    watch();
  }

  /** Deletes delivered events; false if none was there, so that another node has the lanes. */
  private boolean deleted(List<Pending> done) {
    if (done.isEmpty()) {
      return true;
    }
    node.crash().at(Point.O2_EVENTS_DELIVERED);
    try {
      return node.store().outbox().delivered(as, done) > 0;
    } catch (RuntimeException e) {
      log.warn("Could not delete {} delivered events; they come again", done.size(), e);
      return true;
    }
  }
}
