package dev.waymark.tck.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Step.Spend.Guard;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.Load;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.tck.Rows;
import dev.waymark.tck.StoreContract;
import dev.waymark.tck.StoreFactory;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A unit that joins the transaction of its caller. */
public abstract class JoinedCommitContract extends StoreContract {

  private static final class Undo extends RuntimeException {}

  private final InstanceId id = Rows.newId();

  public JoinedCommitContract(StoreFactory stores) {
    super(stores);
  }

  @Test
  void a_joined_unit_is_there_when_the_caller_has_committed() {
    Outcome outcome = store.inTransaction(connection -> commitOn(connection, start(id)));

    assertThat(outcome).isEqualTo(Outcome.COMMITTED);
    assertThat(versionOf(id)).isEqualTo(1);
  }

  @Test
  void a_joined_unit_goes_when_the_caller_rolls_back() {
    Rows start =
        start(id).beginWaiting(1).task(1).event("sink", 0).label("a", "b").businessKey("k");

    assertThatExceptionOfType(Undo.class)
        .isThrownBy(
            () ->
                store.inTransaction(
                    connection -> {
                      assertThat(commitOn(connection, start)).isEqualTo(Outcome.COMMITTED);
                      throw new Undo();
                    }));

    assertThat(tables.rowsOf(id)).isEmpty();
    assertThat(outcome(start)).isEqualTo(Outcome.COMMITTED);
  }

  @Test
  void what_the_caller_writes_shares_the_fate_of_the_unit() {
    assertThatExceptionOfType(Undo.class)
        .isThrownBy(
            () ->
                store.inTransaction(
                    connection -> {
                      rename(connection, "renamed");
                      throw new Undo();
                    }));
    assertThat(store.nodes().list()).extracting(n -> n.name()).containsExactly("contract");

    var unused =
        store.inTransaction(
            connection -> {
              rename(connection, "renamed");
              return commitOn(connection, start(id));
            });
    assertThat(store.nodes().list()).extracting(n -> n.name()).containsExactly("renamed");
    assertThat(versionOf(id)).isEqualTo(1);
  }

  @Test
  void a_refused_unit_leaves_the_callers_transaction_usable() {
    InstanceId other = givenStarted();

    List<Outcome> outcomes =
        store.inTransaction(
            connection ->
                List.of(
                    commitOn(connection, step(other, 7)),
                    commitOn(connection, start(other)),
                    commitOn(connection, step(other, 1).task(1).spend(9, Guard.ANY, 0)),
                    commitOn(connection, start(id))));

    assertThat(outcomes)
        .containsExactly(Outcome.STALE, Outcome.EXISTS, Outcome.NOT_SPENDABLE, Outcome.COMMITTED);
    assertThat(versionOf(other)).isEqualTo(1);
    assertThat(load(other).bookmarks()).isEmpty();
    assertThat(versionOf(id)).isEqualTo(1);
  }

  @Test
  void a_unit_whose_rows_cannot_be_written_leaves_the_callers_transaction_usable() {
    InstanceId broken = Rows.newId();

    List<Outcome> outcomes =
        store.inTransaction(
            connection ->
                List.of(
                    commitOn(connection, start(broken).beginWaiting(1).beginWaiting(1)),
                    commitOn(connection, start(id))));

    assertThat(outcomes).containsExactly(Outcome.FAILED, Outcome.COMMITTED);
    assertThat(tables.rowsOf(broken)).isEmpty();
    assertThat(versionOf(id)).isEqualTo(1);
  }

  @Test
  void a_dead_node_joins_nothing_but_a_caller_without_a_node_does() {
    store.nodes().leave(node);

    Outcome outcome = store.inTransaction(connection -> commitOn(connection, start(id)));
    assertThat(outcome).isEqualTo(Outcome.NODE_NOT_ALIVE);
    assertThat(tables.rowsOf(id)).isEmpty();

    UnitRows unit = start(id).build();
    assertThat(store.inTransaction(c -> store.commitOn(c, null, unit)).outcome())
        .isEqualTo(Outcome.COMMITTED);
  }

  @Test
  void a_load_inside_the_transaction_sees_what_is_not_yet_committed() {
    long seen =
        store.inTransaction(
            connection -> {
              var unused = commitOn(connection, start(id).task(1));
              Load.Answer answer = store.loadOn(connection, Load.of(id));
              assertThat(answer.bookmarks()).hasSize(1);
              return Objects.requireNonNull(answer.instance()).version();
            });

    assertThat(seen).isEqualTo(1);
  }

  @Test
  void two_steps_of_one_instance_may_join_one_transaction() {
    var unused =
        store.inTransaction(
            connection -> {
              assertThat(commitOn(connection, start(id).task(1))).isEqualTo(Outcome.COMMITTED);
              return commitOn(connection, step(id, 1).spend(1, Guard.ANY, 0));
            });

    assertThat(versionOf(id)).isEqualTo(2);
    assertThat(load(id).bookmarks()).isEmpty();
  }

  @Test
  void a_connection_outside_of_any_transaction_is_refused() throws Exception {
    UnitRows unit = start(id).build();

    try (Connection strange = stores.strangeConnection()) {
      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(() -> store.commitOn(strange, node, unit))
          .withMessageContaining("transaction");
    }

    assertThat(tables.rowsOf(id)).isEqualTo(Map.of());
  }

  private Outcome commitOn(Connection connection, Rows rows) {
    return store.commitOn(connection, node, rows.build()).outcome();
  }

  private static void rename(Connection connection, String name) throws Exception {
    try (PreparedStatement statement = connection.prepareStatement("update wm_node set name = ?")) {
      statement.setString(1, name);
      assertThat(statement.executeUpdate()).isEqualTo(1);
    }
  }
}
