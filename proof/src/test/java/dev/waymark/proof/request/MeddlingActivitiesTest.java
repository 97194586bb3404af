package dev.waymark.proof.request;

import static dev.waymark.proof.request.TransactionTest.FLOW;
import static dev.waymark.proof.request.TransactionTest.bookings;
import static dev.waymark.proof.request.TransactionTest.createTable;
import static dev.waymark.proof.request.TransactionTest.execute;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.instance.Fault;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Transactional activities that meddle with the transaction of their step. */
final class MeddlingActivitiesTest {

  private static Fault fault(Run run) {
    return requireNonNull(
        run.instance().activities().values().iterator().next().fault(), "the fault of the visit");
  }

  /** The use that a body makes of the connection besides writing its rows. */
  private interface Meddling {
    void with(Connection connection) throws SQLException;
  }

  private static WorkflowTestKit meddling(Stores stores, AtomicInteger calls, Meddling meddling) {
    WorkflowTestKit kit =
        stores
            .create()
            .process(
                new VirtualClock(),
                b ->
                    b.transactionalActivity(
                        "book",
                        (context, connection) -> {
                          calls.incrementAndGet();
                          execute(connection, "insert into booking values ('b1')");
                          meddling.with(connection);
                          return ActivityResult.completed();
                        }));
    createTable(kit);
    kit.deploy(FLOW);
    return kit;
  }

  @ParameterizedTest
  @EnumSource
  void a_transactional_activity_cannot_end_its_transaction(Stores stores) {
    Map<String, Meddling> ends =
        Map.of(
            "commit",
            Connection::commit,
            "rollback",
            Connection::rollback,
            "abort",
            connection -> connection.abort(Runnable::run),
            "setAutoCommit",
            connection -> connection.setAutoCommit(true));
    ends.forEach(
        (name, end) -> {
          try (WorkflowTestKit kit = meddling(stores, new AtomicInteger(), end)) {
            Run run = kit.start("flow", Map.of());

            assertThat(run).isSuspended().isWaitingAt("book");
            assertThat(fault(run).message())
                .isEqualTo(
                    "Expected inTransaction to end its transaction, but the work called " + name);
            assertThat(bookings(kit)).isZero();
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void sql_text_that_would_end_the_transaction_is_refused(Stores stores) {
    Map<String, Meddling> ends =
        Map.of(
            "commit",
            connection -> execute(connection, "commit"),
            "-- done\n ROLLBACK work",
            connection -> execute(connection, "-- done\n ROLLBACK work"),
            "end transaction",
            connection -> connection.prepareStatement("end transaction").execute());
    ends.forEach(
        (text, end) -> {
          try (WorkflowTestKit kit = meddling(stores, new AtomicInteger(), end)) {
            Run run = kit.start("flow", Map.of());

            assertThat(run).isSuspended().isWaitingAt("book");
            assertThat(fault(run).message())
                .isEqualTo(
                    "Expected inTransaction to end its transaction, but the work executes '%s'"
                        .formatted(text));
            assertThat(bookings(kit)).isZero();
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void a_transactional_activity_may_close_its_connection_and_use_savepoints(Stores stores) {
    Meddling harmless =
        connection -> {
          Savepoint savepoint = connection.setSavepoint();
          execute(connection, "insert into booking values ('b2')");
          connection.rollback(savepoint);
          execute(connection, "savepoint ending");
          execute(connection, "rollback to ending");
          connection.setAutoCommit(false);
          connection.close();
        };
    try (WorkflowTestKit kit = meddling(stores, new AtomicInteger(), harmless)) {
      assertThat(kit.start("flow", Map.of())).isCompleted();
      assertThat(bookings(kit)).isEqualTo(1);
    }
  }

  @Test
  void a_transaction_that_was_left_read_only_or_aborted_is_a_failure_of_its_attempt() {
    for (Meddling spoils :
        List.<Meddling>of(
            connection -> execute(connection, "set transaction read only"),
            connection ->
                assertThatThrownBy(() -> execute(connection, "insert into nowhere values (1)"))
                    .isInstanceOf(SQLException.class))) {
      AtomicInteger calls = new AtomicInteger();
      try (WorkflowTestKit kit = meddling(Stores.POSTGRES, calls, spoils)) {
        Run run = kit.start("flow", Map.of());
        kit.advance(Duration.ofMinutes(1));

        assertThat(run).isSuspended().isWaitingAt("book");
        assertThat(fault(run).code()).isEqualTo("NOT_STORABLE");
        assertThat(calls).hasValue(1);
        assertThat(bookings(kit)).isZero();
      }
    }
  }
}
