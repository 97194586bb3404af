package dev.waymark.engine.store.check;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One connection on which the checker asks its questions, with values bound by name. */
record Inquiry(Connection connection, Snapshots snapshots) {

  private static final Pattern NAME = Pattern.compile(":([a-z_]+)");

  /** Reads a row. */
  interface InquiryRowReader<T> {
    T read(InquiryRow row) throws SQLException;
  }

  /** The current row, read as the types of the domain. */
  record InquiryRow(ResultSet columns, Snapshots snapshots) {

    String text(String column) throws SQLException {
      return columns.getString(column);
    }

    @Nullable String textOrNull(String column) throws SQLException {
      return columns.getString(column);
    }

    long number(String column) throws SQLException {
      return columns.getLong(column);
    }

    @Nullable Instant instant(String column) throws SQLException {
      return snapshots.instant(columns, column);
    }

    @Nullable UUID id(String column) throws SQLException {
      return snapshots.id(columns, column);
    }
  }

  /** Binds the values that the statement names; others are left out. */
  <T> List<T> ask(String sql, Map<String, Object> values, InquiryRowReader<T> shape)
      throws SQLException {
    Matcher names = NAME.matcher(sql);
    try (PreparedStatement statement = connection.prepareStatement(names.replaceAll("?"))) {
      names.reset();
      for (int position = 1; names.find(); position++) {
        statement.setObject(position, parameter(values, names.group(1)));
      }
      try (ResultSet result = statement.executeQuery()) {
        InquiryRow row = new InquiryRow(result, snapshots);
        List<T> list = new ArrayList<>();
        while (result.next()) {
          list.add(shape.read(row));
        }
        return list;
      }
    }
  }

  private Object parameter(Map<String, Object> values, String name) {
    Object value = values.get(name);
    return switch (value) {
      case null ->
          throw new IllegalArgumentException(
              "Expected one of " + values.keySet() + ", but got '" + name + "'");
      case Instant instant -> snapshots.parameter(instant);
      case UUID id -> snapshots.parameter(id);
      default -> value;
    };
  }
}
