package dev.waymark.bench.chaos;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Answer;
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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Cuts connections around the commit of a batch, and asks every caller whether it was told the
 * truth: the same command again gives the first outcome, and no step was made twice.
 */
public final class CutRun {

  private static final int CLIENTS = 40;
  private static final int EVERY = 12;
  private static final String FLOW =
      """
      waymark: 1
      key: cut
      start: a
      activities:
        a: { type: work, next: ask }
        ask: { type: wait, next: b }
        b: { type: work }
      """;

  /** What a run found. */
  public record Result(int cuts, long commands, List<String> faults) {}

  private final int wanted;
  private final List<String> faults = new CopyOnWriteArrayList<>();
  private final AtomicLong commands = new AtomicLong();
  private final AtomicInteger names = new AtomicInteger();

  public CutRun(int wanted) {
    this.wanted = wanted;
  }

  public Result run() {
    PostgresServer server = PostgresServer.durable();
    String direct = server.url(server.newDatabase());
    int port = Integer.parseInt(direct.replaceAll(".*:(\\d+)/.*", "$1"));
    try (CutProxy proxy = new CutProxy(port, EVERY)) {
      String url = direct.replace(":" + port + "/", ":" + proxy.port() + "/");
      Store store = Victim.open("postgres", url);
      Engine engine =
          Engine.builder(store)
              .activity("work", context -> ActivityResult.completed(Map.of("n", context.visit())))
              .start();
      engine.definitions().deploy(FLOW, Caller.of("cut"));
      proxy.cutting(true);
      List<Thread> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(Thread.ofVirtual().start(() -> client(engine, proxy)));
      }
      join(clients);
      proxy.cutting(false);
      store
          .checker()
          .check(Checker.Options.atRest())
          .forEach(violation -> faults.add(violation.toString()));
      engine.close();
      return new Result(proxy.cuts(), commands.get(), List.copyOf(faults));
    }
  }

  private void client(Engine engine, CutProxy proxy) {
    while (proxy.cuts() < wanted && faults.size() < 100) {
      try {
        once(engine);
      } catch (RuntimeException e) {
        faults.add("A client failed: " + e);
      }
    }
  }

  private void once(Engine engine) {
    Caller starter = Caller.of("cut").withCommandId("start-" + names.incrementAndGet());
    StartRequest request = StartRequest.of("cut");
    InstanceId id = insist(() -> engine.instances().start(request, starter), 1);
    var bookmark =
        java.util.stream.Stream.generate(() -> engine.instances().find(id, starter).orElseThrow())
            .filter(i -> !i.bookmarks().isEmpty())
            .findFirst()
            .orElseThrow()
            .bookmarks()
            .firstKey();
    Caller answerer = Caller.of("cut").withCommandId("answer-" + names.incrementAndGet());
    insist(() -> engine.bookmarks().resume(bookmark, Map.of("ok", true), answerer), 3);
    var ended = engine.instances().awaitEnd(id, Duration.ofSeconds(60), starter);
    if (ended.status() != Status.COMPLETED || ended.version() != 4) {
      faults.add("Expected " + id + " COMPLETED at version 4, but it is " + ended);
    }
  }

  /** Asks until there is an answer, then once more: both must tell of the same version. */
  private InstanceId insist(java.util.function.Supplier<Answer> command, long version) {
    Answer first = command.get();
    Answer again = command.get();
    commands.incrementAndGet();
    boolean told =
        first instanceof Answer.Done done
            ? done.version() == version
            : first instanceof Answer.Unchanged unchanged && unchanged.version() == version;
    boolean repeated =
        again instanceof Answer.Unchanged unchanged && unchanged.version() == version;
    if (!told || !repeated) {
      faults.add("Expected version " + version + " twice, but heard " + first + " and " + again);
    }
    return first.orThrow();
  }

  private static void join(List<Thread> threads) {
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
  }
}
