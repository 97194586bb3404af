package dev.waymark.proof.store.postgres;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.Leases.Claim;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.StoreException;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Everybody who may touch an instance, all at once on forty of them: six committers, two claimers,
 * and an application that holds rows in a transaction and then rolls it back.
 */
final class Stress {

  static final int INSTANCES = 40;
  private static final int COMMITTERS = 6;
  private static final int CLAIMERS = 2;
  private static final int UNITS_PER_BATCH = 12;
  private static final int CLAIMS_AT_ONCE = 8;
  private static final int ROWS_HELD = 3;
  private static final String DEADLOCK = "40P01";
  private static final Duration PAUSE = Duration.ofMillis(1);
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Some claims lapse at once and are taken over, others last until their bookmark is spent. */
  private static final List<Duration> LEASES = List.of(Duration.ofMillis(1), Duration.ofMillis(60));

  /** Holds the window of every claim open: it has its rows, but has not committed yet. */
  private static final Map<String, String> SLOW_CLAIMS =
      Map.of("select claimed.*,", "select claimed.*, pg_sleep(0.001) as pause,");

  private final Database database;
  private final Store store;
  private final boolean broken;
  private final NodeId node = new NodeId(UUID.randomUUID());
  private final Map<InstanceId, AtomicLong> versions = new LinkedHashMap<>();
  private final Map<BookmarkId, Long> claimed = new ConcurrentHashMap<>();
  private final Map<Attempt, Outcome> told = new ConcurrentHashMap<>();
  private final AtomicInteger takeovers = new AtomicInteger();
  private final AtomicInteger holds = new AtomicInteger();

  private Stress(Database database, Store store, boolean broken) {
    this.database = database;
    this.store = store;
    this.broken = broken;
  }

  static StressFigures run(Duration duration) throws Exception {
    return runBroken(duration, Map.of());
  }

  /**
   * The same with the store's statements broken on purpose, to see that the check notices.
   *
   * @param replacements what stands in for which part of a statement
   */
  static StressFigures runBroken(Duration duration, Map<String, String> replacements)
      throws Exception {
    Map<String, String> all = new HashMap<>(SLOW_CLAIMS);
    all.putAll(replacements);
    Database database = Database.withSchema();
    try (RewritingPool pool = new RewritingPool(database, all);
        Store store = PostgresStore.on(pool.source(), PostgresOptions.DEFAULTS)) {
      StressFigures figures =
          new Stress(database, store, !replacements.isEmpty()).figures(duration);
      if (!pool.unused().isEmpty()) {
        throw new IllegalStateException(
            "Expected statements with these parts, but none has them: " + pool.unused());
      }
      return figures;
    }
  }

  private StressFigures figures(Duration duration) throws Exception {
    start();
    press(duration);
    StressCheck check = StressCheck.of(database, told);
    return new StressFigures(
        told.values().stream()
            .collect(groupingBy(identity(), () -> new EnumMap<>(Outcome.class), counting())),
        takeovers.get(),
        holds.get(),
        check.halfSteps(),
        check.staleByRow(),
        check.staleByClaims(claimed));
  }

  private void start() {
    var unused = store.nodes().register(node, "test", Duration.ofHours(1));
    List<Attempt> starts = new ArrayList<>();
    for (int i = 0; i < INSTANCES; i++) {
      InstanceId id = Units.newId();
      versions.put(id, new AtomicLong());
      starts.add(new Attempt("start-" + i, id, 0, 0));
    }
    send(starts);
  }

