package dev.waymark.engine.internal.outbox;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.NodeId;
import dev.waymark.core.step.Unit;
import dev.waymark.engine.internal.node.RepeatingTask;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.node.Worker;
import dev.waymark.engine.internal.row.RowReader;
import dev.waymark.engine.internal.row.RowWriter;
import dev.waymark.engine.internal.step.CommitListener;
import dev.waymark.engine.internal.step.UnreadableRows;
import dev.waymark.engine.message.Subscription;
import dev.waymark.engine.store.Outbox;
import dev.waymark.engine.store.Outbox.Lane;
import dev.waymark.engine.store.Outbox.Listening;
import dev.waymark.engine.store.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that events are written for all who listen, here or in other processes, and delivered
 * to the listeners of this process. It holds lanes, not rows, and shares them between readers: one
 * alone falls behind committers that write to the same cores.
 *
 * <p>Lanes are divided among the nodes that listen. All of them are to listen under the same names:
 * docs/decisions/0013 says why, and what happens while they do not.
 */
public final class OutboxWorker implements Worker, CommitListener {

  private static final Logger log = LoggerFactory.getLogger(OutboxWorker.class);
  private static final int READERS = 2;

  private final ThisNode node;
  private final RowWriter writer;
  private final List<OutboxReader> readers = new ArrayList<>();
  private final List<String> sinks;
  private final RepeatingTask leasing;
  private volatile List<Lane> lanes = List.of();
  private Instant leased = Instant.EPOCH;
  private @Nullable NodeId leasedAs;
  private Set<String> complainedOf = Set.of();

  public OutboxWorker(
      ThisNode node,
      RowReader reader,
      RowWriter writer,
      UnreadableRows unreadable,
      List<Subscription> subscriptions) {
    this.node = node;
    this.writer = writer;
    Map<String, Subscription> byName = new LinkedHashMap<>();
    subscriptions.forEach(s -> byName.put(s.name(), s));
    sinks = List.copyOf(byName.keySet());
    for (int i = 0; i < READERS; i++) {
      readers.add(
          new OutboxReader(node, reader, writer, unreadable, Collections.unmodifiableMap(byName)));
    }
    leasing = new RepeatingTask(node.scheduler(), node.settings().renewEvery(), this::look);
  }

  @Override
  public void committed(Unit unit) {
    if (listens()) {
      wake();
    }
  }

  private boolean listens() {
    return !sinks.isEmpty();
  }

  @Override
  public void start() {
    look();
    leasing.start();
  }

  @Override
  public void stop() {
    leasing.stop();
    if (listens()) {
      try {
        node.store().outbox().release(node.id());
      } catch (StoreException e) {
        log.warn("Could not give lanes back; they lapse", e);
      }
    }
  }

  /** Finds out which sinks other nodes have, and leases this node's share of the lanes. */
  private void look() {
    NodeId as = node.id();
    try {
      List<Listening> listeners = listeners(as);
      writeForOthers(listeners);
      if (listens()) {
        lease(as, listeners);
      }
    } catch (StoreException e) {
      log.warn("Could not lease lanes", e);
      if (node.now().isAfter(leased.plus(node.settings().nodeLease()))) {
        // They have lapsed: another node may deliver from them by now.
        holds(as, List.of());
      }
    }
  }

  /** Finds out who listens, once the store knows that this node does. */
  private List<Listening> listeners(NodeId as) {
    Outbox outbox = node.store().outbox();
    List<Listening> listeners = outbox.listeners();
    boolean known =
        listeners.stream()
            .anyMatch(other -> other.node().equals(as) && other.sinks().equals(sinks));
    if (known || !listens()) {
      return listeners;
    }
    outbox.listens(as, sinks);
    return outbox.listeners();
  }

  private void writeForOthers(List<Listening> listeners) {
    Instant since = node.now().minus(Limits.SINK_KEPT);
    Set<String> elsewhere = new HashSet<>();
    Set<String> missing = new HashSet<>();
    for (Listening other : listeners) {
      if (other.alive() || other.validUntil().isAfter(since)) {
        elsewhere.addAll(other.sinks());
      }
      if (other.alive()) {
        missing.addAll(other.sinks());
      }
    }
    sinks.forEach(elsewhere::remove);
    sinks.forEach(missing::remove);
    writer.listenedElsewhere(elsewhere);
    if (listens() && !missing.isEmpty() && !missing.equals(complainedOf)) {
      complainedOf = Set.copyOf(missing);
      log.error(
          "Expected all processes that listen to events to listen under the same names, but this"
              + " one does not listen as {}, as another does: such events wait while their lane is"
              + " held here",
          missing);
    }
  }

  private void lease(NodeId as, List<Listening> listeners) {
    if (leasedAs != null && !leasedAs.equals(as)) {
      // This process was declared dead and is another node now: the leases of the old lanes would
      // not be renewed.
      node.store().outbox().release(leasedAs);
    }
    leasedAs = as;
    long nodes =
        listeners.stream().filter(other -> other.alive() && !other.sinks().isEmpty()).count();
    int share = (int) Math.ceilDiv((long) Outbox.LANES, Math.max(1, nodes));
    List<Lane> held = node.store().outbox().lease(as, share, node.settings().nodeLease());
    leased = node.now();
    holds(as, held);
  }

  private void holds(NodeId as, List<Lane> held) {
    lanes = List.copyOf(held);
    for (int i = 0; i < READERS; i++) {
      int turn = i;
      readers.get(i).holds(as, held.stream().filter(l -> l.lane() % READERS == turn).toList());
    }
  }

  /** The lanes that this node holds, as far as it knows. */
  public List<Lane> lanes() {
    return lanes;
  }

  /** The names under which this process listens. */
  public List<String> sinks() {
    return sinks;
  }

  /** Events may be pending in the lanes of this node. */
  public void wake() {
    readers.forEach(OutboxReader::wake);
  }
}
