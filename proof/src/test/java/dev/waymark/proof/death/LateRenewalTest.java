package dev.waymark.proof.death;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.Settings;
import dev.waymark.engine.StartRequest;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A node whose renewal waits for its row, because an application holds it. */
final class LateRenewalTest {

  private static final Caller ALICE = Caller.of("alice");
  private static final Duration NAP = Duration.ofSeconds(2);
  private static final Settings RENEWING_OFTEN =
      new Settings(
          Duration.ofSeconds(15),
          Duration.ofMillis(200),
          Duration.ofSeconds(1),
          Duration.ofSeconds(1),
          Duration.ofSeconds(30),
          Duration.ofMinutes(10),
          Duration.ofMillis(20),
          100,
          1_000,
          Duration.ofSeconds(30),
          Settings.DEFAULT.suspectAfter(),
          Settings.DEFAULT.unusedPayloads(),
          Settings.DEFAULT.largestPayload(),
          false);

  @Test
  void its_timers_are_not_early_and_its_signals_reach_all_who_wait() throws Exception {
    String url = PostgresServer.shared().url(PostgresServer.shared().newDatabase());
    try (Engine a = engine("a", url, RENEWING_OFTEN);
        Engine b = engine("b", url, Settings.DEFAULT)) {
      a.definitions()
          .deploy(
              """
              waymark: 1
              key: nap
              start: t
              activities:
                t: { type: timer, with: { after: PT2S } }
              """,
              ALICE);
      a.definitions()
          .deploy(
              """
              waymark: 1
              key: bell
              start: s
              activities:
                s: { type: wait, with: { for: signal, key: bell } }
              """,
              ALICE);
      letTheRenewalWait(url);

      InstanceId waits = b.instances().start(StartRequest.of("bell"), ALICE).orThrow();
      assertThat(b.instances().find(waits, ALICE).orElseThrow().bookmarks()).hasSize(1);
      a.messages().signal("bell", Map.of(), "test", "1", ALICE);
      long started = System.nanoTime();
      InstanceId nap = a.instances().start(StartRequest.of("nap"), ALICE).orThrow();

      assertThat(b.instances().awaitEnd(nap, Duration.ofSeconds(20), ALICE).status())
          .isEqualTo(Status.COMPLETED);
      assertThat(Duration.ofNanos(System.nanoTime() - started)).isGreaterThanOrEqualTo(NAP);
      assertThat(b.instances().awaitEnd(waits, Duration.ofSeconds(20), ALICE).status())
          .isEqualTo(Status.COMPLETED);
    }
  }

  /** Holds a's row until its renewal has waited for longer than the clocks may be apart. */
  private static void letTheRenewalWait(String url) throws SQLException {
    try (Connection application = connect(url);
        Connection observer = connect(url);
        Statement statement = application.createStatement()) {
      application.setAutoCommit(false);
      statement.execute("select 1 from wm_node where name = 'a' for update");
      while (!waits(observer)) {
        Thread.onSpinWait();
      }
      statement.execute("select pg_sleep(2.5)");
      application.rollback();
      while (waits(observer)) {
        Thread.onSpinWait();
      }
    }
  }

  private static boolean waits(Connection observer) throws SQLException {
    try (Statement statement = observer.createStatement();
        ResultSet found =
            statement.executeQuery(
                """
                select 1
                  from pg_stat_activity
                 where datname = current_database()
                   and wait_event_type = 'Lock'
                   and query like '%renewed as%'
                """)) {
      return found.next();
    }
  }

  private static Connection connect(String url) throws SQLException {
    return DriverManager.getConnection(url, PostgresServer.USER, PostgresServer.PASSWORD);
  }

  private static Engine engine(String name, String url, Settings settings) {
    return Engine.builder(
            PostgresStore.open(
                url, PostgresServer.USER, PostgresServer.PASSWORD, PostgresOptions.DEFAULTS))
        .name(name)
        .settings(settings)
        .start();
  }
}
