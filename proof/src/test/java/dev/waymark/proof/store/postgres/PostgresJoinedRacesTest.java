package dev.waymark.proof.store.postgres;

import static dev.waymark.proof.store.postgres.Units.TASK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.step.Step.Spend.Guard;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.Leases.Claim;
import dev.waymark.engine.store.UnitRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Units that joined the transaction of an application and wait for their rows. */
class PostgresJoinedRacesTest extends PostgresRaces {

  @Test
  void a_joined_unit_waits_for_its_row_and_then_sees_that_it_has_moved() throws Exception {
    Future<CommitResult> waiting;
    try (Connection first = transaction()) {
      assertThat(store.commitOn(first, node, units.step(id, 1)).outcome())
          .isEqualTo(Outcome.COMMITTED);
      waiting = threads.submit(() -> joined(Connection.TRANSACTION_READ_COMMITTED));
      awaitWaiter();
      first.commit();
    }

    assertThat(waiting.get(10, TimeUnit.SECONDS).outcome()).isEqualTo(Outcome.STALE);
  }

  @Test
  void a_joined_unit_waits_for_its_row_and_goes_on_if_it_has_not_moved() throws Exception {
    Future<CommitResult> waiting;
    try (Connection first = transaction()) {
      assertThat(store.commitOn(first, node, units.step(id, 1)).outcome())
          .isEqualTo(Outcome.COMMITTED);
      waiting = threads.submit(() -> joined(Connection.TRANSACTION_READ_COMMITTED));
      awaitWaiter();
      first.rollback();
    }

    assertThat(waiting.get(10, TimeUnit.SECONDS).outcome()).isEqualTo(Outcome.COMMITTED);
  }

  @Test
  void a_joined_unit_spends_a_bookmark_whose_lease_was_extended_while_it_waited() throws Exception {
    Claim claim =
        store
            .leases()
            .claim("acme", BookmarkKind.USER_ACTION, "bob", Duration.ofHours(1), 1)
            .getFirst();
    UnitRows answer =
        units.step(
            id, 1, List.of(units.spend(TASK, Guard.FENCE, claim.lease().fence())), List.of());

    Future<CommitResult> waiting;
    try (Connection elsewhere = transaction()) {
      execute(
          elsewhere,
          "update wm_bookmark set extensions = extensions - 1"
              + " where instance_id = ? and holder is not null",
          id);
      waiting = threads.submit(() -> joined(Connection.TRANSACTION_READ_COMMITTED, answer));
      awaitWaiter();
      elsewhere.commit();
    }

    assertThat(waiting.get(10, TimeUnit.SECONDS)).isEqualTo(CommitResult.COMMITTED);
  }

  @Test
  void a_row_that_is_not_there_is_the_fault_of_its_unit_and_not_tried_for_ever() throws Exception {
    UnitRows ends = units.step(id, 1);
    try (Connection elsewhere = transaction()) {
      execute(elsewhere, "delete from wm_activity_instance where instance_id = ?", id);
      elsewhere.commit();
    }

    assertThat(outcome(ends)).isEqualTo(Outcome.FAILED);
    assertThat(joined(Connection.TRANSACTION_READ_COMMITTED, ends).outcome())
        .isEqualTo(Outcome.FAILED);
  }

  @Test
  void under_repeatable_read_a_lost_race_is_stale_too() throws Exception {
    Future<CommitResult> waiting;
    try (Connection first = transaction()) {
      assertThat(store.commitOn(first, node, units.step(id, 1)).outcome())
          .isEqualTo(Outcome.COMMITTED);
      waiting = threads.submit(() -> joined(Connection.TRANSACTION_REPEATABLE_READ));
      awaitWaiter();
      first.commit();
    }

    assertThat(waiting.get(10, TimeUnit.SECONDS).outcome()).isEqualTo(Outcome.STALE);
  }

  private CommitResult joined(int isolation) throws SQLException {
    return joined(isolation, units.step(id, 1));
  }

  private CommitResult joined(int isolation, UnitRows unit) throws SQLException {
    try (Connection connection = transaction()) {
      connection.setTransactionIsolation(isolation);
      CommitResult result = store.commitOn(connection, node, unit);
      connection.commit();
      return result;
    }
  }
}
