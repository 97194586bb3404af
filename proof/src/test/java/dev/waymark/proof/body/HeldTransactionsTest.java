package dev.waymark.proof.body;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityContext;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import dev.waymark.proof.support.Soon;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Transactional bodies whose statements wait for rows that the application keeps locked. */
final class HeldTransactionsTest {

  private static final Caller MALLORY =
      Caller.of(new Actor("mallory", "umbrella", Set.of(), Set.of()));
  private static final Caller ALICE = Caller.of("alice");
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final String FLOW =
      """
      waymark: 1
      key: book
      start: book
      activities:
        book: { type: book, timeout: PT1S, retry: { attempts: 1 } }
      """;

  private final String url = PostgresServer.shared().url(PostgresServer.shared().newDatabase());

  @Test
  void a_body_whose_time_is_over_gives_its_connection_back_while_the_row_is_still_locked()
      throws Exception {
    execute("create table booking(id text primary key, who text)");
    execute("insert into booking values ('held', null), ('free', null)");
    try (Engine engine = engine();
        Connection holder = connect()) {
      holder.setAutoCommit(false);
      update(holder, "held", "the application");
      List<InstanceId> stuck = new ArrayList<>();
      for (int i = 0; i < PostgresOptions.DEFAULTS.bodies() + 1; i++) {
        stuck.add(start(engine, "held", MALLORY));
      }
      Soon.until(
          SOON,
          () ->
              stuck.stream()
                  .filter(run -> status(engine, run, MALLORY) == Status.SUSPENDED)
                  .count(),
          parked -> parked == stuck.size());
      Soon.until(SOON, () -> engine.load().hanging(), hanging -> hanging == 0);

      InstanceId sound = start(engine, "free", ALICE);

      assertThat(engine.instances().awaitEnd(sound, SOON, ALICE).status())
          .isEqualTo(Status.COMPLETED);
      holder.rollback();
    }
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        var rows = statement.executeQuery("select count(*) from booking where who is not null")) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getInt(1)).as("rows booked by bodies that count").isEqualTo(1);
    }
  }

  private Engine engine() {
    Engine engine =
        Engine.builder(
                PostgresStore.open(
                    url, PostgresServer.USER, PostgresServer.PASSWORD, PostgresOptions.DEFAULTS))
            .transactionalActivity("book", HeldTransactionsTest::book)
            .start();
    engine.definitions().deploy(FLOW, ALICE);
    engine.definitions().deploy(FLOW, MALLORY);
    return engine;
  }

  private static ActivityResult book(ActivityContext context, Connection connection)
      throws SQLException {
    update(connection, context.variable("id", String.class), "a run");
    return ActivityResult.completed();
  }

  private static InstanceId start(Engine engine, String id, Caller who) {
    return engine.instances().start(StartRequest.of("book").input(Map.of("id", id)), who).orThrow();
  }

  private static Status status(Engine engine, InstanceId run, Caller who) {
    return engine.instances().find(run, who).orElseThrow().status();
  }

  private static void update(Connection connection, String id, String who) throws SQLException {
    try (var statement = connection.prepareStatement("update booking set who = ? where id = ?")) {
      statement.setString(1, who);
      statement.setString(2, id);
      statement.executeUpdate();
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(url, PostgresServer.USER, PostgresServer.PASSWORD);
  }
}
