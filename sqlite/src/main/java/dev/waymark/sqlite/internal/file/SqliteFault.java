package dev.waymark.sqlite.internal.file;

import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.StoreException.Kind;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;

/** SQLite's errors, told apart by result code alone. */
public final class SqliteFault {

  // An extended code carries its primary code in the lowest byte.
  private static final int PRIMARY = 0xff;

  private SqliteFault() {}

  public static StoreException of(SQLException e) {
    return new StoreException(kind(e), "SQLite could not do it: " + e.getMessage(), e);
  }

  /**
   * A fault of the commit itself. After an I/O error there the frames may or may not have reached
   * the disk, and a crash right after could bring them back.
   */
  static StoreException ofCommit(SQLException e) {
    return is(e, SQLiteErrorCode.SQLITE_IOERR)
        ? new StoreException(Kind.UNKNOWN_OUTCOME, "SQLite could not commit: " + e.getMessage(), e)
        : of(e);
  }

  /** True if the fault is in the rows of one unit, so that the others may go on. */
  public static boolean isOfRows(SQLException e) {
    return is(e, SQLiteErrorCode.SQLITE_CONSTRAINT)
        || is(e, SQLiteErrorCode.SQLITE_TOOBIG)
        || is(e, SQLiteErrorCode.SQLITE_MISMATCH);
  }

  /** True if the connection can be trusted after it. */
  public static boolean leavesConnectionWhole(SQLException e) {
    return is(e, SQLiteErrorCode.SQLITE_CONSTRAINT)
        || is(e, SQLiteErrorCode.SQLITE_BUSY)
        || is(e, SQLiteErrorCode.SQLITE_LOCKED);
  }

  private static Kind kind(SQLException e) {
    boolean mayPass =
        is(e, SQLiteErrorCode.SQLITE_BUSY)
            || is(e, SQLiteErrorCode.SQLITE_LOCKED)
            || is(e, SQLiteErrorCode.SQLITE_FULL)
            || is(e, SQLiteErrorCode.SQLITE_IOERR)
            || is(e, SQLiteErrorCode.SQLITE_NOMEM)
            || is(e, SQLiteErrorCode.SQLITE_INTERRUPT)
            || is(e, SQLiteErrorCode.SQLITE_CANTOPEN)
            || is(e, SQLiteErrorCode.SQLITE_PROTOCOL);
    return mayPass ? Kind.TRANSIENT : Kind.PERMANENT;
  }

  private static boolean is(SQLException e, SQLiteErrorCode code) {
    return (e.getErrorCode() & PRIMARY) == code.code;
  }
}
