package dev.waymark.proof.store.postgres;

import static dev.waymark.proof.store.postgres.Units.TASK;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Lease;
import dev.waymark.core.instance.NodeId;
import dev.waymark.core.step.Step.Spend.Guard;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.Leases.Claim;
import dev.waymark.engine.store.Leases.Look;
import dev.waymark.engine.store.Leases.One;
import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.engine.store.UnitRows.KeyRow;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.testkit.VirtualClock;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What only a database with many writers can do to a unit. Each window is held open on purpose. */
class PostgresRacesTest {

  private final VirtualClock clock = new VirtualClock();
  private final Units units = new Units(clock.instant());
  private final NodeId node = new NodeId(UUID.randomUUID());
  private final InstanceId id = Units.newId();
  private final Database database = Database.withSchema();
  private final PostgresStore store = database.open(clock);
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @BeforeEach
  void given() {
    var unused = store.nodes().register(node, "test", Duration.ofHours(1));
    assertThat(outcome(units.start(id))).isEqualTo(Outcome.COMMITTED);
  }

  @AfterEach
  void close() {
    threads.shutdownNow();
    store.close();
  }

  @Test
  void a_bookmark_that_somebody_else_has_locked_makes_the_unit_busy() throws SQLException {
    UnitRows step = units.step(id, 1, List.of(units.spend(TASK, Guard.ANY, 0)), List.of());

    try (Connection elsewhere = transaction()) {
      execute(elsewhere, "select 1 from wm_bookmark where instance_id = ? for update", id);
      assertThat(outcome(step)).isEqualTo(Outcome.BUSY);
      elsewhere.rollback();
    }
    assertThat(outcome(step)).isEqualTo(Outcome.COMMITTED);
  }

  @Test
  void a_holder_whose_bookmark_is_locked_for_a_while_waits_and_is_not_refused() throws Exception {
    Claim claim =
        store
            .leases()
            .claim("acme", BookmarkKind.USER_ACTION, "bob", Duration.ofHours(1), 1)
            .getFirst();

    Future<Boolean> released;
    try (Connection elsewhere = transaction()) {
      execute(elsewhere, "select 1 from wm_bookmark where instance_id = ? for update", id);
      released =
          threads.submit(() -> store.leases().release(claim.bookmark(), claim.lease().fence()));
      // Its statement gives up after 250 ms; the one seen waiting then is its second.
      String first = waiter();
      String second = first;
      while (second.equals(first)) {
        second = waiter();
      }
      elsewhere.rollback();
    }

    assertThat(released.get(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void a_bookmark_that_becomes_free_while_one_waits_to_claim_it_is_claimed() throws Exception {
    Claim bobs =
        store
            .leases()
            .claim("acme", BookmarkKind.USER_ACTION, "bob", Duration.ofHours(1), 1)
            .getFirst();

    Future<Look> look;
    try (Connection elsewhere = transaction()) {
      execute(
          elsewhere,
          "update wm_bookmark set holder = null, lease_until = null where instance_id = ?",
          id);
      look = threads.submit(() -> claimed(bobs.bookmark()));
      awaitWaiter();
      elsewhere.commit();
    }

    Look seen = look.get(10, TimeUnit.SECONDS);
    assertThat(seen.held()).isFalse();
    assertThat(seen.granted())
        .isEqualTo(new Lease("carol", 2, clock.instant().plus(Duration.ofHours(1))));
  }

  @Test
  void of_those_who_want_one_locked_bookmark_only_one_waits_in_the_database() throws Exception {
    BookmarkId task = new BookmarkId(id, TASK);
    CountDownLatch asking = new CountDownLatch(6);
    List<Future<Look>> looks = new ArrayList<>();
    int most = 0;
    try (Connection elsewhere = transaction()) {
      execute(elsewhere, "select 1 from wm_bookmark where instance_id = ? for update", id);
      for (int i = 0; i < 6; i++) {
        looks.add(
            threads.submit(
                () -> {
                  asking.countDown();
                  return claimed(task);
                }));
      }
      asking.await();
      for (int i = 0; i < 100; i++) {
        most = Math.max(most, waiters());
      }
      elsewhere.rollback();
    }

    assertThat(most).isEqualTo(1);
    for (Future<Look> look : looks) {
      Look seen = look.get(10, TimeUnit.SECONDS);
      assertThat(seen.held() || seen.granted() != null).isTrue();
    }
  }

  @Test
  void a_unit_that_waits_for_its_rows_gives_its_connection_back_after_a_while() throws Exception {
    UnitRows step = units.step(id, 1);
    try (Connection elsewhere = transaction()) {
      execute(elsewhere, "select 1 from wm_instance where id = ? for update", id);
      assertThat(store.commitWaiting(node, step).outcome()).isEqualTo(Outcome.BUSY);
      elsewhere.rollback();
    }
    assertThat(store.commitWaiting(node, step).outcome()).isEqualTo(Outcome.COMMITTED);
  }

  private int waiters() throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "select count(*) from pg_stat_activity"
                    + " where datname = current_database() and wait_event_type = 'Lock'")) {
      rows.next();
      return rows.getInt(1);
    }
  }

