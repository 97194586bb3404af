package dev.waymark.engine.store.postgres;

import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.engine.store.postgres.CommitStatement.Form;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Sends units in the shape that fits them, and reads what became of each. */
final class CommitBinding {

  private final DatabaseClock clock;
  private final Pins pins;
  private final Map<Variant, NamedText> texts = new ConcurrentHashMap<>();

  private record Variant(Form form, CommitShape shape) {}

  CommitBinding(DatabaseClock clock, Pins pins) {
    this.clock = clock;
    this.pins = pins;
  }

  List<CommitResult> execute(
      Connection connection, Form form, @Nullable NodeId node, List<UnitRows> units)
      throws SQLException {
    CommitShape shape = CommitShape.of(CommitPart.of(units));
    NamedText text = texts.computeIfAbsent(new Variant(form, shape), this::text);
    Map<String, Array> arrays = arrays(connection, shape, units);
    try (PreparedStatement statement = connection.prepareStatement(text.sql())) {
      int position = 0;
      for (String parameter : text.parameters()) {
        position++;
        switch (parameter) {
          case "now" -> clock.bind(statement, position);
          case "node" -> statement.setObject(position, node == null ? null : node.value());
          default -> statement.setArray(position, arrays.get(parameter));
        }
      }
      try (ResultSet stopped = pins.query(statement)) {
        return results(stopped, units.size());
      }
    }
  }

  private NamedText text(Variant variant) {
    return NamedText.of(pins.before(CommitStatement.text(variant.form(), variant.shape())));
  }

  private static Map<String, Array> arrays(
      Connection connection, CommitShape shape, List<UnitRows> units) throws SQLException {
    Map<String, Array> arrays = HashMap.newHashMap(128);
    CommitInputs.UNIT.fill(connection, units, arrays);
    CommitInputs.ENTRY.fill(connection, units, arrays);
    for (CommitPart part : shape.parts()) {
      for (Input<UnitRows, ?> input : part.inputs()) {
        input.fill(connection, units, arrays);
      }
    }
    return arrays;
  }

  private static List<CommitResult> results(ResultSet stopped, int units) throws SQLException {
    List<CommitResult> results =
        new ArrayList<>(Collections.nCopies(units, CommitResult.COMMITTED));
    while (stopped.next()) {
      String outcome = stopped.getString("outcome");
      if (outcome != null) {
        results.set(stopped.getInt("n") - 1, CommitResult.of(Outcome.valueOf(outcome)));
      }
    }
    return results;
  }
}
