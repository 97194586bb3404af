package dev.waymark.proof.body;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityContext;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.store.Store;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import dev.waymark.proof.support.Soon;
import dev.waymark.sqlite.SqliteStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A transactional body whose statement never comes to an end. */
final class EndlessStatementsTest {

  private static final Caller ALICE = Caller.of("alice");
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final String FLOW =
      """
      waymark: 1
      key: count
      start: count
      activities:
        count: { type: count, timeout: PT1S, retry: { attempts: 1 } }
      """;

  @Test
  void sqlite_stops_it_when_the_body_is_out_of_time(@TempDir Path folder) throws Exception {
    assertStopped(SqliteStore.open(folder.resolve("waymark.db")));
  }

  @Test
  void postgres_stops_it_when_the_body_is_out_of_time() throws Exception {
    PostgresServer server = PostgresServer.shared();
    assertStopped(
        PostgresStore.open(
            server.url(server.newDatabase()),
            PostgresServer.USER,
            PostgresServer.PASSWORD,
            PostgresOptions.DEFAULTS));
  }

  private static void assertStopped(Store store) throws Exception {
    try (Engine engine =
        Engine.builder(store)
            .transactionalActivity("count", EndlessStatementsTest::count)
            .start()) {
      engine.definitions().deploy(FLOW, ALICE);
      InstanceId endless = start(engine, "select count(*) from n");

      Soon.until(
          SOON,
          () -> engine.instances().find(endless, ALICE).orElseThrow().status(),
          Status.SUSPENDED::equals);
      Soon.until(SOON, () -> engine.load().hanging(), hanging -> hanging == 0);
      InstanceId other = start(engine, "select 1");
      assertThat(engine.instances().awaitEnd(other, SOON, ALICE).status())
          .isEqualTo(Status.COMPLETED);
    }
  }

  private static InstanceId start(Engine engine, String question) {
    return engine
        .instances()
        .start(StartRequest.of("count").input(Map.of("question", question)), ALICE)
        .orThrow();
  }

  private static ActivityResult count(ActivityContext context, Connection connection)
      throws SQLException {
    String numbers = "with recursive n(i) as (select 1 union all select i + 1 from n) ";
    try (Statement statement = connection.createStatement()) {
      statement.executeQuery(numbers + context.variable("question", String.class)).close();
    }
    return ActivityResult.completed();
  }
}
