package dev.waymark.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.CrashPoints;
import dev.waymark.engine.Engine;
import dev.waymark.engine.Messages.Correlated;
import dev.waymark.engine.Overlap;
import dev.waymark.engine.Schedule;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.Task;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.store.Checker;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.postgres.PostgresOptions;
import dev.waymark.engine.store.postgres.PostgresStore;
import dev.waymark.testkit.PostgresServer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two nodes on one PostgreSQL. Tenant mallory does everything that hurts; tenant alice does work of
 * every kind, and all of it is done in time. How long mallory goes on is said by {@code
 * -Dstress.seconds=12}.
 */
@Timeout(value = 2, unit = TimeUnit.HOURS)
final class HostileTenantStressTest {

  private static final Duration STRESS =
      Duration.ofSeconds(Integer.getInteger("stress.seconds", 12));

  /** How long alice's last runs may take after mallory has stopped, and any run at any time. */
  private static final Duration IN_TIME = Duration.ofSeconds(20);

  private static final Caller MALLORY = caller("mallory");
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
  private final AtomicInteger hostilities = new AtomicInteger();

  private static Caller caller(String who) {
    return Caller.of(new Actor(who, who, Set.of("clerks"), Set.of()));
  }

  @Test
  void all_work_of_one_tenant_is_done_in_time_whatever_another_does() throws Exception {
    try (Store stored = open()) {
      try (Engine one = engine("one", new LostReplies());
          Engine two = engine("two", CrashPoints.NONE);
          ExecutorService threads = Executors.newCachedThreadPool()) {
        deploy(one, ALICE);
        deploy(one, MALLORY);
        List<Future<?>> hostile =
            List.of(
                threads.submit(() -> again(Duration.ofMillis(150), () -> plant(stored))),
                threads.submit(() -> again(Duration.ofMillis(100), this::holdLocks)),
                threads.submit(() -> again(Duration.ofMillis(50), () -> flood(two))));

        workFor(STRESS, one, two);
        over.countDown();
        for (Future<?> task : hostile) {
          task.get(IN_TIME.toSeconds(), TimeUnit.SECONDS);
        }
        finish(one, two);

        assertThat(heard).filteredOn("alice"::equals).hasSizeGreaterThanOrEqualTo(done.get());
        assertThat(hostilities.get()).as("hostile acts").isGreaterThan(50);
        assertThat(one.schedules().find("tick", ALICE).orElseThrow().started())
            .isGreaterThan(STRESS.toSeconds() / 4);
        // Each waits a while for bodies whose end cannot be written; together they wait once.
        threads.execute(one::close);
        threads.execute(two::close);
      }
      removeMallory(stored);
      assertThat(stored.checker().check(Checker.Options.live().replayingAll())).isEmpty();
    }
  }

  // ---- alice

  private static void deploy(Engine engine, Caller who) {
    engine.deploy(CHILD, who);
    engine.deploy(ORDER, who);
    engine.deploy(HANGING, who);
    engine
        .schedules()
        .put(
            Schedule.every("tick", Duration.ofSeconds(1), StartRequest.of("child"))
                .overlap(Overlap.ALLOW),
            who);
  }

  private void workFor(Duration time, Engine one, Engine two) throws InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    for (int i = 0; System.nanoTime() < end; i++) {
      Engine engine = i % 2 == 0 ? one : two;
      String who = "order-" + i;
      InstanceId run =
          engine.start(StartRequest.of("order").input(Map.of("who", who)), ALICE).orThrow();
      begun.put(run, System.nanoTime());
      engine.messages().correlate(Correlated.of("paid", who, Map.of(), "shop", who), ALICE);
      answer(i % 2 == 0 ? two : one, i);
      TimeUnit.MILLISECONDS.sleep(100);
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
    engine.signal("go", Map.of(), "shop", "go-" + round, ALICE);
    begun.forEach(
        (run, at) -> {
          Duration age = Duration.ofNanos(System.nanoTime() - at);
          assertThat(age).as("age of an order that is not done").isLessThan(IN_TIME);
          if (engine.find(run, ALICE).orElseThrow().status() == Status.COMPLETED) {
            begun.remove(run);
            done.incrementAndGet();
          }
        });
  }