  private Look claimed(BookmarkId bookmark) {
    One carols =
        new One("acme", bookmark, Set.of("user:carol"), "carol", "carol", Duration.ofHours(1), 2);
    return requireNonNull(store.leases().claimOne(carols), "look");
  }

  @Test
  void a_key_that_somebody_else_is_taking_makes_its_unit_busy_and_no_other() throws SQLException {
    List<UnitRows> batch = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      batch.add(units.start(Units.newId(), List.of(new KeyRow(0, "key-" + i))));
    }

    List<CommitResult> results;
    try (Connection elsewhere = transaction()) {
      execute(elsewhere, "insert into wm_key values ('acme', 0, 'key-5', ?)", id);
      results = store.commit(node, batch);
    }

    for (int i = 0; i < 8; i++) {
      assertThat(results.get(i).outcome()).isEqualTo(i == 5 ? Outcome.BUSY : Outcome.COMMITTED);
    }
  }

  @Test
  void two_starts_with_one_key_in_one_batch_are_one_start() {
    List<KeyRow> key = List.of(new KeyRow(0, "only-one"));

    List<CommitResult> results =
        store.commit(
            node, List.of(units.start(Units.newId(), key), units.start(Units.newId(), key)));

    assertThat(results)
        .extracting(CommitResult::outcome)
        .containsExactly(Outcome.COMMITTED, Outcome.EXISTS);
  }

  @Test
  void two_units_of_one_instance_are_a_fault_of_ours() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> store.commit(node, List.of(units.step(id, 1), units.step(id, 2))))
        .withMessageContaining(id.toString());
  }

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

  @Test
  void a_cut_connection_leaves_the_outcome_open_and_is_never_used_again() throws Exception {
    Future<CommitResult> cut;
    try (Connection elsewhere = transaction()) {
      execute(elsewhere, "insert into wm_key values ('acme', 0, 'order-1', ?)", id);
      cut =
          threads.submit(
              () -> commit(units.start(Units.newId(), List.of(new KeyRow(0, "order-1")))));
      awaitWaiter();
      execute(
          elsewhere,
          "select pg_terminate_backend(pid) from pg_stat_activity"
              + " where datname = current_database() and application_name like '%committer'"
              + " and cast(? as uuid) is not null",
          id);
    }

    assertThatExceptionOfType(java.util.concurrent.ExecutionException.class)
        .isThrownBy(() -> cut.get(10, TimeUnit.SECONDS))
        .havingCause()
        .isInstanceOf(StoreException.class)
        .extracting(fault -> ((StoreException) fault).kind())
        .isEqualTo(StoreException.Kind.UNKNOWN_OUTCOME);
    // The other committer's connection was cut too, while it was idle.
    for (int i = 0; i < 4; i++) {
      try {
        var unused = outcome(units.step(Units.newId(), 1));
      } catch (StoreException stillCut) {
        assertThat(stillCut.kind()).isEqualTo(StoreException.Kind.UNKNOWN_OUTCOME);
      }
    }
    assertThat(outcome(units.step(id, 1))).isEqualTo(Outcome.COMMITTED);
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

  private CommitResult commit(UnitRows unit) {
    return store.commit(node, List.of(unit)).get(0);
  }

  private Outcome outcome(UnitRows unit) {
    return commit(unit).outcome();
  }

  private Connection transaction() throws SQLException {
    Connection connection = database.connect();
    connection.setAutoCommit(false);
    return connection;
  }

  private static void execute(Connection connection, String sql, InstanceId id)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, id.value());
      statement.execute();
    }
  }

  private void awaitWaiter() throws SQLException {
    var unused = waiter();
  }

  /** Asks the server until somebody waits for a lock; says since when its statement runs. */
  private String waiter() throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      while (true) {
        try (var rows =
            statement.executeQuery(
                "select query_start from pg_stat_activity"
                    + " where datname = current_database() and wait_event_type = 'Lock'")) {
          if (rows.next()) {
            return rows.getString("query_start");
          }
        }
      }
    }
  }
}
