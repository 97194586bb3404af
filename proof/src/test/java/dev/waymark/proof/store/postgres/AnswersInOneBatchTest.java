package dev.waymark.proof.store.postgres;

import static dev.waymark.proof.store.postgres.Units.TASK;
import static dev.waymark.proof.store.postgres.Units.TIMER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.NodeId;
import dev.waymark.core.step.Step.Spend.Guard;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.Load;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.engine.store.UnitRows.BookmarkRow;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.testkit.VirtualClock;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A batch of nothing but waits that end has a statement of its own, with the same gates. */
class AnswersInOneBatchTest {

  private static final Duration HOUR = Duration.ofHours(1);

  private final InstanceId goodFence = Units.newId();
  private final InstanceId wrongFence = Units.newId();
  private final InstanceId stale = Units.newId();
  private final InstanceId held = Units.newId();
  private final InstanceId heldWait = Units.newId();
  private final InstanceId free = Units.newId();
  private final InstanceId due = Units.newId();
  private final InstanceId notDue = Units.newId();

  private final VirtualClock clock = new VirtualClock();
  private final Units units = new Units(clock.instant());
  private final NodeId node = new NodeId(UUID.randomUUID());
  private final Database database = Database.withSchema();
  private final PostgresStore store = database.open(clock);

  @BeforeEach
  void given() {
    var unused = store.nodes().register(node, "test", HOUR);
    givenStarted(goodFence, wrongFence);
    assertThat(store.leases().claim(Units.TENANT, BookmarkKind.USER_ACTION, "anna", HOUR, 9))
        .hasSize(2);
    givenStarted(stale, held, heldWait, free, due);
    clock.advance(Duration.ofSeconds(61));
    assertThat(store.commit(node, List.of(new Units(clock.instant()).start(notDue))))
        .containsExactly(CommitResult.COMMITTED);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void each_ends_its_wait_and_its_visit_or_leaves_both() throws SQLException {
    Map<UnitRows, Outcome> expected = new LinkedHashMap<>();
    expected.put(answer(goodFence, TASK, Guard.FENCE, 1), Outcome.COMMITTED);
    expected.put(answer(wrongFence, TASK, Guard.FENCE, 9), Outcome.NOT_SPENDABLE);
    expected.put(units.answer(stale, 4, units.spend(TASK, Guard.ANY, 0)), Outcome.STALE);
    expected.put(answer(held, TASK, Guard.FREE, 0), Outcome.BUSY);
    expected.put(answer(heldWait, TASK, Guard.FREE, 0), Outcome.BUSY);
    expected.put(answer(free, TASK, Guard.FREE, 0), Outcome.COMMITTED);
    expected.put(answer(due, TIMER, Guard.DUE, 0), Outcome.COMMITTED);
    expected.put(answer(notDue, TIMER, Guard.DUE, 0), Outcome.NOT_SPENDABLE);
    expected.put(answer(Units.newId(), TASK, Guard.ANY, 0), Outcome.STALE);

    List<CommitResult> results;
    try (Connection elsewhere = database.connect()) {
      lock(elsewhere, "select 1 from wm_instance where id = ? for update", held);
      lock(elsewhere, "select 1 from wm_bookmark where instance_id = ? for update", heldWait);
      results = store.commit(node, List.copyOf(expected.keySet()));
    }

    assertThat(results)
        .extracting(CommitResult::outcome)
        .containsExactlyElementsOf(expected.values());
    for (UnitRows unit : expected.keySet()) {
      assertThat(isWhole(unit, expected.get(unit))).as("%s", expected.get(unit)).isTrue();
    }
  }

  /** What has committed is found by sending the batch again, as after any lost reply. */
  @Test
  void if_it_cannot_be_told_why_some_were_stopped_the_outcome_of_all_is_open() throws SQLException {
    Map<String, String> broken =
        Map.of("then 'NODE_NOT_ALIVE'", "then 'NODE_NOT_ALIVE'::int::text");
    try (RewritingPool pool = new RewritingPool(database, broken);
        Store other = PostgresStore.on(pool.source(), options())) {
      assertThatExceptionOfType(StoreException.class)
          .isThrownBy(
              () ->
                  other.commit(
                      node,
                      List.of(
                          answer(free, TASK, Guard.FREE, 0),
                          answer(wrongFence, TASK, Guard.FENCE, 9))))
          .extracting(StoreException::kind)
          .isEqualTo(StoreException.Kind.UNKNOWN_OUTCOME);
      assertThat(pool.unused()).isEmpty();
    }

    assertThat(loaded(free).instance()).extracting("version").isEqualTo(2L);
    assertThat(loaded(wrongFence).instance()).extracting("version").isEqualTo(1L);
  }

  private boolean isWhole(UnitRows unit, Outcome outcome) {
    Load.Answer now = loaded(unit.id());
    if (now.instance() == null) {
      return outcome == Outcome.STALE;
    }
    long tag = unit.spends().get(0).tag();
    boolean waits = now.bookmarks().stream().map(BookmarkRow::tag).anyMatch(own -> own == tag);
    boolean lives = !now.activities().isEmpty();
    return outcome == Outcome.COMMITTED
        ? now.instance().version() == 2 && !waits && !lives
        : now.instance().version() == 1 && waits && lives;
  }

  private Load.Answer loaded(InstanceId id) {
    return store.load(List.of(Load.of(id))).get(0);
  }

  private UnitRows answer(InstanceId id, long tag, Guard guard, long fence) {
    return units.answer(id, 1, units.spend(tag, guard, fence));
  }

  private PostgresOptions options() {
    return PostgresOptions.DEFAULTS.withVirtualTime(clock);
  }

  private void givenStarted(InstanceId... ids) {
    for (InstanceId id : ids) {
      assertThat(store.commit(node, List.of(units.start(id))))
          .containsExactly(CommitResult.COMMITTED);
    }
  }

  private static void lock(Connection connection, String row, InstanceId id) throws SQLException {
    connection.setAutoCommit(false);
    try (PreparedStatement statement = connection.prepareStatement(row)) {
      statement.setObject(1, id.value());
      statement.execute();
    }
  }
}
