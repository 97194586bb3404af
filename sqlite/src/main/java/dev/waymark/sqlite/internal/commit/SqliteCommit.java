package dev.waymark.sqlite.internal.commit;

import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.StoreException.Kind;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.sqlite.internal.file.Database;
import dev.waymark.sqlite.internal.file.Session;
import dev.waymark.sqlite.internal.file.SqliteFault;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The commit of a batch: one transaction, in which every unit is a savepoint of its own. One that
 * does not pass its gates, or whose rows cannot be written, is undone alone.
 */
public final class SqliteCommit {

  private static final String ALIVE =
      """
      select 1 from wm_node where id = :node and state = 0 and valid_until > :now
      """;

  private static final String MARK = "savepoint unit";
  private static final String KEEP = "release unit";
  private static final String UNDO = "rollback to unit";

  private final Database database;

  public SqliteCommit(Database database) {
    this.database = database;
  }

  public List<CommitResult> commit(NodeId node, List<UnitRows> units) {
    return database.write(
        session -> {
          Instant now = database.now();
          if (!isAlive(session, node, now)) {
            return Collections.nCopies(units.size(), CommitResult.of(Outcome.NODE_NOT_ALIVE));
          }
          return units.size() == 1
              ? List.of(alone(session, units.getFirst(), now))
              : together(session, units, now);
        });
  }

  /** Takes part in the caller's transaction: only the unit is undone if it does not commit. */
  public CommitResult commitOn(Session session, @Nullable NodeId node, UnitRows unit) {
    try {
      Instant now = database.now();
      return node != null && !isAlive(session, node, now)
          ? CommitResult.of(Outcome.NODE_NOT_ALIVE)
          : marked(session, unit, now);
    } catch (SQLException e) {
      throw SqliteFault.of(e);
    }
  }

  private static boolean isAlive(Session session, NodeId node, Instant now) throws SQLException {
    return session.query(ALIVE).set("node", node.value()).set("now", now).exists();
  }

  // The transaction is the savepoint.
  private static CommitResult alone(Session session, UnitRows unit, Instant now)
      throws SQLException {
    CommitResult result = written(session, unit, now);
    if (result.outcome() != Outcome.COMMITTED) {
      session.rollback();
    }
    return result;
  }

  private static List<CommitResult> together(Session session, List<UnitRows> units, Instant now)
      throws SQLException {
    List<CommitResult> results = new ArrayList<>(units.size());
    for (UnitRows unit : units) {
      results.add(marked(session, unit, now));
    }
    return results;
  }

  private static CommitResult marked(Session session, UnitRows unit, Instant now)
      throws SQLException {
    session.query(MARK).update();
    CommitResult result = written(session, unit, now);
    if (result.outcome() != Outcome.COMMITTED) {
      session.query(UNDO).update();
    }
    session.query(KEEP).update();
    return result;
  }

  private static CommitResult written(Session session, UnitRows unit, Instant now)
      throws SQLException {
    try {
      return CommitResult.of(new UnitWriter(session, unit, now).write());
    } catch (SQLException e) {
      if (!SqliteFault.isOfRows(e)) {
        throw e;
      }
      if (!SqliteFault.leavesConnectionWhole(e)) {
        session.forget();
      }
      return failed(unit, e);
    } catch (IllegalStateException e) {
      return failed(unit, e);
    }
  }

  private static CommitResult failed(UnitRows unit, Exception cause) {
    return CommitResult.failed(
        new StoreException(
            Kind.PERMANENT,
            "Cannot write version %d of instance %s: %s"
                .formatted(unit.instance().version(), unit.id(), cause.getMessage()),
            cause));
  }
}
