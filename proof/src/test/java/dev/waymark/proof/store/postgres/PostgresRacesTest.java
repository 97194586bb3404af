package dev.waymark.proof.store.postgres;

import static dev.waymark.proof.store.postgres.Units.TASK;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Lease;
import dev.waymark.core.step.Step.Spend.Guard;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.Leases.Claim;
import dev.waymark.engine.store.Leases.Look;
import dev.waymark.engine.store.Leases.One;
import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.engine.store.UnitRows.KeyRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What only a database with many writers can do to a unit. Each window is held open on purpose. */
class PostgresRacesTest extends PostgresRaces {

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
}
