package dev.waymark.proof.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.engine.Caller;
import dev.waymark.engine.bookmark.Bookmarks;
import dev.waymark.engine.bookmark.ClaimResult;
import dev.waymark.engine.store.Checker;
import dev.waymark.engine.store.Store;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.support.Soon;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A claim whose connection is cut while its commit is under way, and whose commit the server
 * carries out later. On PostgreSQL only: SQLite commits in the process of its caller.
 */
class LateClaimsTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Caller ANNA = Caller.of("anna");
  private static final Caller BOB = Caller.of("bob");

  private static final String FLOW =
      """
      waymark: 1
      key: flow
      start: do
      activities:
        do: { type: user-task }
      """;

  private final VirtualClock clock = new VirtualClock();
  private final Database database = Database.withSchema();
  private final AtomicBoolean armed = new AtomicBoolean();
  private final AtomicBoolean answered = new AtomicBoolean();
  private final CompletableFuture<Boolean> carriedOut = new CompletableFuture<>();

  @Test
  @Timeout(60)
  void a_claim_that_is_committed_late_is_told_or_given_back() throws Exception {
    Store store = PostgresStore.on(source(), Database.options(clock));
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(FLOW);
      kit.start("flow", Map.of());
      Bookmarks bookmarks = kit.engine().bookmarks();
      armed.set(true);

      Optional<ClaimResult.Held> told = bookmarks.claimNext(HOUR, ANNA);
      answered.set(true);
      assertThat(carriedOut.get(30, TimeUnit.SECONDS)).isTrue();

      assertThat(told.or(() -> bookmarks.claimNext(HOUR, BOB))).isPresent();
      assertThat(store.checker().check(Checker.Options.live().replayingAll())).isEmpty();
    }
  }

  private DataSource source() {
    return (DataSource)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {DataSource.class},
            (self, method, arguments) -> cuttable(database.connect()));
  }

  /** A connection that is cut when it commits, if that is armed. */
  private Connection cuttable(Connection real) {
    AtomicBoolean cut = new AtomicBoolean();
    return (Connection)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Connection.class},
            (self, method, arguments) -> {
              if (method.getName().equals("commit") && armed.compareAndSet(true, false)) {
                cut.set(true);
                Thread.ofPlatform().start(() -> commitLater(real));
              }
              if (cut.get()) {
                if (method.getName().equals("isClosed")) {
                  return true;
                }
                throw new SQLException("The test cut the connection", "08006");
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Commits once the node waits for the claim to end, or has told its caller. */
  private void commitLater(Connection real) {
    try (real;
        Connection onlooker = database.connect()) {
      var unused =
          Soon.until(
              Duration.ofSeconds(30),
              () -> answered.get() || isAnyoneWaiting(onlooker),
              ready -> ready);
      real.commit();
      carriedOut.complete(true);
    } catch (Exception | Error e) {
      carriedOut.completeExceptionally(e);
    }
  }

  private static boolean isAnyoneWaiting(Connection onlooker) throws SQLException {
    try (Statement statement = onlooker.createStatement();
        ResultSet rows =
            statement.executeQuery(
                """
                select count(*)
                  from pg_stat_activity
                 where datname = current_database()
                   and wait_event_type = 'Lock'
                """)) {
      rows.next();
      return rows.getInt(1) > 0;
    }
  }
}
