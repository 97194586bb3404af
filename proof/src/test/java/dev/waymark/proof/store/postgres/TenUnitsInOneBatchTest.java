package dev.waymark.proof.store.postgres;

import static dev.waymark.proof.store.postgres.Units.TASK;
import static dev.waymark.proof.store.postgres.Units.TIMER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.NodeId;
import dev.waymark.core.step.Step.Spend.Guard;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.engine.store.UnitRows.KeyRow;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.testkit.VirtualClock;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One batch that meets every gate: what passes commits whole, of the rest there is not one row. */
class TenUnitsInOneBatchTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final List<KeyRow> TAKEN_KEY = List.of(new KeyRow(0, "order-7"));
  private static final Message.Key ARRIVED = new Message.Key(Units.TENANT, "partner", "arrived");
  private static final Message.Key GONE = new Message.Key(Units.TENANT, "partner", "gone");

  private final InstanceId goodFence = Units.newId();
  private final InstanceId wrongFence = Units.newId();
  private final InstanceId stale = Units.newId();
  private final InstanceId held = Units.newId();
  private final InstanceId noLease = Units.newId();
  private final InstanceId notDue = Units.newId();
  private final InstanceId messageThere = Units.newId();
  private final InstanceId messageGone = Units.newId();
  private final InstanceId fresh = Units.newId();
  private final InstanceId keyTaken = Units.newId();

  private final VirtualClock clock = new VirtualClock();
  private final Units units = new Units(clock.instant());
  private final NodeId node = new NodeId(UUID.randomUUID());
  private final Database database = Database.withSchema();
  private final PostgresStore store = database.open(clock);

  @BeforeEach
  void given() {
    var unused = store.nodes().register(node, "test", HOUR);
    givenCommitted(units.start(goodFence), units.start(wrongFence));
    assertThat(store.leases().claim(Units.TENANT, BookmarkKind.USER_ACTION, "anna", HOUR, 9))
        .hasSize(2);
    givenCommitted(
        units.start(stale),
        units.start(held),
        units.start(noLease),
        units.start(notDue),
        units.start(messageThere),
        units.start(messageGone),
        units.start(Units.newId(), TAKEN_KEY));
    store
        .inbox()
        .receive(new MessageRow(ARRIVED, messageThere, "paid", null, "bob", clock.instant()));
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void each_commits_whole_or_leaves_no_row() throws SQLException {
    Map<UnitRows, Outcome> expected = new LinkedHashMap<>();
    expected.put(spending(goodFence, TASK, Guard.FENCE, 1), Outcome.COMMITTED);
    expected.put(spending(wrongFence, TASK, Guard.FENCE, 9), Outcome.NOT_SPENDABLE);
    expected.put(units.step(stale, 4), Outcome.STALE);
    expected.put(units.step(held, 1), Outcome.BUSY);
    expected.put(spending(noLease, TASK, Guard.FREE, 0), Outcome.COMMITTED);
    expected.put(spending(notDue, TIMER, Guard.DUE, 0), Outcome.NOT_SPENDABLE);
    expected.put(receiving(messageThere, ARRIVED), Outcome.COMMITTED);
    expected.put(receiving(messageGone, GONE), Outcome.NOT_SPENDABLE);
    expected.put(units.start(fresh), Outcome.COMMITTED);
    expected.put(units.start(keyTaken, TAKEN_KEY), Outcome.EXISTS);

    List<CommitResult> results;
    try (Connection elsewhere = database.connect()) {
      lockInstance(elsewhere, held);
      results = store.commit(node, List.copyOf(expected.keySet()));
    }

    assertThat(results)
        .extracting(CommitResult::outcome)
        .containsExactlyElementsOf(expected.values());
    assertThat(versionsOf(goodFence)).containsOnly(2L);
    assertThat(versionsOf(wrongFence)).containsOnly(1L);
    assertThat(versionsOf(stale)).containsOnly(1L);
    assertThat(versionsOf(held)).containsOnly(1L);
    assertThat(versionsOf(noLease)).containsOnly(2L);
    assertThat(versionsOf(notDue)).containsOnly(1L);
    assertThat(versionsOf(messageThere)).containsOnly(2L);
    assertThat(versionsOf(messageGone)).containsOnly(1L);
    assertThat(versionsOf(fresh)).containsOnly(1L);
    assertThat(versionsOf(keyTaken)).containsOnly(0L);
  }

  private UnitRows spending(InstanceId id, long tag, Guard guard, long fence) {
    return units.step(id, 1, List.of(units.spend(tag, guard, fence)), List.of());
  }

  private UnitRows receiving(InstanceId id, Message.Key message) {
    return units.step(id, 1, List.of(units.spend(TASK, Guard.ANY, 0)), List.of(message));
  }

  private void givenCommitted(UnitRows... given) {
    assertThat(store.commit(node, List.of(given)))
        .extracting(CommitResult::outcome)
        .containsOnly(Outcome.COMMITTED);
  }

  private static void lockInstance(Connection connection, InstanceId id) throws SQLException {
    connection.setAutoCommit(false);
    try (PreparedStatement statement =
        connection.prepareStatement("select 1 from wm_instance where id = ? for update")) {
      statement.setObject(1, id.value());
      statement.execute();
    }
  }

  /** The newest version in each table that every unit of this test writes to; 0 for no row. */
  private List<Long> versionsOf(InstanceId id) throws SQLException {
    String newest =
        """
        select coalesce((select version from wm_instance where id = x.id), 0),
               coalesce((select max(visit) from wm_activity_instance where instance_id = x.id), 0),
               coalesce((select max(version) from wm_history where instance_id = x.id), 0),
               coalesce((select max(version) from wm_outbox where instance_id = x.id), 0)
          from (select cast(? as uuid) as id) x
        """;
    try (Connection connection = database.connect();
        PreparedStatement statement = connection.prepareStatement(newest)) {
      statement.setObject(1, id.value());
      try (ResultSet row = statement.executeQuery()) {
        assertThat(row.next()).isTrue();
        return List.of(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4));
      }
    }
  }
}
