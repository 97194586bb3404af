package dev.waymark.engine.store;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/** A fault of the world at the database, classified by SQLState or vendor code. */
public final class StoreException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * The kind of a failure: whether the statement was carried out, and whether it may be repeated.
   */
  public enum Kind {
    /** The connection was lost: the statement may or may not have been carried out. */
    UNKNOWN_OUTCOME,
    /** Nothing was written, and the same statement may succeed later. */
    TRANSIENT,
    /** Nothing was written, and trying again gives the same. */
    PERMANENT
  }

  private final Kind kind;
  private final boolean held;

  public StoreException(Kind kind, String message, Throwable cause) {
    this(kind, false, message, cause);
  }

  private StoreException(Kind kind, boolean held, String message, Throwable cause) {
    super(message, cause);
    this.kind = requireNonNull(kind, "kind");
    this.held = held;
  }

  /** A passing fault of a statement that needs a row which another transaction holds. */
  public static StoreException ofHeldRow(String message, Throwable cause) {
    return new StoreException(Kind.TRANSIENT, true, message, cause);
  }

  public Kind kind() {
    return kind;
  }

  /**
   * True if the statement failed because another transaction holds a row that it needs. Work on
   * other rows need not wait for that row.
   */
  public static boolean isOfHeldRow(@Nullable Throwable fault) {
    return fault instanceof StoreException store && store.held;
  }

  /**
   * True if a fault is one of the world that passes, such as a lost connection: then the same may
   * be tried again later. Every other fault is of the row or of the program.
   */
  public static boolean isPassing(@Nullable Throwable fault) {
    return fault instanceof StoreException store && store.kind() != Kind.PERMANENT;
  }
}
