package dev.waymark.proof.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.EngineTransaction;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The application's rows and the engine's, in one transaction. */
final class TransactionTest {

  private static final Caller ALICE = Caller.of("alice");
  static final String FLOW =
      """
      waymark: 1
      key: flow
      start: book
      activities:
        book: { type: book, retry: { attempts: 1 } }
      """;

  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  static int bookings(WorkflowTestKit kit) {
    return kit.engine()
        .inTransaction(
            joined -> {
              try (Statement statement = joined.connection().createStatement();
                  ResultSet rows = statement.executeQuery("select count(*) from booking")) {
                rows.next();
                return rows.getInt(1);
              }
            });
  }

  static void createTable(WorkflowTestKit kit) {
    var unused =
        kit.engine()
            .inTransaction(
                joined -> {
                  execute(joined.connection(), "create table booking(id text)");
                  return true;
                });
  }

  @Test
  void a_transactional_activity_commits_with_its_step() {
    try (var kit =
        WorkflowTestKit.with(
            b ->
                b.transactionalActivity(
                    "book",
                    (context, connection) -> {
                      execute(connection, "insert into booking values ('b1')");
                      return ActivityResult.completed(Map.of("booked", true));
                    }))) {
      createTable(kit);
      kit.deploy(FLOW);

      Run run = kit.start("flow", Map.of());

      assertThat(run).isCompleted().hasVariable("booked", true);
      assertThat(bookings(kit)).isEqualTo(1);
    }
  }

  @Test
  void a_failing_transactional_activity_leaves_no_row() {
    AtomicInteger calls = new AtomicInteger();
    try (var kit =
        WorkflowTestKit.with(
            b ->
                b.transactionalActivity(
                    "book",
                    (context, connection) -> {
                      calls.incrementAndGet();
                      execute(connection, "insert into booking values ('b1')");
                      throw new IllegalStateException("sold out");
                    }))) {
      createTable(kit);
      kit.deploy(FLOW);

      Run run = kit.start("flow", Map.of());

      assertThat(run).isSuspended().isWaitingAt("book");
      assertThat(calls).hasValue(1);
      assertThat(bookings(kit)).isZero();
    }
  }

  @Test
  void a_start_joins_the_callers_transaction() {
    try (var kit = WorkflowTestKit.with(b -> b.activity("book", c -> ActivityResult.completed()))) {
      createTable(kit);
      kit.deploy(FLOW);

      Answer answer =
          kit.engine()
              .inTransaction(
                  joined -> {
                    execute(joined.connection(), "insert into booking values ('b1')");
                    return joined.start(StartRequest.of("flow"), ALICE);
                  });
      kit.runUntilIdle();

      assertThat(kit.run(answer.orThrow())).isCompleted();
      assertThat(bookings(kit)).isEqualTo(1);
    }
  }

  @Test
  void what_the_caller_rolls_back_never_was() {
    try (var kit = WorkflowTestKit.with(b -> b.activity("book", c -> ActivityResult.completed()))) {
      createTable(kit);
      kit.deploy(FLOW);

      assertThatThrownBy(
              () ->
                  kit.engine()
                      .inTransaction(
                          joined -> {
                            execute(joined.connection(), "insert into booking values ('b1')");
                            joined.start(StartRequest.of("flow"), ALICE).orThrow();
                            throw new IllegalStateException("changed my mind");
                          }))
          .hasMessageContaining("changed my mind");
      kit.runUntilIdle();

      assertThat(kit.engine().instances().list(InstanceQuery.ALL, ALICE)).isEmpty();
      assertThat(bookings(kit)).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_transaction_that_has_ended_writes_nothing_into_another(Stores stores) {
    VirtualClock clock = new VirtualClock();
    try (WorkflowTestKit kit =
        WorkflowTestKit.on(
            stores.create().open(clock),
            clock,
            builder -> builder.activity("book", body -> ActivityResult.completed()))) {
      kit.deploy(FLOW);
      EngineTransaction ended = kit.engine().inTransaction(joined -> joined);

      var unused =
          kit.engine()
              .inTransaction(
                  joined -> {
                    assertThatThrownBy(() -> ended.start(StartRequest.of("flow"), ALICE))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("transaction has ended");
                    return true;
                  });

      assertThat(kit.engine().instances().list(InstanceQuery.ALL, ALICE)).isEmpty();
    }
  }
}
