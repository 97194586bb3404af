package dev.waymark.postgres.internal.commit;

import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.postgres.internal.commit.CommitStatement.Form;
import dev.waymark.postgres.internal.commit.CommitStatement.Width;
import dev.waymark.postgres.internal.sql.DatabaseClock;
import dev.waymark.postgres.internal.sql.NamedText;
import dev.waymark.postgres.internal.sql.PlanSettings;
import dev.waymark.postgres.internal.sql.PostgresFault;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Sends units in the shape that fits them, and reads what became of each. */
final class CommitBinding {

  private final DatabaseClock clock;
  private final PlanSettings pins;
  private final StopReasons reasons;
  private final Map<Variant, NamedText> texts = new ConcurrentHashMap<>();

  private record Variant(Form form, CommitShape shape, Width width) {}

  CommitBinding(DatabaseClock clock, PlanSettings pins) {
    this.clock = clock;
    this.pins = pins;
    this.reasons = new StopReasons(clock, pins);
  }

  List<CommitResult> execute(
      Connection connection, Form form, @Nullable NodeId node, List<UnitRows> units)
      throws SQLException {
    List<Integer> stopped = send(connection, form, node, units);
    List<CommitResult> results =
        new ArrayList<>(Collections.nCopies(units.size(), CommitResult.COMMITTED));
    if (!stopped.isEmpty()) {
      explain(connection, form, node, units, stopped, results);
    }
    return results;
  }

  /** Gives the places of the units that a gate has stopped. */
  private List<Integer> send(
      Connection connection, Form form, @Nullable NodeId node, List<UnitRows> units)
      throws SQLException {
    CommitShape shape = CommitShape.of(CommitPart.of(units));
    NamedText text =
        texts.computeIfAbsent(new Variant(form, shape, Width.of(shape, units)), this::text);
    try (PreparedStatement statement = connection.prepareStatement(text.sql())) {
      CommitInputs.bind(
          statement, text, clock, node, CommitInputs.arrays(connection, shape.inputs(), units));
      try (ResultSet answer = pins.query(statement)) {
        return stopped(answer, units.size());
      }
    }
  }

  private NamedText text(Variant variant) {
    return NamedText.of(
        pins.alone(CommitStatement.text(variant.form(), variant.shape(), variant.width())));
  }

  private static List<Integer> stopped(ResultSet answer, int units) throws SQLException {
    answer.next();
    Array passed = answer.getArray("passed");
    Integer[] numbers = passed == null ? new Integer[0] : (Integer[]) passed.getArray();
    if (numbers.length == units) {
      return List.of();
    }
    boolean[] through = new boolean[units];
    for (int number : numbers) {
      through[number - 1] = true;
    }
    List<Integer> stopped = new ArrayList<>();
    for (int place = 0; place < units; place++) {
      if (!through[place]) {
        stopped.add(place);
      }
    }
    return stopped;
  }

  private void explain(
      Connection connection,
      Form form,
      @Nullable NodeId node,
      List<UnitRows> units,
      List<Integer> stopped,
      List<CommitResult> results)
      throws SQLException {
    List<@Nullable Outcome> why =
        why(connection, form, node, stopped.stream().map(units::get).toList());
    // A row that a batch found locked may be free now. A unit that waited for a row has got it: if
    // the unit did not pass, the row had changed meanwhile.
    Outcome otherwise = form == Form.SKIPPING ? Outcome.BUSY : Outcome.NOT_SPENDABLE;
    for (int i = 0; i < stopped.size(); i++) {
      Outcome outcome = Objects.requireNonNullElse(why.get(i), otherwise);
      results.set(stopped.get(i), CommitResult.of(outcome));
    }
  }

  /**
   * The others of a batch are committed by now. So if the question fails, by any fault, it is
   * reported as a lost reply: the same units are then sent again, which shows the units that are
   * committed.
   */
  private List<@Nullable Outcome> why(
      Connection connection, Form form, @Nullable NodeId node, List<UnitRows> stopped)
      throws SQLException {
    try {
      return reasons.of(connection, node, stopped);
    } catch (SQLException fault) {
      if (form != Form.SKIPPING) {
        throw fault;
      }
      throw new SQLException(
          "It is not known what became of the batch, since asking why some units were stopped"
              + " failed: "
              + fault.getMessage(),
          PostgresFault.COMPLETION_UNKNOWN,
          fault);
    }
  }
}
