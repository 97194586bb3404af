package dev.waymark.bench;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.bookmark.ClaimRequest;
import dev.waymark.engine.bookmark.ClaimResult;
import dev.waymark.engine.query.InboxPlace;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * W2: people's work. Tasks are created, claimed one by one, and completed by eight workers (or as
 * many as there are clients); then the table is filled to a million open tasks and pages of inboxes
 * are read beside them.
 *
 * <p>The million is written by one statement, not by the engine: it is there to be in the way.
 * Beside each figure stands its limit: what plain JDBC does with the same rows.
 */
final class W2 implements Benchmark {

  private static final int TASKS = 20_000;
  private static final int MILLION = 1_000_000;
  private static final int WORKERS = 8;

  /**
   * Rounds that do not count: completing is a quarter faster in the third than in the first. What
   * they leave behind is tidied away, as it is every minute where tasks come and go all day.
   */
  private static final int WARM_UPS = 2;

  private static final int PAGE = 50;
  private static final int AT_ONCE = 500;
  private static final Duration LEASE = Duration.ofHours(1);
  private static final double MEDIAN = 0.5;
  private static final double WORST = 0.99;

  /** A task is created, claimed and completed. */
  private static final int STEPS = 3;

  private static final Caller CLERK =
      Caller.of(new Actor("clerk", Actor.DEFAULT_TENANT, Set.of("clerks"), Set.of()));

  private static final Map<String, Object> DONE = Map.of("outcome", "ok");

  private static final String FLOW =
      """
      waymark: 1
      key: task
      start: ask
      activities:
        ask: { type: user-task, with: { title: Look at it, candidates: ["group:clerks"] } }
      """;

  @Override
  public String name() {
    return "w2";
  }

  @Override
  public String summary() {
    return "20,000 tasks created, claimed one by one and completed; inboxes beside a million tasks";
  }

  @Override
  public Figures run(Options options, PrintStream out) throws Exception {
    int million = options.timesOr(MILLION / 1_000) * 1_000;
    int tasks = Math.min(TASKS, million / 20);
    int workers = options.clientsOr(WORKERS);
    RunRequests requests = new RunRequests(options);
    try (Database database = Database.open(options)) {
      out.printf("W2 on %s, %d workers%s%n", database.description(), workers, options.variation());
      Probe probe = new Probe(database.store());
      Template template;
      Round round = new Round(requests, workers);
      LogBytes log;
      try (Engine engine = Engine.builder(probe.store()).start()) {
        engine.definitions().deploy(FLOW, CLERK);
        template = sample(engine, probe, requests);
        for (int i = 0; i < WARM_UPS; i++) {
          new Round(requests, workers).run(engine, tasks);
        }
        database.tidy();
        Usage before = database.usage();
        round.run(engine, tasks);
        log = LogBytes.between(before, database.usage(), tasks, STEPS);
      }
      // The engine is gone: it would take over what is written without it.
      BareTasks bare = new BareTasks(database.store(), options.store(), workers);
      double bareCompletes = bare.completes(template, tasks);
      double bareClaims = bare.claims(tasks);
      out.printf("Loading %,d open tasks…%n", million);
      bare.fill(million);
      Inboxes readers = new Inboxes(workers);
      readers.read(options.warmup(), i -> inbox(database, i), new Histogram());
      Histogram inbox = new Histogram();
      readers.read(options.time(), i -> inbox(database, i), inbox);
      Histogram bareInbox = new Histogram();
      readers.read(options.time().dividedBy(2), bare::inbox, bareInbox);
      Figures figures =
          new Figures()
              .put("w", name())
              .put("store", options.store().toString())
              .put("concurrency", workers)
              .put("keys", options.keys())
              .put("payload_kb", options.payload())
              .put("tasks", tasks)
              .put("open_tasks", million)
              .put("creates_s", Double.valueOf(round.creates))
              .put("completes_s", Double.valueOf(round.completes))
              .put("limit_completes_s", Double.valueOf(bareCompletes))
              .put("completes_ratio", Double.valueOf(round.completes / bareCompletes))
              .put("claims_s", Double.valueOf(round.claims))
              .put("limit_claims_s", Double.valueOf(bareClaims))
              .put("claims_ratio", Double.valueOf(round.claims / bareClaims))
              .put("claim_p50_ms", round.claim.millisAt(MEDIAN))
              .put("claim_p99_ms", round.claim.millisAt(WORST))
              .put("limit_claim_p50_ms", bare.claim().millisAt(MEDIAN))
              .put("limit_claim_p99_ms", bare.claim().millisAt(WORST))
              .put("inbox_p50_ms", inbox.millisAt(MEDIAN))
              .put("inbox_p99_ms", inbox.millisAt(WORST))
              .put("limit_inbox_p50_ms", bareInbox.millisAt(MEDIAN))
              .put("limit_inbox_p99_ms", bareInbox.millisAt(WORST))
              .put("inbox_p50_ratio", bareInbox.millisAt(MEDIAN) / inbox.millisAt(MEDIAN))
              .put("inbox_ratio", bareInbox.millisAt(WORST) / inbox.millisAt(WORST));
      out.printf(
          "%n  %,.0f creates/s, %,.0f claims/s (limit %,.0f), %,.0f completes/s (limit %,.0f),"
              + " inbox page p99 %.2f ms (limit %.2f)%n",
          round.creates,
          round.claims,
          bareClaims,
          round.completes,
          bareCompletes,
          inbox.millisAt(WORST),
          bareInbox.millisAt(WORST));
      out.printf(
          "  a claim: p50 %.3f ms (limit %.3f), p99 %.3f ms (limit %.3f)%n",
          round.claim.millisAt(MEDIAN),
          bare.claim().millisAt(MEDIAN),
          round.claim.millisAt(WORST),
          bare.claim().millisAt(WORST));
      log.print(out);
      out.println();
      return log.addTo(figures);
    }
  }

