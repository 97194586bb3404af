package dev.waymark.bench.chaos;

import dev.waymark.core.instance.Status;
import dev.waymark.engine.Engine;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.store.Checker;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * Kills a node under load, again and again, and looks how long its work lies still.
 *
 * <p>On PostgreSQL a second node, in this process, takes over. On SQLite, which has one process at
 * a time, the next process does.
 */
public final class KillRun {

  private static final int CLIENTS = 50;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** What a run found. */
  public record Result(
      String store,
      int kills,
      int orphans,
      double worstSeconds,
      long instances,
      List<String> faults) {}

  private final Duration load;
  private final int times;

  public KillRun(int times, Duration load) {
    this.times = times;
    this.load = load;
  }

  public Result onPostgres() {
    PostgresServer server = PostgresServer.durable();
    String url = server.url(server.newDatabase());
    Engine[] self = new Engine[1];
    Store store = Victim.open("postgres", url);
    try (Ledger ledger = Ledger.open("postgres", url)) {
      self[0] =
          Engine.builder(store)
              .name("survivor")
              .activity("work", Victim.work(ledger, () -> String.valueOf(self[0].node())))
              .start();
      Engine engine = self[0];
      engine.definitions().deploy(Victim.FLOW, Victim.LOAD);
      int orphans = 0;
      double worst = 0;
      for (int i = 1; i <= times; i++) {
        Child victim = Child.start(Victim.class, "postgres", url, Integer.toString(CLIENTS));
        pause(load);
        awaitLoad(victim);
        victim.kill();
        long killed = System.nanoTime();
        int found = Victim.running(engine);
        orphans += found;
        double seconds = awaitAllEnded(engine, killed);
        worst = Math.max(worst, seconds);
        System.out.printf(
            Locale.ROOT,
            "  kill %2d: %3d instances were running, all ended %.1f s later%n",
            i,
            found,
            seconds);
      }
      List<String> faults = faults(store, ledger, orphans);
      long instances = ledger.count("select count(*) from wm_instance");
      engine.close();
      return new Result("postgres", times, orphans, worst, instances, faults);
    }
  }

  public Result onSqlite() {
    String file = temporaryFile().toString();
    int orphans = 0;
    double worst = 0;
    for (int i = 1; i <= times; i++) {
      Child victim = Child.start(Victim.class, "sqlite", file, Integer.toString(CLIENTS));
      pause(load);
      awaitLoad(victim);
      victim.kill();
      long killed = System.nanoTime();
      try (Ledger ledger = Ledger.open("sqlite", file);
          Engine engine = next(file, ledger)) {
        int found = Victim.running(engine);
        orphans += found;
        double seconds = awaitAllEnded(engine, killed);
        worst = Math.max(worst, seconds);
        System.out.printf(
            Locale.ROOT,
            "  kill %2d: %3d instances were running, all ended %.1f s later%n",
            i,
            found,
            seconds);
      }
    }
    try (Ledger ledger = Ledger.open("sqlite", file);
        Store store = Victim.open("sqlite", file)) {
      store.migrate();
      List<String> faults = faults(store, ledger, orphans);
      long instances = ledger.count("select count(distinct instance) from led_body");
      return new Result("sqlite", times, orphans, worst, instances, faults);
    }
  }

  private static Engine next(String file, Ledger ledger) {
    return Engine.builder(Victim.open("sqlite", file))
        .name("next")
        .activity("work", Victim.work(ledger, () -> "next"))
        .start();
  }

  private static List<String> faults(Store store, Ledger ledger, int orphans) {
    List<String> faults = new ArrayList<>();
    store.checker().check(Checker.Options.atRest()).forEach(found -> faults.add(found.toString()));
    faults.addAll(ledger.startedTooLate());
    faults.addAll(ledger.startedTwice());
    if (orphans == 0) {
      faults.add("Expected instances that were running when they lost their node, but found none");
    }
    return faults;
  }

  /** A kill that finds nothing running proves nothing. */
  private static void awaitLoad(Child victim) {
    victim.say("loaded?");
    String said = victim.line();
    if (!said.equals("LOADED")) {
      throw new IllegalStateException("Expected the victim to be loaded, but it said " + said);
    }
  }

  private static double awaitAllEnded(Engine engine, long killed) {
    long patience = killed + PATIENCE.toNanos();
    while (Victim.running(engine) > 0) {
      if (System.nanoTime() > patience) {
        throw new IllegalStateException(
            "Expected every instance to end within "
                + PATIENCE
                + ", but these did not: "
                + engine
                    .instances()
                    .list(InstanceQuery.ALL.withStatus(Status.RUNNING), Victim.LOAD));
      }
      pause(Duration.ofMillis(50));
    }
    return (System.nanoTime() - killed) / 1e9;
  }

  private static Path temporaryFile() {
    try {
      Path folder = Files.createTempDirectory("waymark-kill");
      folder.toFile().deleteOnExit();
      return folder.resolve("chaos.db");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void pause(Duration duration) {
    long end = System.nanoTime() + duration.toNanos();
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }
}
