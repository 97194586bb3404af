package dev.waymark.engine.internal.outbox;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.spi.CrashPoints.Point;
import dev.waymark.engine.spi.Scheduler;
import dev.waymark.engine.store.Outbox.Pending;
import dev.waymark.engine.store.Outbox.Stream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One page of events on its way to the listeners. The events of a stream (one lane, one sink) are
 * delivered one after another, the streams side by side.
 *
 * <p>A call that takes longer than {@link Limits#LISTENER_TIME} is given up: its event is put aside
 * like one that failed, and those behind it go on in another task.
 */
final class LanePage {

  /** The time that the page waits for its slowest stream before it ends without it. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final ThisNode node;
  private final NodeId as;
  private final Function<Pending, @Nullable Exception> hand;
  private final EventParking failed;
  private final DeliveredEvents deleting;
  private final List<StreamDelivery> deliveries = new ArrayList<>();
  private final Set<Stream> open;
  private List<Pending> delivered = new ArrayList<>();
  private Scheduler.@Nullable Pending patience;
  private boolean over;
  private StreamEnd streamEnded = (stream, late) -> {};
  private Consumer<Boolean> pageEnded = lost -> {};

  /** Puts an event aside that could not be delivered. */
  interface EventParking {
    void park(NodeId as, Pending event, Exception trouble);
  }

  /** Called when a stream is free again; late if its page ended without it. */
  interface StreamEnd {
    void ended(Stream stream, boolean late);
  }

  LanePage(
      ThisNode node,
      NodeId as,
      Map<Stream, List<Pending>> streams,
      Function<Pending, @Nullable Exception> hand,
      EventParking failed,
      DeliveredEvents deleting) {
    this.node = node;
    this.as = as;
    this.hand = hand;
    this.failed = failed;
    this.deleting = deleting;
    this.open = new HashSet<>(streams.keySet());
    streams.forEach((stream, events) -> deliveries.add(new StreamDelivery(stream, events)));
  }

  /**
   * Names the listeners of this page.
   *
   * @param page told once, with whether the lanes turned out to be another node's
   */
  void whenEnded(StreamEnd stream, Consumer<Boolean> page) {
    streamEnded = stream;
    pageEnded = page;
  }

  void start() {
    patience =
        node.scheduler().after(PATIENCE, () -> node.scheduler().execute(this::endWithoutTheSlow));
    deliveries.forEach(delivery -> node.scheduler().executeUserCode(() -> delivery.goOn(0)));
  }

  /**
   * One call of a listener. It is settled when it returns or when it is given up, whichever is
   * first.
   */
  private record ListenerCall(Pending event, int next, Instant since, AtomicBoolean settled) {}

  /** The delivery of one stream's events. */
  private final class StreamDelivery {

    private final Stream stream;
    private final List<Pending> events;
    private final Set<InstanceId> aside = new HashSet<>();
    private volatile @Nullable ListenerCall current;

    StreamDelivery(Stream stream, List<Pending> events) {
      this.stream = stream;
      this.events = events;
    }

    /** Delivers the events from this one on. Also after a fault the delivery comes to its end. */
    private void goOn(int first) {
      try {
        deliverFrom(first);
      } catch (RuntimeException | Error e) {
        ended(stream);
        throw e;
      }
    }

    /** One task at a time is here; a call that was given up no longer counts as one. */
    private void deliverFrom(int first) {
      for (int i = first; i < events.size(); i++) {
        Pending event = events.get(i);
        if (!aside.contains(event.instance())) {
          ListenerCall call = new ListenerCall(event, i + 1, node.now(), new AtomicBoolean());
          current = call;
          Exception trouble = hand.apply(event);
          if (!call.settled().compareAndSet(false, true)) {
            return;
          }
          settle(event, trouble);
        }
      }
      current = null;
      ended(stream);
    }

    /** Gives up a call that has taken too long, and goes on with the events behind it. */
    private void giveUpIfOverdue() {
      ListenerCall call = current;
      if (call != null
          && !node.now().isBefore(call.since().plus(Limits.LISTENER_TIME))
          && call.settled().compareAndSet(false, true)) {
        settle(
            call.event(),
            new IllegalStateException(
                "Expected '%s' to take an event within %s, but it has not returned"
                    .formatted(call.event().sink(), Limits.LISTENER_TIME)));
        node.scheduler().executeUserCode(() -> goOn(call.next()));
      }
    }

    private void settle(Pending event, @Nullable Exception trouble) {
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
    deliveries.forEach(delivery -> node.scheduler().execute(delivery::giveUpIfOverdue));
    node.scheduler().after(PATIENCE, () -> node.scheduler().execute(this::watch));
  }

  private void ended(Stream stream) {
    boolean last;
    boolean late;
    List<Pending> done = List.of();
    synchronized (this) {
      open.remove(stream);
      last = open.isEmpty() && !over;
      late = over;
      over |= last;
      if (last || late) {
        done = delivered;
        delivered = new ArrayList<>();
      }
    }
    boolean lost = !deleted(done);
    streamEnded.ended(stream, late);
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
    return deleting.delete(as, done);
  }
}