  /** The units of one task that is answered without a claim. */
  private static Template sample(Engine engine, Probe probe, RunRequests requests) {
    probe.keep(true);
    var id = engine.instances().start(requests.next("task"), CLERK).orThrow();
    Bookmark task =
        engine.instances().find(id, CLERK).orElseThrow().bookmarks().values().iterator().next();
    engine.tasks().complete(task.id(), DONE, CLERK).orThrow();
    engine.instances().awaitEnd(id, Duration.ofSeconds(30), CLERK);
    probe.keep(false);
    return Template.of(id, probe.kept());
  }

  /** Create, claim, complete; one after another, each by all workers. */
  private static final class Round {
    private final RunRequests requests;
    private final int workers;
    final Histogram claim = new Histogram();
    double creates;
    double claims;
    double completes;

    Round(RunRequests requests, int workers) {
      this.requests = requests;
      this.workers = workers;
    }

    void run(Engine engine, int tasks) throws InterruptedException {
      creates = tasks / seconds(() -> create(engine, tasks));
      Queue<ClaimResult.Held> held = new ConcurrentLinkedQueue<>();
      AtomicInteger left = new AtomicInteger(tasks);
      claims =
          tasks
              / seconds(
                  () ->
                      Crew.allDo(
                          workers,
                          () -> {
                            ClaimRequest one =
                                ClaimRequest.lasting(LEASE).kinds(BookmarkKind.USER_ACTION);
                            while (left.getAndDecrement() > 0) {
                              long asked = System.nanoTime();
                              held.addAll(engine.bookmarks().claim(one, CLERK));
                              claim.add(System.nanoTime() - asked);
                            }
                          }));
      if (held.size() != tasks) {
        throw new IllegalStateException(
            "Expected %d claims, but got %d".formatted(tasks, held.size()));
      }
      completes =
          tasks
              / seconds(
                  () ->
                      Crew.allDo(
                          workers,
                          () -> {
                            for (ClaimResult.Held one = held.poll();
                                one != null;
                                one = held.poll()) {
                              engine
                                  .tasks()
                                  .complete(one.bookmark().id(), one.lease().fence(), DONE, CLERK)
                                  .orThrow();
                            }
                          }));
    }

    private void create(Engine engine, int tasks) throws InterruptedException {
      Semaphore room = new Semaphore(requests.atOnce(AT_ONCE));
      List<CompletableFuture<Answer>> all = new ArrayList<>();
      for (int i = 0; i < tasks; i++) {
        room.acquire();
        all.add(
            engine
                .instances()
                .startAsync(requests.next("task"), CLERK)
                .whenComplete((answer, fault) -> room.release()));
      }
      all.forEach(CompletableFuture::join);
    }
  }

  private interface Task {
    void run() throws InterruptedException;
  }

  private static double seconds(Task task) throws InterruptedException {
    long begun = System.nanoTime();
    task.run();
    return (System.nanoTime() - begun) / 1e9;
  }

  private static void inbox(Database database, int i) {
    int page =
        database
            .store()
            .waits()
            .inbox(Actor.DEFAULT_TENANT, BareTasks.names(i), InboxPlace.START, PAGE)
            .rows()
            .size();
    if (page != PAGE) {
      throw new IllegalStateException("Expected a page of " + PAGE + ", but got " + page);
    }
  }

  /** One page of somebody's inbox. */
  private interface Inbox {
    void read(int i) throws Exception;
  }

  /** Readers of inboxes, one page after another. */
  private record Inboxes(int readers) {

    void read(Duration time, Inbox inbox, Histogram into) throws InterruptedException {
      long end = System.nanoTime() + time.toNanos();
      AtomicInteger next = new AtomicInteger();
      Crew.allDo(
          readers,
          () -> {
            while (System.nanoTime() < end) {
              long begun = System.nanoTime();
              inbox.read(next.getAndIncrement());
              into.add(System.nanoTime() - begun);
            }
          });
    }
  }
}