  private void press(Duration duration) throws Exception {
    long end = System.nanoTime() + duration.toNanos();
    List<Future<?>> running = new ArrayList<>();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      for (int i = 0; i < COMMITTERS; i++) {
        String name = "committer-" + i;
        running.add(threads.submit(() -> commit(name, end)));
      }
      for (int i = 0; i < CLAIMERS; i++) {
        String name = "claimer-" + i;
        running.add(threads.submit(() -> claim(name, end)));
      }
      running.add(threads.submit(() -> hold(end)));
      for (Future<?> each : running) {
        each.get(duration.toSeconds() + PATIENCE.toSeconds(), TimeUnit.SECONDS);
      }
    }
  }

  private boolean commit(String name, long end) {
    Random random = new Random(name.hashCode());
    for (int i = 0; System.nanoTime() < end; i++) {
      List<Attempt> batch = new ArrayList<>();
      for (InstanceId id : some(1 + random.nextInt(UNITS_PER_BATCH), random)) {
        long version = versions.get(id).get();
        Long fence = claimed.get(new BookmarkId(id, version));
        if (fence != null) {
          batch.add(
              new Attempt("%s-%d-%s".formatted(name, i, id), id, version, believed(fence, random)));
        }
      }
      if (batch.isEmpty()) {
        LockSupport.parkNanos(PAUSE.toNanos());
      } else {
        send(batch);
      }
    }
    return true;
  }

  /** Some have not heard that their lease lapsed and another has it now. */
  private static long believed(long fence, Random random) {
    return fence > 1 && random.nextInt(4) == 0 ? fence - 1 : fence;
  }

  private void send(List<Attempt> batch) {
    Instant now = Instant.now().truncatedTo(ChronoUnit.MICROS);
    List<CommitResult> results =
        unlessBroken(
            () -> store.commit(node, batch.stream().map(attempt -> attempt.unit(now)).toList()),
            List.of());
    for (int i = 0; i < results.size(); i++) {
      Attempt attempt = batch.get(i);
      told.put(attempt, results.get(i).outcome());
      if (results.get(i).outcome() == Outcome.COMMITTED) {
        versions.get(attempt.instance()).accumulateAndGet(attempt.version(), Math::max);
      }
    }
  }

  private List<Claim> claim(String name, Duration lease) {
    return unlessBroken(
        () ->
            store
                .leases()
                .claim(Units.TENANT, BookmarkKind.USER_ACTION, name, lease, CLAIMS_AT_ONCE),
        List.of());
  }

  private void release(Claim claim) {
    var unused =
        unlessBroken(() -> store.leases().release(claim.bookmark(), claim.lease().fence()), false);
  }

  /**
   * Commits that lock nothing beforehand wait for others and deadlock with them, and any of them
   * may be the victim. That is one more thing that breaks, but not the one that is looked for.
   */
  private <T> T unlessBroken(Supplier<T> work, T instead) {
    try {
      return work.get();
    } catch (StoreException e) {
      if (broken) {
        return instead;
      }
      throw e;
    }
  }

  private boolean claim(String name, long end) {
    Random random = new Random(name.hashCode());
    while (System.nanoTime() < end) {
      Duration lease = LEASES.get(random.nextInt(LEASES.size()));
      List<Claim> claims = claim(name, lease);
      for (Claim claim : claims) {
        long fence = claim.lease().fence();
        claimed.merge(claim.bookmark(), fence, Math::max);
        if (fence > 1) {
          takeovers.incrementAndGet();
        }
      }
      for (Claim claim : claims) {
        if (random.nextInt(8) == 0) {
          release(claim);
        }
      }
    }
    return true;
  }

  private boolean hold(long end) throws SQLException {
    Random random = new Random(1);
    try (Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      while (System.nanoTime() < end) {
        try {
          lock(
              connection,
              "select 1 from wm_instance where id = any (?) order by id for update",
              random);
          lock(
              connection,
              "select 1 from wm_bookmark where state = 0 and instance_id = any (?)"
                  + " order by instance_id for update",
              random);
          LockSupport.parkNanos(Duration.ofMillis(50 + random.nextInt(150)).toNanos());
          holds.incrementAndGet();
        } catch (SQLException e) {
          if (!broken || !DEADLOCK.equals(e.getSQLState())) {
            throw e;
          }
        }
        connection.rollback();
      }
    }
    return true;
  }

  private void lock(Connection connection, String sql, Random random) throws SQLException {
    Object[] ids = some(ROWS_HELD, random).stream().map(InstanceId::value).toArray();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setArray(1, connection.createArrayOf("uuid", ids));
      statement.execute();
    }
  }

  private List<InstanceId> some(int count, Random random) {
    List<InstanceId> shuffled = new ArrayList<>(versions.keySet());
    Collections.shuffle(shuffled, random);
    return shuffled.subList(0, count);
  }
}
