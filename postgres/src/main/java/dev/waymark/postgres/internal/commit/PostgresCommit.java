package dev.waymark.postgres.internal.commit;

import static java.util.Collections.nCopies;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.StoreException.Kind;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.engine.store.UnitRows.KeyRow;
import dev.waymark.postgres.internal.commit.CommitStatement.Form;
import dev.waymark.postgres.internal.sql.DatabaseClock;
import dev.waymark.postgres.internal.sql.Db;
import dev.waymark.postgres.internal.sql.PlanSettings;
import dev.waymark.postgres.internal.sql.Pool;
import dev.waymark.postgres.internal.sql.Pools;
import dev.waymark.postgres.internal.sql.PostgresFault;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Commits units: a batch on a committer's connection, or one in the caller's transaction. */
public final class PostgresCommit {

  private static final String COMMIT = "A commit";

  private static final String IS_MADE_READ_ONLY =
      """
      select not pg_is_in_recovery() and current_setting('default_transaction_read_only') = 'off'
      """;

  private final Pool committers;
  private final PlanSettings pins;
  private final CommitBinding batches;
  private final CommitBinding joined;

  /** A unit is joined on the caller's connection, whose settings are not ours to change. */
  public PostgresCommit(Pools pools, DatabaseClock clock) {
    CommitStatement.hot().forEach(pools.plans()::add);
    pools.plans().add(StopReasons.HOT);
    this.committers = pools.committers();
    this.pins = pools.pins();
    this.batches = new CommitBinding(clock, pools.pins());
    this.joined = new CommitBinding(clock, PlanSettings.NONE);
  }

  public List<CommitResult> commit(NodeId node, List<UnitRows> units) {
    refuseTwoOfOneInstance(units);
    if (units.isEmpty()) {
      return List.of();
    }
    List<UnitRows> first = firstOfTheirKeys(units);
    List<CommitResult> results = together(node, first);
    return first.size() == units.size() ? results : withRivals(units, first, results);
  }

  /** Units that take no key which a unit before them in the batch takes. */
  private static List<UnitRows> firstOfTheirKeys(List<UnitRows> units) {
    Set<Key> taken = new HashSet<>();
    List<UnitRows> first = new ArrayList<>(units.size());
    for (UnitRows unit : units) {
      if (unit.keysTaken().isEmpty() || taken.addAll(keys(unit))) {
        first.add(unit);
      }
    }
    return first;
  }

  private record Key(String tenant, KeyRow key) {}

  private static List<Key> keys(UnitRows unit) {
    return unit.keysTaken().stream().map(key -> new Key(unit.instance().tenant(), key)).toList();
  }

  /**
   * The results of a whole batch: a unit that was not the first cannot have the key that the first
   * has got and holds.
   */
  private static List<CommitResult> withRivals(
      List<UnitRows> units, List<UnitRows> first, List<CommitResult> results) {
    Map<InstanceId, CommitResult> sent = new HashMap<>();
    Set<Key> taken = new HashSet<>();
    for (int i = 0; i < first.size(); i++) {
      sent.put(first.get(i).id(), results.get(i));
      if (results.get(i).outcome() == Outcome.COMMITTED && first.get(i).holdsKeys()) {
        taken.addAll(keys(first.get(i)));
      }
    }
    return units.stream()
        .map(
            unit -> {
              CommitResult result = sent.get(unit.id());
              if (result != null) {
                return result;
              }
              boolean exists = keys(unit).stream().anyMatch(taken::contains);
              return CommitResult.of(exists ? Outcome.EXISTS : Outcome.BUSY);
            })
        .toList();
  }

  private List<CommitResult> together(NodeId node, List<UnitRows> units) {
    try {
      return send(node, units);
    } catch (StoreException fault) {
      if (!isOneUnits(fault)) {
        throw fault;
      }
      return apart(node, units, fault);
    }
  }

  /**
   * Halves a batch that failed on the rows of one unit until that unit is alone. A fault that no
   * row can have caused is not looked for here: it is thrown, and the engine's committer decides
   * what becomes of the batch.
   *
   * <p>Some units may be committed by now, so from here on only an unknown outcome is thrown: any
   * other fault becomes the result of the units concerned.
   */
  private List<CommitResult> apart(NodeId node, List<UnitRows> units, StoreException fault) {
    if (units.size() == 1) {
      return List.of(alone(node, units.get(0), fault));
    }
    int middle = units.size() / 2;
    List<CommitResult> results = new ArrayList<>(units.size());
    for (List<UnitRows> half :
        List.of(units.subList(0, middle), units.subList(middle, units.size()))) {
      results.addAll(half(node, half));
    }
    return results;
  }

  private List<CommitResult> half(NodeId node, List<UnitRows> units) {
    try {
      return send(node, units);
    } catch (StoreException fault) {
      return isOneUnits(fault) ? apart(node, units, fault) : befallen(units, fault);
    }
  }

  private static List<CommitResult> befallen(List<UnitRows> units, StoreException fault) {
    return switch (fault.kind()) {
      case UNKNOWN_OUTCOME -> throw fault;
      case TRANSIENT -> nCopies(units.size(), CommitResult.of(Outcome.BUSY));
      case PERMANENT -> nCopies(units.size(), CommitResult.failed(fault));
    };
  }

  /**
   * A row that was missed is looked for once more: another transaction may have changed it between
   * the statement's snapshot and its lock. Missed again, its rows are locked before they are looked
   * for; only a row that is missed then is not there, and the unit's own fault.
   */
  private CommitResult alone(NodeId node, UnitRows unit, StoreException fault) {
    if (!isMissed(fault)) {
      return answer(unit, fault);
    }
    try {
      return send(node, List.of(unit)).get(0);
    } catch (StoreException again) {
      if (isMissed(again)) {
        return lockedFirst(node, unit);
      }
      return isOneUnits(again) ? answer(unit, again) : befallen(List.of(unit), again).get(0);
    }
  }

