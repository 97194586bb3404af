package dev.waymark.bench;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.spi.IdSource;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.Correlations.Stored;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.engine.store.UnitRows.MessageRow;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * W4 without the engine: messages are stored as many at a time as there are senders, and what their
 * runs do is written in batches of the engine's size, on as many connections.
 */
final class W4Limit {

  private static final Duration LEASE = Duration.ofHours(1);

  private final Store store;
  private final Template template;
  private final int batch;
  private final int senders;
  private final NodeId node;
  private final IdSource ids = IdSource.timeOrdered(InstantSource.system());

  W4Limit(Store store, Template template, int batch, int senders) {
    this.store = store;
    this.senders = senders;
    this.batch = Math.min(batch, store.capacity().unitsPerBatch());
    this.node = new NodeId(ids.next());
    this.template = template.on(node);
    if (template.size() != 2) {
      throw new IllegalArgumentException(
          "Expected a run of two units, start and message, but got " + template.size());
    }
    var unused = store.nodes().register(node, "limit", LEASE);
  }

  /** How many correlations a second there are without an engine. */
  double rate(int runs) throws InterruptedException {
    ConcurrentLinkedQueue<List<InstanceId>> batches = new ConcurrentLinkedQueue<>();
    for (int done = 0; done < runs; done += batch) {
      List<InstanceId> some = new ArrayList<>();
      for (int i = done; i < Math.min(runs, done + batch); i++) {
        some.add(new InstanceId(ids.next()));
      }
      commit(some.stream().map(id -> template.unit(0, id)).toList());
      batches.add(some);
    }
    Crew crew = new Crew();
    for (int i = 0; i < Math.min(senders, store.capacity().committers()); i++) {
      crew.add(
          Thread.ofPlatform().daemon().name("limit-" + i),
          () -> {
            for (List<InstanceId> some = batches.poll(); some != null; some = batches.poll()) {
              store(some);
              commit(some.stream().map(id -> template.unit(1, id)).toList());
            }
          });
    }
    long begun = System.nanoTime();
    crew.start();
    crew.join();
    return runs / ((System.nanoTime() - begun) / 1e9);
  }

  private void store(List<InstanceId> some) {
    for (int i = 0; i < some.size(); i += senders) {
      List<MessageRow> messages =
          some.subList(i, Math.min(some.size(), i + senders)).stream()
              .map(W4Limit::message)
              .toList();
      for (Stored stored : store.correlations().receive(messages)) {
        if (!stored.fresh() || stored.target() == null) {
          throw new IllegalStateException("Expected a message that is waited for, got " + stored);
        }
      }
    }
  }

  private static MessageRow message(InstanceId id) {
    return new MessageRow(
        new Message.Key(Actor.DEFAULT_TENANT, "bench", id.toString()),
        null,
        "paid",
        "{\"amount\":10}",
        "bench",
        Instant.now(),
        id.toString(),
        null);
  }

  private void commit(List<UnitRows> units) {
    for (CommitResult result : store.commit(node, units)) {
      if (result.outcome() != Outcome.COMMITTED) {
        throw new IllegalStateException("Expected a bare commit to succeed, but got " + result);
      }
    }
  }
}
