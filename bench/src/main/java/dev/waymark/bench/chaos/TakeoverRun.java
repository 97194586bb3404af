package dev.waymark.bench.chaos;

import dev.waymark.core.instance.Status;
import dev.waymark.engine.Engine;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.store.Checker;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.PostgresServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Kills a node that runs many bodies of two seconds, and looks when the other has done them all.
 */
public final class TakeoverRun {

  private static final Duration MOST = Duration.ofSeconds(30);
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /** The findings of a run. */
  public record Result(int bodies, double seconds, List<String> faults) {}

  private final int bodies;

  public TakeoverRun(int bodies) {
    this.bodies = bodies;
  }

  public Result run() {
    PostgresServer server = PostgresServer.durable();
    String url = server.url(server.newDatabase());
    Store store = Victim.open("postgres", url);
    try (Engine survivor =
        Engine.builder(store).name("survivor").activity("sleep", Sleeper.body()).start()) {
      survivor.definitions().deploy(Sleeper.FLOW, Victim.LOAD);
      Child victim = Child.start(Sleeper.class, url, Integer.toString(bodies));
      victim.kill();
      long killed = System.nanoTime();
      List<String> faults = new ArrayList<>();
      while (live(survivor) > 0) {
        if (System.nanoTime() - killed > PATIENCE.toNanos()) {
          faults.add("Expected all to end within " + PATIENCE + ", but some did not");
          break;
        }
        LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
      }
      double seconds = (System.nanoTime() - killed) / 1e9;
      if (seconds > MOST.toSeconds()) {
        faults.add("Expected all to end within " + MOST + ", but it took " + seconds + " s");
      }
      store.checker().check(Checker.Options.atRest()).forEach(v -> faults.add(v.toString()));
      return new Result(bodies, seconds, faults);
    }
  }

  private static long live(Engine engine) {
    long count = 0;
    for (Status status : List.of(Status.RUNNING, Status.SUSPENDED)) {
      count +=
          engine
              .instances()
              .list(InstanceQuery.ALL.withStatus(status).page(null, 1_000), Victim.LOAD)
              .size();
    }
    return count;
  }
}
