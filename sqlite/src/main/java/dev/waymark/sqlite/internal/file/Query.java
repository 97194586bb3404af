package dev.waymark.sqlite.internal.file;

import dev.waymark.engine.store.Page;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A prepared statement with named parameters, kept for the life of its connection.
 *
 * <p>Values stay bound from one use to the next, so every use must name all of them: a forgotten
 * one would silently be the last unit's. Finding a name costs some nanoseconds of the two
 * microseconds that a statement takes.
 */
public final class Query implements AutoCloseable {

  private static final Pattern NAME = Pattern.compile(":([a-z][a-z0-9_]*)");
  private static final int MOST_NAMES = 63;

  /** Reads a row. */
  public interface RowMapper<T> {
    T read(Row row) throws SQLException;
  }

  private final String sql;
  private final PreparedStatement statement;
  private final Map<String, Integer> positions;
  private final long all;
  private long named;

  private Query(String sql, PreparedStatement statement, Map<String, Integer> positions) {
    this.sql = sql;
    this.statement = statement;
    this.positions = positions;
    this.all = (1L << positions.size()) - 1;
  }

  static Query prepare(Connection connection, String sql) throws SQLException {
    // SQLite numbers names in the order of their first appearance; JDBC binds by that number.
    Map<String, Integer> positions = new HashMap<>();
    Matcher names = NAME.matcher(sql);
    while (names.find()) {
      positions.putIfAbsent(names.group(1), positions.size() + 1);
    }
    if (positions.size() > MOST_NAMES) {
      throw new IllegalArgumentException("Expected at most 63 names, but got " + positions.size());
    }
    return new Query(sql, connection.prepareStatement(sql), positions);
  }

  public Query set(String name, long value) throws SQLException {
    statement.setLong(position(name), value);
    return this;
  }

  public Query set(String name, @Nullable Long value) throws SQLException {
    statement.setObject(position(name), value);
    return this;
  }

  public Query set(String name, @Nullable String value) throws SQLException {
    statement.setString(position(name), value);
    return this;
  }

  public Query set(String name, byte @Nullable [] value) throws SQLException {
    statement.setBytes(position(name), value);
    return this;
  }

  public Query set(String name, @Nullable UUID value) throws SQLException {
    return set(name, value == null ? null : UuidBytes.of(value));
  }

  public Query set(String name, @Nullable Instant value) throws SQLException {
    return set(name, value == null ? null : (Long) Micros.of(value));
  }

  public Query setDue(String name, @Nullable Instant value) throws SQLException {
    return set(name, value == null ? null : (Long) Micros.roundedUp(value));
  }

  /** Runs it as a change, and says how many rows it changed. */
  public int update() throws SQLException {
    checkNames();
    return statement.executeUpdate();
  }

  public <T> List<T> list(RowMapper<T> shape) throws SQLException {
    checkNames();
    List<T> list = new ArrayList<>();
    try (ResultSet result = statement.executeQuery()) {
      Row row = new Row(result);
      while (result.next()) {
        list.add(shape.read(row));
      }
    }
    return list;
  }

  /** Reads rows into a page until it is full. */
  public <T> void fill(PageDraft<T> page, RowMapper<T> shape) throws SQLException {
    checkNames();
    try (ResultSet result = statement.executeQuery()) {
      Row row = new Row(result);
      while (!page.isFull() && result.next()) {
        page.add(shape.read(row));
      }
    }
  }

  /** Reads rows into an empty page until it is full. */
  public <T> Page<T> page(PageDraft<T> page, RowMapper<T> shape) throws SQLException {
    fill(page, shape);
    return page.page();
  }

  /** The first row, or absent if there is none. */
  public <T> @Nullable T first(RowMapper<T> shape) throws SQLException {
    checkNames();
    try (ResultSet result = statement.executeQuery()) {
      return result.next() ? shape.read(new Row(result)) : null;
    }
  }

  public boolean exists() throws SQLException {
    return first(row -> true) != null;
  }

  @Override
  public void close() throws SQLException {
    statement.close();
  }

  private int position(String name) {
    Integer position = positions.get(name);
    if (position == null) {
      throw new IllegalArgumentException(
          "Expected one of " + positions.keySet() + ", but got '" + name + "' for " + sql);
    }
    named |= 1L << (position - 1);
    return position;
  }

  private void checkNames() {
    if (named != all) {
      throw new IllegalStateException(
          "Expected a value for every name, but one is missing: " + sql);
    }
    named = 0;
  }
}
