package dev.waymark.bench;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
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
 * W2: people's work. Tasks are created, claimed one by one, and completed by eight workers; then
 * the table is filled to a million open tasks and pages of inboxes are read beside them.
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
  private static final double WORST = 0.99;
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
    try (Database database = Database.open(options)) {
      out.printf("W2 on %s, %d workers%n", database.description(), WORKERS);
      Probe probe = new Probe(database.store());
      Template template;
      Round round = new Round();
      try (Engine engine = Engine.builder(probe.store()).start()) {
        engine.definitions().deploy(FLOW, CLERK);
        template = sample(engine, probe);
        for (int i = 0; i < WARM_UPS; i++) {
          new Round().run(engine, tasks);
        }
        database.tidy();
        round.run(engine, tasks);
      }
      // The engine is gone: it would take over what is written without it.
      BareTasks bare = new BareTasks(database.store(), options.store());
      double bareCompletes = bare.completes(template, tasks);
      double bareClaims = bare.claims(tasks, WORKERS);
      out.printf("Loading %,d open tasks…%n", million);
      bare.fill(million);
      Histogram warm = new Histogram();
      inboxes(options.warmup(), i -> inbox(database, i), warm);
      Histogram inbox = new Histogram();
      inboxes(options.time(), i -> inbox(database, i), inbox);
      Histogram bareInbox = new Histogram();
      inboxes(options.time().dividedBy(2), bare::inbox, bareInbox);
      Figures figures =
          new Figures()
              .put("w", name())
              .put("store", options.store().toString())
              .put("tasks", tasks)
              .put("open_tasks", million)
              .put("creates_s", Double.valueOf(round.creates))
              .put("completes_s", Double.valueOf(round.completes))
              .put("limit_completes_s", Double.valueOf(bareCompletes))
              .put("completes_ratio", Double.valueOf(round.completes / bareCompletes))
              .put("claims_s", Double.valueOf(round.claims))
              .put("limit_claims_s", Double.valueOf(bareClaims))
              .put("claims_ratio", Double.valueOf(round.claims / bareClaims))
              .put("inbox_p50_ms", inbox.millisAt(0.5))
              .put("inbox_p99_ms", inbox.millisAt(WORST))
              .put("limit_inbox_p99_ms", bareInbox.millisAt(WORST))
              .put("inbox_ratio", bareInbox.millisAt(WORST) / inbox.millisAt(WORST));
      out.printf(
          "%n  %,.0f creates/s, %,.0f claims/s (limit %,.0f), %,.0f completes/s (limit %,.0f),"
              + " inbox page p99 %.2f ms (limit %.2f)%n%n",
          round.creates,
          round.claims,
          bareClaims,
          round.completes,
          bareCompletes,
          inbox.millisAt(WORST),
          bareInbox.millisAt(WORST));
      return figures;
    }
  }

  /** The units of one task that is answered without a claim. */
  private static Template sample(Engine engine, Probe probe) {
    probe.keep(true);
    var id = engine.instances().start(StartRequest.of("task"), CLERK).orThrow();
    Bookmark task =
        engine.instances().find(id, CLERK).orElseThrow().bookmarks().values().iterator().next();
    engine.tasks().complete(task.id(), DONE, CLERK).orThrow();
    engine.instances().awaitEnd(id, Duration.ofSeconds(30), CLERK);
    probe.keep(false);
    return Template.of(id, probe.kept());
  }

  /** Create, claim, complete; one after another, each by all workers. */
  private static final class Round {
    double creates;
    double claims;
    double completes;

    void run(Engine engine, int tasks) throws InterruptedException {
      creates = tasks / seconds(() -> create(engine, tasks));
      Queue<ClaimResult.Held> held = new ConcurrentLinkedQueue<>();
      AtomicInteger left = new AtomicInteger(tasks);
      claims =
          tasks
              / seconds(
                  () ->
                      all(
                          () -> {
                            ClaimRequest one =
                                ClaimRequest.lasting(LEASE).kinds(BookmarkKind.USER_ACTION);
                            while (left.getAndDecrement() > 0) {
                              held.addAll(engine.bookmarks().claim(one, CLERK));
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
                      all(
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

    private static void create(Engine engine, int tasks) throws InterruptedException {
      Semaphore room = new Semaphore(AT_ONCE);
      List<CompletableFuture<Answer>> all = new ArrayList<>();
      for (int i = 0; i < tasks; i++) {
        room.acquire();
        all.add(
            engine
                .instances()
                .startAsync(StartRequest.of("task"), CLERK)
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

  static void all(Crew.Work work) throws InterruptedException {
    Crew crew = new Crew();
    for (int i = 0; i < WORKERS; i++) {
      crew.add(Thread.ofPlatform().daemon().name("worker-" + i), work);
    }
    crew.start();
    crew.join();
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

  private static void inboxes(Duration time, Inbox inbox, Histogram into)
      throws InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    AtomicInteger next = new AtomicInteger();
    all(
        () -> {
          while (System.nanoTime() < end) {
            long begun = System.nanoTime();
            inbox.read(next.getAndIncrement());
            into.add(System.nanoTime() - begun);
          }
        });
  }
}
