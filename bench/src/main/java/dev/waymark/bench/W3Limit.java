package dev.waymark.bench;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.spi.IdSource;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.UnitRows;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The drain of W3 without the engine: due timers are found page by page, and what firing them
 * writes is written in batches of the engine's size, on as many connections. Nothing is loaded,
 * decided or serialised.
 */
final class W3Limit {

  private static final Duration LEASE = Duration.ofHours(1);
  private static final int PAGE = 1_000;

  private final Store store;
  private final Template template;
  private final int batch;
  private final NodeId node;
  private final IdSource ids = IdSource.timeOrdered(InstantSource.system());

  W3Limit(Store store, Template template, int batch) {
    this.store = store;
    this.batch = Math.min(batch, store.capacity().unitsPerBatch());
    this.node = new NodeId(ids.next());
    this.template = template.on(node);
    if (template.size() != 2) {
      throw new IllegalArgumentException(
          "Expected a run of two units, start and timer, but got " + template.size());
    }
    var unused = store.nodes().register(node, "limit", LEASE);
  }

  /** How many seconds it takes to fire so many timers. */
  double drain(int timers) throws InterruptedException {
    for (int done = 0; done < timers; done += batch) {
      List<UnitRows> starts = new ArrayList<>();
      for (int i = done; i < Math.min(timers, done + batch); i++) {
        starts.add(template.unit(0, new InstanceId(ids.next())));
      }
      commit(starts);
    }
    long begun = System.nanoTime();
    for (int fired = 0; fired < timers; ) {
      Queue<List<UnitRows>> page = page();
      if (page.isEmpty()) {
        throw new IllegalStateException("Expected timers that are due, but found no more");
      }
      fired += page.stream().mapToInt(List::size).sum();
      Crew crew = new Crew();
      for (int i = 0; i < store.capacity().committers(); i++) {
        crew.add(
            Thread.ofPlatform().daemon().name("limit-" + i),
            () -> {
              for (List<UnitRows> next = page.poll(); next != null; next = page.poll()) {
                commit(next);
              }
            });
      }
      crew.start();
      crew.join();
    }
    return (System.nanoTime() - begun) / 1e9;
  }

  private Queue<List<UnitRows>> page() {
    List<UnitRows> units =
        store.duties().dueTimers(PAGE).stream()
            .map(timer -> template.unit(1, timer.instance()))
            .toList();
    Queue<List<UnitRows>> batches = new ConcurrentLinkedQueue<>();
    for (int i = 0; i < units.size(); i += batch) {
      batches.add(units.subList(i, Math.min(units.size(), i + batch)));
    }
    return batches;
  }

  private void commit(List<UnitRows> units) {
    for (CommitResult result : store.commit(node, units)) {
      if (result.outcome() != Outcome.COMMITTED) {
        throw new IllegalStateException("Expected a bare commit to succeed, but got " + result);
      }
    }
  }
}
