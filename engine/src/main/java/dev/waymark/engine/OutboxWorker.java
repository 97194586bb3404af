package dev.waymark.engine;

import dev.waymark.engine.store.Outbox;
import dev.waymark.engine.store.Outbox.Lane;
import dev.waymark.engine.store.StoreException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that events are delivered to the listeners of this process. It holds lanes, not rows,
 * and shares them between readers: one alone falls behind committers that write to the same cores.
 */
final class OutboxWorker {

  private static final Logger log = LoggerFactory.getLogger(OutboxWorker.class);
  private static final int READERS = 2;

  private final Node node;
  private final List<LaneReader> readers = new ArrayList<>();
  private final Repeat leasing;
  private final Repeat polling;
  private final boolean listens;

  OutboxWorker(Node node, List<Subscription> subscriptions) {
    this.node = node;
    listens = !subscriptions.isEmpty();
    Map<String, Subscription> byName = new LinkedHashMap<>();
    subscriptions.forEach(s -> byName.put(s.name(), s));
    for (int i = 0; i < READERS; i++) {
      readers.add(new LaneReader(node, Collections.unmodifiableMap(byName)));
    }
    leasing = new Repeat(node.scheduler(), node.settings().renewEvery(), this::lease);
    polling = new Repeat(node.scheduler(), node.settings().pollEvery(), this::wake);
    if (listens) {
      node.aftermath().onEventsWritten(this::wake);
    }
  }

  void start() {
    if (listens) {
      lease();
      leasing.start();
      polling.start();
    }
  }

  void stop() {
    leasing.stop();
    polling.stop();
    if (listens) {
      try {
        node.store().outbox().release(node.id());
      } catch (StoreException e) {
        log.warn("Could not give lanes back; they lapse", e);
      }
    }
  }

  private void lease() {
    try {
      long nodes = node.store().nodes().list().stream().filter(n -> n.alive()).count();
      int share = (int) Math.ceilDiv((long) Outbox.LANES, Math.max(1, nodes));
      List<Lane> held = node.store().outbox().lease(node.id(), share, node.settings().nodeLease());
      for (int i = 0; i < READERS; i++) {
        int turn = i;
        readers.get(i).holds(held.stream().filter(l -> l.lane() % READERS == turn).toList());
      }
    } catch (StoreException e) {
      log.warn("Could not lease lanes", e);
    }
  }

  void wake() {
    readers.forEach(LaneReader::wake);
  }
}