  /** Rows that another transaction holds for longer than a committer waits make the unit busy. */
  private CommitResult lockedFirst(NodeId node, UnitRows unit) {
    try {
      return committers.inTransaction(
          COMMIT,
          connection -> {
            pins.enter(connection);
            return commitOn(connection, node, unit);
          });
    } catch (StoreException fault) {
      return PostgresFault.is(PostgresFault.LOCK_TIMEOUT, fault.getCause())
          ? CommitResult.of(Outcome.BUSY)
          : befallen(List.of(unit), fault).get(0);
    }
  }

  /** True if the statement says that it did not find a row which it had locked. */
  private static boolean isMissed(StoreException fault) {
    return PostgresFault.is(PostgresFault.DIVISION_BY_ZERO, fault.getCause());
  }

  private static CommitResult answer(UnitRows unit, StoreException fault) {
    if (PostgresFault.is(PostgresFault.LOCK_TIMEOUT, fault.getCause())) {
      return CommitResult.of(Outcome.BUSY);
    }
    Outcome lostRace = lostRace(unit, fault.getCause());
    return lostRace == null ? CommitResult.failed(fault) : CommitResult.of(lostRace);
  }

  /**
   * True if the rows of one unit may be the cause. So may a lock that cannot be skipped: on a key
   * that another transaction is inserting.
   */
  private static boolean isOneUnits(StoreException fault) {
    return PostgresFault.isOfRows(fault.getCause())
        || PostgresFault.is(PostgresFault.LOCK_TIMEOUT, fault.getCause());
  }

  /**
   * The outcome that the gates would have found, had they looked after another transaction's
   * commit.
   */
  private static @Nullable Outcome lostRace(UnitRows unit, @Nullable Throwable fault) {
    if (PostgresFault.isDuplicate("wm_instance_pkey", fault)
        || PostgresFault.isDuplicate("wm_key_pkey", fault)) {
      return Outcome.EXISTS;
    }
    if (PostgresFault.isDuplicate("wm_command_pkey", fault)) {
      return unit.isStart() ? Outcome.EXISTS : Outcome.STALE;
    }
    return null;
  }

  private List<CommitResult> send(NodeId node, List<UnitRows> units) {
    return committers.autocommitted(
        COMMIT, connection -> batches.execute(connection, Form.SKIPPING, node, units));
  }

  /**
   * Commits one unit in the caller's transaction. A savepoint keeps that transaction usable
   * whatever becomes of the unit.
   */
  public CommitResult commitOn(Connection connection, @Nullable NodeId node, UnitRows unit) {
    Form form = node == null ? Form.WAITING_WITHOUT_NODE : Form.WAITING;
    try {
      Db.requireTransaction(connection);
      try {
        return joined(connection, form, node, unit);
      } catch (StoreException fault) {
        if (!isMissed(fault)) {
          throw fault;
        }
        UnitLocks.take(connection, unit);
        return joinedAgain(connection, form, node, unit);
      }
    } catch (SQLException fault) {
      throw PostgresFault.of(COMMIT, fault);
    }
  }

  private CommitResult joinedAgain(
      Connection connection, Form form, @Nullable NodeId node, UnitRows unit) throws SQLException {
    try {
      return joined(connection, form, node, unit);
    } catch (StoreException fault) {
      return CommitResult.failed(fault);
    }
  }

  /**
   * @throws StoreException if a row was missed; the transaction is as it was before
   */
  private CommitResult joined(
      Connection connection, Form form, @Nullable NodeId node, UnitRows unit) throws SQLException {
    Savepoint savepoint = connection.setSavepoint();
    try {
      CommitResult result = joined.execute(connection, form, node, List.of(unit)).get(0);
      connection.releaseSavepoint(savepoint);
      return result;
    } catch (SQLException fault) {
      return refused(connection, savepoint, unit, fault);
    }
  }

  private static CommitResult refused(
      Connection connection, Savepoint savepoint, UnitRows unit, SQLException fault)
      throws SQLException {
    StoreException translated = PostgresFault.of(COMMIT, fault);
    if (translated.kind() == Kind.UNKNOWN_OUTCOME) {
      throw fault;
    }
    connection.rollback(savepoint);
    if (PostgresFault.is(PostgresFault.SERIALIZATION_FAILURE, fault)) {
      return CommitResult.of(Outcome.STALE);
    }
    if (PostgresFault.is(PostgresFault.READ_ONLY, fault) && isMadeReadOnly(connection)) {
      throw new StoreException(
          Kind.PERMANENT,
          "Expected a transaction that can write, but it was made read-only before the step was"
              + " written",
          fault);
    }
    if (isMissed(translated)) {
      throw translated;
    }
    if (!isOneUnits(translated)) {
      throw fault;
    }
    return answer(unit, translated);
  }

  /**
   * True if the transaction alone is read-only, and not the server: a server that was demoted comes
   * back, or another takes its place, but the same work makes its transaction read-only each time.
   */
  private static boolean isMadeReadOnly(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet answer = statement.executeQuery(IS_MADE_READ_ONLY)) {
      return answer.next() && answer.getBoolean(1);
    }
  }

  private static void refuseTwoOfOneInstance(List<UnitRows> units) {
    Set<InstanceId> seen = new HashSet<>();
    for (UnitRows unit : units) {
      if (!seen.add(unit.id())) {
        throw new IllegalArgumentException(
            "Expected one unit of an instance in a batch, but got two of " + unit.id());
      }
    }
  }
}
