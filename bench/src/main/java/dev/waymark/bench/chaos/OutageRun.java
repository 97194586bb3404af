package dev.waymark.bench.chaos;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.store.Checker;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.PostgresServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Takes the database away from two nodes while their bodies run, for longer than their leases.
 *
 * <p>When it is back both have lapsed, neither is dead, and no body may have been run twice.
 */
public final class OutageRun {

  private static final int INSTANCES = 200;
  private static final String FLOW =
      """
      waymark: 1
      key: outage
      start: a
      activities:
        a: { type: work, next: b }
        b: { type: work }
      """;
  private static final Caller CALLER = Caller.of("outage");

  /** What a run found. */
  public record Result(Duration outage, int instances, long bodies, List<String> faults) {}

  private final Duration outage;

  public OutageRun(Duration outage) {
    this.outage = outage;
  }

  public Result run() {
    PostgresServer server = PostgresServer.durable();
    String direct = server.url(server.newDatabase());
    int port = Integer.parseInt(direct.replaceAll(".*:(\\d+)/.*", "$1"));
    try (CutProxy proxy = new CutProxy(port, Integer.MAX_VALUE);
        Ledger ledger = Ledger.open("postgres", direct)) {
      String url = direct.replace(":" + port + "/", ":" + proxy.port() + "/");
      Store store = Victim.open("postgres", url);
      Engine first = engine(store, ledger, "first");
      Engine second = engine(Victim.open("postgres", url), ledger, "second");
      first.definitions().deploy(FLOW, CALLER);
      List<InstanceId> started = new ArrayList<>();
      for (int i = 0; i < INSTANCES; i++) {
        Engine starter = i % 2 == 0 ? first : second;
        started.add(starter.instances().start(StartRequest.of("outage"), CALLER).orThrow());
      }
      // Both nodes must have the right to judge each other, or the run would prove nothing.
      pause(Duration.ofSeconds(20));
      System.out.println("  the database goes away");
      proxy.down(true);
      pause(outage);
      proxy.down(false);
      System.out.println("  the database is back");
      List<String> faults = new ArrayList<>();
      for (InstanceId id : started) {
        Status status = first.instances().awaitEnd(id, Duration.ofMinutes(2), CALLER).status();
        if (status != Status.COMPLETED) {
          faults.add("Expected " + id + " to complete, but it is " + status);
        }
      }
      faults.addAll(ledger.startedTwice());
      long bodies = ledger.count("select count(*) from led_body");
      long again = ledger.count("select count(*) from led_body where attempt > 1");
      if (again > 0) {
        faults.add(again + " bodies were run for a second attempt");
      }
      store.checker().check(Checker.Options.atRest()).forEach(v -> faults.add(v.toString()));
      second.close();
      first.close();
      return new Result(outage, INSTANCES, bodies, faults);
    }
  }

  private static Engine engine(Store store, Ledger ledger, String name) {
    return Engine.builder(store)
        .name(name)
        .activity(
            "work",
            context -> {
              ledger.bodyStarted(context, name);
              // Some end before the outage, most during it, some after.
              pause(Duration.ofMillis(ThreadLocalRandom.current().nextLong(45_000)));
              return ActivityResult.completed(Map.of());
            })
        .start();
  }

  private static void pause(Duration duration) {
    long end = System.nanoTime() + duration.toNanos();
    while (System.nanoTime() < end && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }
}
