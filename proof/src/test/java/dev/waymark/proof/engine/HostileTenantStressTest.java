package dev.waymark.proof.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.message.Messages.Correlated;
import dev.waymark.engine.schedule.Overlap;
import dev.waymark.engine.schedule.Schedule;
import dev.waymark.engine.spi.CrashPoints;
import dev.waymark.engine.store.Checker;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.task.Task;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import dev.waymark.proof.support.Soon;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two nodes on one PostgreSQL. Tenants mallory and trudy do everything that hurts, and mallory's
 * rows become unreadable besides; tenant alice does work of every kind, and all of it is done in
 * time. How long they go on is said by {@code -Dstress.seconds=12}, and what they draw by {@code
 * -Dseed=}.
 */
@Timeout(value = 2, unit = TimeUnit.HOURS)
final class HostileTenantStressTest {

  private static final Duration STRESS =
      Duration.ofSeconds(Integer.getInteger("stress.seconds", 12));

  /** How long alice's last runs may take after mallory has stopped, and any run at any time. */
  private static final Duration IN_TIME = Duration.ofSeconds(20);

  /** How often alice looks at her work. */
  private static final Duration TURN = Duration.ofMillis(100);

  private static final Caller MALLORY = caller("mallory");
  private static final Caller TRUDY = caller("trudy");
  private static final Caller ALICE = caller("alice");

  private static final String ORDER =
      """
      waymark: 1
      key: order
      start: work
      activities:
        work: { type: work, next: pause }
        pause: { type: timer, with: { after: PT1S }, next: tell }
        tell: { type: emit, with: { type: told, data: { } }, next: paid }
        paid:
          type: wait
          with: { for: external-message, key: paid, correlate: "${ Variables.who }" }
          next: child
        child: { type: sub-workflow, with: { definition: child }, next: task }
        task: { type: user-task, with: { candidates: ["group:clerks"] }, next: agree }
        agree: { type: approval, with: { approvers: [alice] }, next: go }
        go: { type: wait, with: { for: signal, key: go } }
      """;

  private static final String CHILD =
      """
      waymark: 1
      key: child
      start: nap
      activities:
        nap: { type: timer, with: { after: PT0.2S } }
      """;

  private static final String HANGING =
      """
      waymark: 1
      key: hanging
      start: hang
      activities:
        hang: { type: hang }
      """;

  private final String url = PostgresServer.shared().url(PostgresServer.shared().newDatabase());
  private final CountDownLatch over = new CountDownLatch(1);
  private final Map<InstanceId, Long> begun = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<String> heard = new ConcurrentLinkedQueue<>();
  private final AtomicInteger done = new AtomicInteger();
  private final long seed = Long.getLong("seed", System.nanoTime());
  private final SpoiledRuns spoiled = new SpoiledRuns(seed);
  private final HostileActs hostility = new HostileActs(url, over, MALLORY, TRUDY);

  private static Caller caller(String who) {
    return Caller.of(new Actor(who, who, Set.of("clerks"), Set.of()));
  }

  @Test
  void all_work_of_one_tenant_is_done_in_time_whatever_another_does() throws Exception {
    System.out.println("HostileTenantStressTest -Dseed=" + seed);
    try (Store stored = open()) {
      try (Engine one = engine("one", new LostReplies(seed));
          Engine two = engine("two", CrashPoints.NONE);
          ExecutorService threads = Executors.newCachedThreadPool()) {
        deploy(one, ALICE);
        deploy(one, MALLORY);
        deploy(one, TRUDY);
        List<Future<?>> hostile =
            List.of(
                threads.submit(
                    () ->
                        hostility.again(
                            Duration.ofMillis(150), () -> hostility.plant(spoiled, stored))),
                threads.submit(() -> hostility.again(Duration.ofMillis(100), hostility::holdLocks)),
                threads.submit(
                    () -> hostility.again(Duration.ofMillis(50), () -> hostility.flood(two))));

        workFor(STRESS, one, two);
        over.countDown();
        for (Future<?> task : hostile) {
          task.get(IN_TIME.toSeconds(), TimeUnit.SECONDS);
        }
        finish(one, two);

        assertThat(heard).filteredOn("alice"::equals).hasSizeGreaterThanOrEqualTo(done.get());
        int few = (int) STRESS.toSeconds() / 4;
        Map<String, Integer> acts = hostility.carriedOut();
        System.out.println("Hostile acts that were carried out: " + acts);
        assertThat(acts.keySet()).contains("planted", "locked", "run", "message");
        acts.forEach((kind, times) -> assertThat(times).as(kind).isGreaterThanOrEqualTo(few));
        assertThat(one.schedules().find("tick", ALICE).orElseThrow().started())
            .isGreaterThan(STRESS.toSeconds() / 4);
        // Each waits a while for bodies whose end cannot be written; together they wait once.
        threads.execute(one::close);
        threads.execute(two::close);
      }
      int left = spoiled.setAside(stored);
      System.out.printf(
          "The checker leaves out %,d runs of mallory with spoiled rows, or their children; %,d"
              + " runs are checked%n",
          spoiled.size(), left);
      assertThat(count(stored, "trudy")).as("hostile runs that are checked").isPositive();
      assertThat(stored.checker().check(Checker.Options.live().replayingAll())).isEmpty();
    }
  }

