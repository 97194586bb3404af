package dev.waymark.bench.chaos;

import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.EngineBuilder;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.Activity;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.store.Store;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.sqlite.SqliteStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Scanner;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * A node in a process of its own that is made to be killed: it starts instances as fast as their
 * bodies allow, until it is no more.
 */
public final class Victim {

  static final String FLOW =
      """
      waymark: 1
      key: chaos
      start: a
      activities:
        a: { type: work, next: split }
        split: { type: fork, with: { branches: [b, c] } }
        b: { type: work, next: gather }
        c: { type: timer, with: { after: PT0.2S }, next: gather }
        gather: { type: join, next: d }
        d: { type: work, next: e }
        e: { type: work }
      """;

  static final Caller LOAD = Caller.of("load");

  private Victim() {}

  /** Arguments: the store's kind, its address, the load's width. */
  public static void main(String[] args) {
    Store store = open(args[0], args[1]);
    Ledger ledger = Ledger.open(args[0], args[1]);
    int clients = Integer.parseInt(args[2]);
    Engine[] self = new Engine[1];
    EngineBuilder builder =
        Engine.builder(store)
            .name("victim")
            .activity("work", work(ledger, () -> String.valueOf(self[0].node())));
    self[0] = builder.start();
    Engine engine = self[0];
    engine.definitions().deploy(FLOW, LOAD);
    System.out.println("READY");
    for (int i = 0; i < clients; i++) {
      Thread.ofVirtual().start(() -> load(engine));
    }
    // Asked by a line whether it has load, it answers once it has.
    Scanner asked = new Scanner(System.in, StandardCharsets.UTF_8);
    while (asked.hasNextLine()) {
      asked.nextLine();
      while (running(engine) < clients / 2) {
        LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
      }
      System.out.println("LOADED");
    }
    LockSupport.park();
  }

  static int running(Engine engine) {
    return engine
        .instances()
        .list(InstanceQuery.ALL.withStatus(Status.RUNNING).page(null, 1_000), LOAD)
        .size();
  }

  /** Work that takes a few milliseconds, so that a kill always finds some of it half done. */
  static Activity work(Ledger ledger, java.util.function.Supplier<String> node) {
    return context -> {
      ledger.bodyStarted(context, node.get());
      LockSupport.parkNanos(Duration.ofMillis(ThreadLocalRandom.current().nextLong(40)).toNanos());
      return ActivityResult.completed(Map.of("at", context.activity()));
    };
  }

  static Store open(String kind, String address) {
    return kind.equals("postgres")
        ? PostgresStore.open(address, "postgres", "postgres", PostgresOptions.DEFAULTS)
        : SqliteStore.open(Path.of(address), InstantSource.system());
  }

  private static void load(Engine engine) {
    while (true) {
      try {
        var id = engine.instances().start(StartRequest.of("chaos"), LOAD).orThrow();
        var unused = engine.instances().awaitEnd(id, Duration.ofSeconds(30), LOAD);
      } catch (RuntimeException e) {
        System.err.println("load: " + e);
      }
    }
  }
}
