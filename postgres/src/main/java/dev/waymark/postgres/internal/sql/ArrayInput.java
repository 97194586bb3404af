package dev.waymark.postgres.internal.sql;

import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One kind of rows that a batch brings, as arrays: one for each column, and a first one that
 * numbers the unit that a row belongs to. The text that unnests the arrays and the code that fills
 * them come from the same list, so that they cannot drift apart.
 *
 * <p>The arrays are unnested in the select list, not in FROM, where PostgreSQL would first write
 * every column into a temporary store of its own.
 *
 * @param <B> what a batch is made of
 * @param <R> what one row is made from
 */
public final class ArrayInput<B, R> {

  private static final String UNNEST = "unnest\\(:([a-z_]+)\\)";

  private final String name;
  private final String numbering;
  private final Function<B, List<R>> rowsOf;
  private final List<Column<R>> columns = new ArrayList<>();

  private ArrayInput(String name, Function<B, List<R>> rowsOf) {
    this.name = name;
    this.numbering = name + "_n";
    this.rowsOf = rowsOf;
  }

  public static <B, R> ArrayInput<B, R> of(String name, Function<B, List<R>> rowsOf) {
    return new ArrayInput<>(name, rowsOf);
  }

  public ArrayInput<B, R> int2(String column, Function<R, Integer> value) {
    return add(column, "unnest(:%s)", ArrayType.INT2, value::apply);
  }

  public ArrayInput<B, R> int4(String column, Function<R, Integer> value) {
    return add(column, "unnest(:%s)", ArrayType.INT4, value::apply);
  }

  public ArrayInput<B, R> int8(String column, Function<R, @Nullable Long> value) {
    return add(column, "unnest(:%s)", ArrayType.INT8, value::apply);
  }

  public ArrayInput<B, R> text(String column, Function<R, @Nullable String> value) {
    return add(column, "unnest(:%s)", ArrayType.TEXT, value::apply);
  }

  public ArrayInput<B, R> uuid(String column, Function<R, @Nullable UUID> value) {
    return add(column, "unnest(:%s)", ArrayType.UUIDS, value::apply);
  }

  public ArrayInput<B, R> bool(String column, Function<R, Boolean> value) {
    return add(column, "unnest(:%s)", ArrayType.BOOL, value::apply);
  }

  public ArrayInput<B, R> instant(String column, Function<R, @Nullable Instant> value) {
    return micros(column, row -> Micros.ofNullable(value.apply(row)));
  }

  public ArrayInput<B, R> due(String column, Function<R, @Nullable Instant> value) {
    return micros(column, row -> Micros.roundedUp(value.apply(row)));
  }

  /** Times travel as numbers: the driver has a binary form for arrays of these, not of instants. */
  private ArrayInput<B, R> micros(String column, Function<R, @Nullable Object> value) {
    return add(
        column,
        "timestamptz 'epoch' + unnest(:%s) * interval '1 microsecond'",
        ArrayType.INT8,
        value);
  }

  private ArrayInput<B, R> add(
      String column, String unnest, ArrayType element, Function<R, @Nullable Object> value) {
    String text = unnest.formatted(name + "_" + column) + " as " + column;
    columns.add(new Column<>(name + "_" + column, text, element, value));
    return this;
  }

  /** The select that makes rows of the arrays, to stand in FROM or as a part of WITH. */
  public String select() {
    StringBuilder text = new StringBuilder("select unnest(:%s_n) as n".formatted(name));
    for (Column<R> column : columns) {
      text.append(",\n         ").append(column.text());
    }
    return text.toString();
  }

  /** The same as a whole part of WITH, under its name: {@code "unit as"}. */
  public String as(String name) {
    return name + " (\n  " + select() + "\n)";
  }

  /**
   * The same for a batch of one unit that has at most one row here. The values are read from their
   * places in the arrays, which costs the server a fraction of unnesting them, and lets it plan the
   * unit as the one row that it is.
   */
  public String alone(String name) {
    return name
        + " (\n  "
        + places("1")
        + "\n   where cardinality(:%s) > 0\n)".formatted(numbering);
  }

  /** The same for a unit that has a few rows here. */
  public String few(String name) {
    return name
        + " (\n  "
        + places("place")
        + "\n    from generate_series(1, cardinality(:%s)) place\n)".formatted(numbering);
  }

  private String places(String place) {
    StringBuilder text = new StringBuilder("select 1 as n");
    for (Column<R> column : columns) {
      text.append(",\n         ").append(column.text().replaceAll(UNNEST, "(:$1)[" + place + "]"));
    }
    return text.toString();
  }

  /** The number of rows that a batch has here. */
  public int count(B batch) {
    return rowsOf.apply(batch).size();
  }

  /** The types of the arrays, by the names of their parameters. */
  public void types(Map<String, String> types) {
    types.put(numbering, "int4[]");
    for (Column<R> column : columns) {
      types.put(column.parameter(), column.element().sql() + "[]");
    }
  }

  /** Fills the arrays with the rows of the whole batch, by the names of their parameters. */
  public void fill(Connection connection, List<B> batch, Map<String, Array> parameters)
      throws SQLException {
    List<@Nullable Object> numbers = new ArrayList<>();
    List<R> rows = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      for (R row : rowsOf.apply(batch.get(i))) {
        numbers.add(i + 1);
        rows.add(row);
      }
    }
    parameters.put(numbering, ArrayType.INT4.array(connection, numbers.toArray()));
    for (Column<R> column : columns) {
      parameters.put(column.parameter(), column.array(connection, rows));
    }
  }

  private record Column<R>(
      String parameter, String text, ArrayType element, Function<R, @Nullable Object> value) {

    Array array(Connection connection, List<R> rows) throws SQLException {
      @Nullable Object[] values = new Object[rows.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = value.apply(rows.get(i));
      }
      return element.array(connection, values);
    }
  }
}
