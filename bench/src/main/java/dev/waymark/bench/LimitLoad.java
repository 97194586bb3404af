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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * W1 without the engine: the same rows through the same statements, in batches of the same size and
 * on the same number of connections. Nothing is decided and nothing serialised; what is left is
 * what the database and its driver take.
 */
final class LimitLoad implements Load {

  private static final Duration LEASE = Duration.ofHours(1);

  private final Store store;
  private final Template template;
  private final Meter meter;
  private final int batchSize;
  private final NodeId node;
  private final Crew crew = new Crew();

  // Not the engine's SecureRandom, whose cost is the engine's.
  private final IdSource ids =
      IdSource.timeOrdered(InstantSource.system(), () -> ThreadLocalRandom.current().nextLong());

  private final Deque<Client> waiting = new ArrayDeque<>();
  private int alive;
  private volatile boolean stopping;

  /** One instance after another, one unit on its way at a time. */
  private final class Client {
    private InstanceId instance = new InstanceId(ids.next());
    private int step;
    private long asked = System.nanoTime();
    private long begun = asked;

    UnitRows unit() {
      return template.unit(step, instance);
    }

    /** Its unit is durable; false if it was the last. */
    boolean goesOn(long now) {
      meter.step(now - asked);
      asked = now;
      if (++step < template.size()) {
        return true;
      }
      meter.instance(now - begun);
      begun = now;
      step = 0;
      instance = new InstanceId(ids.next());
      return !stopping;
    }
  }

  LimitLoad(Store store, Template template, int clients, int batchSize, Meter meter) {
    this.store = store;
    this.meter = meter;
    this.batchSize = Math.min(batchSize, store.capacity().unitsPerBatch());
    this.node = new NodeId(ids.next());
    this.template = template.on(node);
    this.alive = clients;
    var unused = store.nodes().register(node, "limit", LEASE);
    for (int i = 0; i < clients; i++) {
      waiting.add(new Client());
    }
    for (int i = 0; i < Math.min(clients, store.capacity().committers()); i++) {
      crew.add(Thread.ofPlatform().daemon().name("limit-" + i), this::commitAll);
    }
  }

  NodeId node() {
    return node;
  }

  @Override
  public void start() {
    crew.start();
  }

  @Override
  public void stop() throws InterruptedException {
    stopping = true;
    crew.join();
  }

  @Override
  public void close() {
    stopping = true;
    store.nodes().leave(node);
  }

  private void commitAll() throws InterruptedException {
    for (List<Client> batch = take(); !batch.isEmpty(); batch = take()) {
      List<UnitRows> units = new ArrayList<>(batch.size());
      batch.forEach(client -> units.add(client.unit()));
      for (CommitResult result : store.commit(node, units)) {
        if (result.outcome() != Outcome.COMMITTED) {
          throw new IllegalStateException("Expected a bare commit to succeed, but got " + result);
        }
      }
      giveBack(batch);
    }
  }

  private List<Client> take() throws InterruptedException {
    synchronized (waiting) {
      while (waiting.isEmpty() && alive > 0 && !crew.hasTrouble()) {
        waiting.wait(100);
      }
      List<Client> batch = new ArrayList<>();
      while (!waiting.isEmpty() && batch.size() < batchSize && !crew.hasTrouble()) {
        batch.add(waiting.remove());
      }
      return batch;
    }
  }

  private void giveBack(List<Client> batch) {
    long now = System.nanoTime();
    synchronized (waiting) {
      for (Client client : batch) {
        if (client.goesOn(now)) {
          waiting.add(client);
        } else {
          alive--;
        }
      }
      waiting.notifyAll();
    }
  }
}
