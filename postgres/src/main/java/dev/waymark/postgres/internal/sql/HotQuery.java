package dev.waymark.postgres.internal.sql;

import dev.waymark.engine.store.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A statement that runs for every batch of something: planned once, bound without detours. Jdbi
 * looks up how to bind and map each value anew, which cost 3 ms a call where the database took 0.1.
 *
 * @param <T> what one row becomes
 */
public final class HotQuery<T> {

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Pool pool;
  private final PlanSettings pins;
  private final String what;
  private final NamedText alone;
  private final NamedText within;
  private final ResultRowReader<T> reading;

  /** Makes something of the row that a result stands at. */
  public interface ResultRowReader<T> {
    T of(ResultSet row) throws SQLException;
  }

  /** Its plan is looked at when a node starts: see {@link PlanCheck}. */
  public HotQuery(Pools pools, String what, HotStatement statement, ResultRowReader<T> reading) {
    pools.plans().add(statement);
    this.pool = pools.loads();
    this.pins = pools.pins();
    this.what = what;
    this.alone = NamedText.of(pins.alone(statement.text()));
    this.within = NamedText.of(pins.within(statement.text()));
    this.reading = reading;
  }

  /**
   * Runs it in a transaction of its own.
   *
   * @param values for every name in the text; an array is bound as one
   */
  public List<T> ask(Map<String, ?> values) {
    return pool.autocommitted(what, connection -> on(connection, alone, values));
  }

  /**
   * The same in two messages: the rows come before they are committed, so that they are known even
   * if the answer to the commit is lost. That costs a round trip.
   */
  public List<T> askAndCommit(Map<String, ?> values, Consumer<List<T>> beforeCommit) {
    return pool.committed(
        what,
        connection -> {
          List<T> found = on(connection, within, values);
          beforeCommit.accept(found);
          return found;
        });
  }

  /**
   * The same for a statement that may have to wait for a row: an application that holds the row in
   * a transaction of its own delays the caller and does not fail it. Each try ends after 250 ms and
   * gives its connection back; of all callers that want one row only one has a connection at a
   * time, and of all callers that found their row locked only a few.
   *
   * @param row the key of the row
   */
  public List<T> askPatiently(RowTurns turns, Object row, Map<String, ?> values) {
    return turns.take(row, PATIENCE, () -> tryAgain(turns, row, values), () -> tooLate(row));
  }

  private List<T> tryAgain(RowTurns turns, Object row, Map<String, ?> values) {
    long until = System.nanoTime() + PATIENCE.toNanos();
    Optional<List<T>> found = unlessLocked(values);
    while (found.isEmpty() && System.nanoTime() < until) {
      found =
          turns
              .waiting(Duration.ofNanos(until - System.nanoTime()), () -> unlessLocked(values))
              .flatMap(tried -> tried);
    }
    return found.orElseGet(() -> tooLate(row));
  }

  private Optional<List<T>> unlessLocked(Map<String, ?> values) {
    try {
      return Optional.of(ask(values));
    } catch (StoreException e) {
      if (PostgresFault.is(PostgresFault.LOCK_TIMEOUT, e.getCause())) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private List<T> tooLate(Object row) {
    String words = "expected to get at %s within %s, but others hold it".formatted(row, PATIENCE);
    throw new StoreException(
        StoreException.Kind.TRANSIENT, what + " failed: " + words, new TimeoutException(words));
  }

  /** For a statement that gives one row at most; absent if it gives none. */
  public @Nullable T askOne(Map<String, ?> values) {
    return first(ask(values));
  }

  public @Nullable T askOnePatiently(RowTurns turns, Object row, Map<String, ?> values) {
    return first(askPatiently(turns, row, values));
  }

  private @Nullable T first(List<T> rows) {
    return rows.isEmpty() ? null : rows.get(0);
  }

  private List<T> on(Connection connection, NamedText text, Map<String, ?> values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(text.sql())) {
      int position = 0;
      for (String name : text.parameters()) {
        bind(connection, statement, ++position, values.get(name));
      }
      List<T> found = new ArrayList<>();
      try (ResultSet rows = pins.query(statement)) {
        while (rows.next()) {
          found.add(reading.of(rows));
        }
      }
      return found;
    }
  }

  private static void bind(
      Connection connection, PreparedStatement statement, int position, @Nullable Object value)
      throws SQLException {
    switch (value) {
      case null -> statement.setNull(position, Types.NULL);
      case Instant moment -> DatabaseClock.bind(statement, position, moment);
      case UUID[] ids -> statement.setArray(position, ArrayType.UUIDS.array(connection, ids));
      case String[] texts -> statement.setArray(position, ArrayType.TEXT.array(connection, texts));
      case Integer[] numbers ->
          statement.setArray(position, ArrayType.INT4.array(connection, numbers));
      case Long[] numbers ->
          statement.setArray(position, ArrayType.INT8.array(connection, numbers));
      default -> statement.setObject(position, value);
    }
  }
}