  private void finish(Engine one, Engine two) throws InterruptedException {
    int runs = begun.size();
    long end = System.nanoTime() + IN_TIME.toNanos();
    for (int i = 1_000_000; !begun.isEmpty(); i++) {
      assertThat(System.nanoTime()).as("%d of %d orders left", begun.size(), runs).isLessThan(end);
      answer(i % 2 == 0 ? two : one, i);
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  // ---- mallory

  private interface Hostility {
    void act() throws Exception;
  }

  private Void again(Duration pause, Hostility hostility) throws Exception {
    while (!over.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
      try {
        hostility.act();
      } catch (SQLException | RuntimeException e) {
        // Of mallory's own acts some are refused.
      }
      hostilities.incrementAndGet();
    }
    return null;
  }

  /** Makes rows of one table unreadable. */
  private void plant(Store store) {
    List<UnreadableRowsTest.Planting> all = List.copyOf(UnreadableRowsTest.PLANTINGS.values());
    String sql = all.get(new Random().nextInt(all.size())).sql();
    store.inTransaction(
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, "mallory");
            return statement.executeUpdate();
          }
        });
  }

  /** An application that locks rows of its own runs and does not come back for a while. */
  private void holdLocks() throws SQLException, InterruptedException {
    try (Connection connection =
        DriverManager.getConnection(url, PostgresServer.USER, PostgresServer.PASSWORD)) {
      connection.setAutoCommit(false);
      for (String table : List.of("wm_instance", "wm_bookmark", "wm_inbox")) {
        try (PreparedStatement lock =
            connection.prepareStatement(
                "select 1 from " + table + " where tenant = 'mallory' for update")) {
          lock.execute();
        }
      }
      var unused = over.await(2, TimeUnit.SECONDS);
      connection.rollback();
    }
  }

  /** Runs whose bodies hang, whose documents are huge, and whose messages come by the hundred. */
  private void flood(Engine engine) {
    Caller impatient = MALLORY.withTimeout(Duration.ofSeconds(1));
    String huge = "x".repeat(1_000_000);
    for (StartRequest request :
        List.of(
            StartRequest.of("hanging"),
            StartRequest.of("order").input(Map.of("who", "mallory", "huge", huge)))) {
      var unused = engine.startAsync(request, impatient);
    }
    int number = hostilities.get();
    for (int i = 0; i < 5; i++) {
      var unused =
          engine
              .messages()
              .correlateAsync(
                  Correlated.of("paid", "mallory", Map.of(), "shop", number + "-" + i), impatient);
    }
  }

  /** Loses the connection before one commit in fifty, with an outcome that the node cannot know. */
  private static final class LostReplies implements CrashPoints {
    private final Random lots = new Random(1);

    @Override
    public void at(Point point) {
      if (point == Point.P3_BEFORE_COMMIT && lots.nextInt(50) == 0) {
        throw new StoreException(
            StoreException.Kind.UNKNOWN_OUTCOME, "cut by the test", new IOException());
      }
    }
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
              if ("mallory".equals(event.data().get("tenant"))) {
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

  /** The checker looks at all tenants, and mallory's rows are not sound. */
  private static void removeMallory(Store store) {
    List<String> statements = new ArrayList<>();
    for (String table : List.of("wm_activity_instance", "wm_history", "wm_outbox")) {
      statements.add(
          "delete from "
              + table
              + " where instance_id in (select id from wm_instance where tenant = 'mallory')");
    }
    for (String table :
        List.of(
            "wm_bookmark",
            "wm_bookmark_archive",
            "wm_inbox",
            "wm_schedule",
            "wm_label",
            "wm_key",
            "wm_candidate",
            "wm_turn",
            "wm_command",
            "wm_instance",
            "wm_definition")) {
      statements.add("delete from " + table + " where tenant = 'mallory'");
    }
    store.inTransaction(
        connection -> {
          for (String sql : statements) {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
              statement.executeUpdate();
            }
          }
          return null;
        });
  }
}
