package dev.waymark.postgres.internal.sql;

import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.StoreException.Kind;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Classifies a failed statement by its SQLState. Words in messages are never looked at. */
public final class PostgresFault {

  public static final String SERIALIZATION_FAILURE = "40001";
  public static final String LOCK_TIMEOUT = "55P03";
  public static final String UNIQUE_VIOLATION = "23505";

  /** The commit statement divides by zero when a row was missing. */
  public static final String DIVISION_BY_ZERO = "22012";

  /** A server that was demoted while its connections lived on. */
  public static final String READ_ONLY = "25006";

  /** A text with a NUL: the driver sends it, and the server cannot hold it. */
  private static final String NOT_A_CHARACTER = "22021";

  public static final String COMPLETION_UNKNOWN = "40003";

  /** Connection lost, and server shut down or crashed under a statement. */
  private static final Set<String> LOST = Set.of("08", "57P");

  /** Deadlock, a statement cancelled by a limit of the server; and, as a class, its resources. */
  private static final Set<String> PASSING =
      Set.of(SERIALIZATION_FAILURE, "40P01", LOCK_TIMEOUT, READ_ONLY, "57014");

  private static final String RESOURCES = "53";

  /** Bad values, violated constraints, a row named twice, a value too big for its index. */
  private static final Set<String> OF_ROWS = Set.of("21", "22", "23", "54");

  private PostgresFault() {}

  public static StoreException of(String what, SQLException fault) {
    if (state(fault).equals(NOT_A_CHARACTER)) {
      return new StoreException(
          Kind.PERMANENT,
          what + " failed: expected text without the character U+0000, but got one with it",
          fault);
    }
    String message = "%s failed: %s".formatted(what, fault.getMessage());
    return state(fault).equals(LOCK_TIMEOUT)
        ? StoreException.ofHeldRow(message, fault)
        : new StoreException(kind(fault), message, fault);
  }

  /** For failures before anything was sent. */
  static StoreException unsent(String what, Exception fault) {
    return new StoreException(
        Kind.TRANSIENT, "%s got no connection: %s".formatted(what, fault.getMessage()), fault);
  }

  public static Kind kind(SQLException fault) {
    String state = state(fault);
    if (state.equals(COMPLETION_UNKNOWN)
        || LOST.stream().anyMatch(state::startsWith)
        || (state.isEmpty() && fault.getCause() instanceof IOException)) {
      return Kind.UNKNOWN_OUTCOME;
    }
    return PASSING.contains(state) || state.startsWith(RESOURCES) ? Kind.TRANSIENT : Kind.PERMANENT;
  }

  public static boolean is(String state, @Nullable Throwable fault) {
    return fault instanceof SQLException sql && state(sql).equals(state);
  }

  /** True if the values of the rows are the cause, so that other rows may be written. */
  public static boolean isOfRows(@Nullable Throwable fault) {
    return fault instanceof SQLException sql && OF_ROWS.stream().anyMatch(state(sql)::startsWith);
  }

  /** True if a connection that failed so must not be used again. */
  static boolean spoils(SQLException fault) {
    return kind(fault) == Kind.UNKNOWN_OUTCOME || is(READ_ONLY, fault);
  }

  /**
   * True if a row was there already, by the constraint whose name begins with {@code name}.
   *
   * <p>Names are compared by their beginning only: a server that keeps a table in shards gives the
   * constraint of each shard the name of the table's own, followed by the shard's number.
   */
  public static boolean isDuplicate(String name, @Nullable Throwable fault) {
    if (!is(UNIQUE_VIOLATION, fault)) {
      return false;
    }
    ServerErrorMessage message =
        fault instanceof PSQLException sql ? sql.getServerErrorMessage() : null;
    String constraint = message == null ? null : message.getConstraint();
    return constraint != null && constraint.startsWith(name);
  }

  private static String state(SQLException fault) {
    return Objects.requireNonNullElse(fault.getSQLState(), "");
  }
}