  // ---- alice

  private static void deploy(Engine engine, Caller who) {
    engine.definitions().deploy(CHILD, who);
    engine.definitions().deploy(ORDER, who);
    engine.definitions().deploy(HANGING, who);
    engine
        .schedules()
        .put(
            Schedule.every("tick", Duration.ofSeconds(1), StartRequest.of("child"))
                .overlap(Overlap.ALLOW),
            who);
  }

  private void workFor(Duration time, Engine one, Engine two) {
    long end = System.nanoTime() + time.toNanos();
    for (int i = 0; System.nanoTime() < end; i++) {
      long turn = System.nanoTime() + TURN.toNanos();
      Engine engine = i % 2 == 0 ? one : two;
      String who = "order-" + i;
      InstanceId run =
          engine
              .instances()
              .start(StartRequest.of("order").input(Map.of("who", who)), ALICE)
              .orThrow();
      begun.put(run, System.nanoTime());
      engine.messages().correlate(Correlated.of("paid", who, Map.of(), "shop", who), ALICE);
      answer(i % 2 == 0 ? two : one, i);
      LockSupport.parkNanos(turn - System.nanoTime());
    }
  }

  /** Does the tasks, decides the approvals, and gives the signal that orders wait for last. */
  private void answer(Engine engine, int round) {
    for (Task task : engine.tasks().inbox(50, ALICE).tasks()) {
      if (task.bookmark().kind() == BookmarkKind.APPROVAL) {
        engine.approvals().approve(task.bookmark().id(), "fine", ALICE);
      } else {
        engine.tasks().complete(task.bookmark().id(), Map.of(), ALICE);
      }
    }
    engine.messages().signal("go", Map.of(), "shop", "go-" + round, ALICE);
    begun.forEach(
        (run, at) -> {
          Duration age = Duration.ofNanos(System.nanoTime() - at);
          assertThat(age).as("age of an order that is not done").isLessThan(IN_TIME);
          if (engine.instances().find(run, ALICE).orElseThrow().status() == Status.COMPLETED) {
            begun.remove(run);
            done.incrementAndGet();
          }
        });
  }

  private void finish(Engine one, Engine two) throws Exception {
    AtomicInteger round = new AtomicInteger(1_000_000);
    Soon.until(
        IN_TIME,
        () -> {
          int i = round.getAndIncrement();
          answer(i % 2 == 0 ? two : one, i);
          return begun.size();
        },
        left -> left == 0);
  }

  // ---- nodes

  private Store open() {
    return PostgresStore.open(
        url, PostgresServer.USER, PostgresServer.PASSWORD, PostgresOptions.DEFAULTS);
  }

  private Engine engine(String name, CrashPoints crash) {
    return Engine.builder(open())
        .name(name)
        .crashPoints(crash)
        .subscribe(
            "ledger",
            type -> type.contains("told"),
            event -> heard.add(String.valueOf(event.data().get("tenant"))))
        .subscribe(
            "hanging",
            type -> type.contains("told"),
            event -> {
              if (!"alice".equals(event.data().get("tenant"))) {
                var unused = over.await(IN_TIME.toSeconds(), TimeUnit.SECONDS);
              }
            })
        .activity("work", context -> ActivityResult.completed())
        .activity(
            "hang",
            context -> {
              over.await();
              return ActivityResult.completed();
            })
        .start();
  }

  private static int count(Store store, String tenant) {
    return store.inTransaction(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement("select count(*) from wm_instance where tenant = ?")) {
            statement.setString(1, tenant);
            try (ResultSet rows = statement.executeQuery()) {
              rows.next();
              return rows.getInt(1);
            }
          }
        });
  }
}
