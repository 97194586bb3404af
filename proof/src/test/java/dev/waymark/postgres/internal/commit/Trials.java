package dev.waymark.postgres.internal.commit;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.postgres.internal.commit.CommitStatement.Width;
import dev.waymark.postgres.internal.sql.DatabaseClock;
import dev.waymark.postgres.internal.sql.NamedText;
import dev.waymark.postgres.internal.sql.PlanSettings;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Trials on one database, in which a unit commits until its trial spoils something. Each trial is a
 * transaction that is rolled back, so all of them begin alike.
 *
 * <p>Texts are sent past the store: it would choose the shape by itself, and what a text fails on
 * it would try again with other texts.
 */
final class Trials implements AutoCloseable {

  private static final DatabaseClock CLOCK = new DatabaseClock(null);

  private final TrialDatabase database = TrialDatabase.prepared();
  private final StopReasons reasons = new StopReasons(CLOCK, PlanSettings.NONE);
  private final Connection connection = database.connect();
  private final Connection elsewhere = database.connect();

  /**
   * The effect of a text on a batch.
   *
   * @param othersPassed true if it let all other units of the batch through
   */
  record Seen(Effect effect, boolean othersPassed) {}

  Trials() throws SQLException {
    TrialDatabase.execute(connection, "set lock_timeout = '20ms'");
    TrialDatabase.execute(connection, "set jit = off");
    connection.setAutoCommit(false);
    elsewhere.setAutoCommit(false);
  }

  /** Spoils what the trial says, and then sends its unit in each of the texts. */
  List<Seen> tried(CommitShape shape, Width width, Trial trial, List<String> texts)
      throws SQLException {
    InstanceId id =
        (trial.subject() == Subject.START ? database.started() : database.moved()).get(0);
    UnitRows unit = unit(trial.subject(), shape.parts(), id);
    List<UnitRows> batch = width == Width.ONE ? List.of(unit) : among(shape.parts(), unit);
    if (!shape.parts().containsAll(CommitPart.of(batch)) || Width.of(shape, batch) != width) {
      throw new AssertionError(
          "Expected units for %s, %s, but got such with %s"
              .formatted(shape, width, CommitPart.of(batch)));
    }
    try {
      TrialDatabase.execute(
          trial.elsewhere() ? elsewhere : connection,
          trial.spoiled().replace("{id}", "'" + id.value() + "'"));
      List<Seen> seen = new ArrayList<>();
      for (String text : texts) {
        Savepoint spoiled = connection.setSavepoint();
        seen.add(sent(text, shape, batch, unit));
        connection.rollback(spoiled);
      }
      return seen;
    } finally {
      connection.rollback();
      elsewhere.rollback();
    }
  }

  private List<UnitRows> among(Set<CommitPart> parts, UnitRows unit) {
    List<UnitRows> batch = new ArrayList<>();
    if (Subject.STEP.fits(parts)) {
      batch.add(unit(Subject.STEP, parts, database.moved().get(1)));
    }
    batch.add(unit);
    if (Subject.START.fits(parts)) {
      batch.add(unit(Subject.START, parts, database.started().get(1)));
    }
    return batch;
  }

  private UnitRows unit(Subject subject, Set<CommitPart> parts, InstanceId id) {
    return subject.unit(parts, id, database.moved().get(1));
  }

  private Seen sent(String text, CommitShape shape, List<UnitRows> batch, UnitRows unit)
      throws SQLException {
    String before = TrialDatabase.rowsOf(connection, unit.id());
    try {
      Set<Integer> passed = passed(text, shape, batch);
      boolean unitPassed = passed.contains(batch.indexOf(unit) + 1);
      boolean written = !TrialDatabase.rowsOf(connection, unit.id()).equals(before);
      if (unitPassed && !written) {
        throw new AssertionError("Expected rows of a unit that passed, but nothing has changed");
      }
      return new Seen(
          unitPassed
              ? Effect.PASSED
              : written ? Effect.HALF_WRITTEN : new Effect.Stopped(reason(unit)),
          passed.size() - (unitPassed ? 1 : 0) == batch.size() - 1);
    } catch (SQLException fault) {
      return new Seen(new Effect.Raised(fault.getSQLState()), false);
    }
  }

  private Set<Integer> passed(String text, CommitShape shape, List<UnitRows> batch)
      throws SQLException {
    NamedText named = NamedText.of(text);
    try (PreparedStatement statement = connection.prepareStatement(named.sql())) {
      CommitInputs.bind(
          statement,
          named,
          CLOCK,
          database.node(),
          CommitInputs.arrays(connection, shape.inputs(), batch));
      try (ResultSet answer = statement.executeQuery()) {
        answer.next();
        Array passed = answer.getArray("passed");
        return passed == null ? Set.of() : Set.of((Integer[]) passed.getArray());
      }
    }
  }

  private Outcome reason(UnitRows unit) throws SQLException {
    Outcome reason = reasons.of(connection, database.node(), List.of(unit)).get(0);
    return reason == null ? Outcome.BUSY : reason;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
    elsewhere.close();
  }
}
