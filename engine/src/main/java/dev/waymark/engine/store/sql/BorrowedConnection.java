package dev.waymark.engine.store.sql;

import dev.waymark.engine.store.Store.Work;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store's connection as an application gets it for one transaction: the store that lends it ends
 * the transaction, and afterwards it is no longer good for anything. The same on every store, so
 * that what passes its tests on one works on the other.
 */
public final class BorrowedConnection implements InvocationHandler {

  private static final Logger log = LoggerFactory.getLogger(BorrowedConnection.class);
  private static final String QUERY_CANCELED = "57014";
  private static final String MAKING = "createStatement";
  private static final Set<String> ENDING = Set.of("commit", "abort");
  private static final Pattern TAKES_SQL = Pattern.compile("prepare.*|execute.*|addBatch");
  private static final Pattern ROLLBACK =
      Pattern.compile("\\brollback\\b", Pattern.CASE_INSENSITIVE);

  /** Methods that hand out the driver's own objects, whose calls are not seen here. */
  private static final Set<String> BARE = Set.of("unwrap", "getConnection");

  private static final Set<String> ALWAYS =
      Set.of("close", "isClosed", "toString", "hashCode", "equals");

  /** So many statements are remembered before the closed ones are looked for. */
  private static final int STATEMENTS = 100;

  private final Connection connection;
  private int forgetAt = STATEMENTS;
  private final List<Statement> statements = Collections.synchronizedList(new ArrayList<>());
  private volatile boolean returned;
  private volatile boolean mayHaveUndone;
  private volatile boolean cancelled;

  private BorrowedConnection(Connection connection) {
    this.connection = connection;
  }

  /** Runs the work with the connection, and takes it back. */
  public static <T> T lend(Connection connection, Work<T> work) throws Exception {
    BorrowedConnection borrowed = new BorrowedConnection(connection);
    try {
      return work.run(
          (Connection)
              Proxy.newProxyInstance(
                  BorrowedConnection.class.getClassLoader(),
                  new Class<?>[] {Connection.class},
                  borrowed));
    } finally {
      borrowed.giveBack();
    }
  }

  /**
   * True if a part of the transaction may have been undone while the rest of it commits: the
   * application went back to a savepoint of its own, or could have done so unseen.
   */
  public static boolean mayHaveUndone(Connection connection) {
    return !Proxy.isProxyClass(connection.getClass())
        || !(Proxy.getInvocationHandler(connection) instanceof BorrowedConnection borrowed)
        || borrowed.mayHaveUndone;
  }

  /**
   * The store's own connection, where the given one was lent by {@link #lend}.
   *
   * @throws IllegalStateException if it was given back: the store's own may be in the middle of
   *     another transaction by now
   */
  public static Connection behind(Connection connection) {
    if (!Proxy.isProxyClass(connection.getClass())
        || !(Proxy.getInvocationHandler(connection) instanceof BorrowedConnection borrowed)) {
      return connection;
    }
    if (borrowed.returned) {
      throw new IllegalStateException(
          "Expected a connection inside inTransaction, but its transaction has ended");
    }
    return borrowed.connection;
  }

  /**
   * Ends the statement that the borrower is executing, and refuses it further statements, because
   * its result no longer counts. May be called from any thread, and again; it does nothing once the
   * connection was given back.
   */
  public static void cancel(Connection connection) {
    if (Proxy.isProxyClass(connection.getClass())
        && Proxy.getInvocationHandler(connection) instanceof BorrowedConnection borrowed) {
      borrowed.cancel();
    }
  }

  private synchronized void cancel() {
    if (returned) {
      return;
    }
    cancelled = true;
    for (Statement statement : List.copyOf(statements)) {
      try {
        statement.cancel();
      } catch (SQLException e) {
        log.debug("A statement could not be cancelled", e);
      }
    }
  }

  private void refuseIfCancelled(String name) throws SQLException {
    if (cancelled && (TAKES_SQL.matcher(name).matches() || name.equals(MAKING))) {
      throw new SQLException(
          "Expected " + name + " while the result counts, but its time is over or it was stopped",
          QUERY_CANCELED);
    }
  }

  // A result left open would hold its snapshot, and the log could never be cut again.
  private synchronized void giveBack() throws SQLException {
    returned = true;
    for (Statement statement : statements) {
      statement.close();
    }
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // A connection equals itself alone.
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    String name = method.getName();
    if (ends(name, arguments)) {
      throw new IllegalStateException(
          "Expected inTransaction to end its transaction, but the work called " + name);
    }
    refuseEndingText(name, arguments);
    noteUndoing(name, arguments);
    if (returned && !ALWAYS.contains(name)) {
      throw new IllegalStateException(
          "Expected " + name + " inside inTransaction, but its transaction has ended");
    }
    refuseIfCancelled(name);
    return switch (name) {
      case "close" -> null;
      case "isClosed" -> returned;
      case "equals" -> arguments != null && proxy == arguments[0];
      case "setAutoCommit" -> null;
      case "hashCode" -> System.identityHashCode(proxy);
      default -> call(method, arguments);
    };
  }

  // A rollback to a savepoint of its own is fine, and so is a setting that changes nothing.
  private static boolean ends(String name, Object @Nullable [] arguments) {
    return ENDING.contains(name)
        || (name.equals("rollback") && arguments == null)
        || (name.equals("setAutoCommit") && arguments != null && Boolean.TRUE.equals(arguments[0]));
  }

  private static void refuseEndingText(String name, Object @Nullable [] arguments) {
    String sql = sql(name, arguments);
    if (sql != null && EndingText.isOne(sql)) {
      throw new IllegalStateException(
          "Expected inTransaction to end its transaction, but the work executes '%s'"
              .formatted(sql.strip()));
    }
  }

  // The word anywhere in a text is enough: a false hit costs one read.
  private void noteUndoing(String name, Object @Nullable [] arguments) {
    String sql = sql(name, arguments);
    if (name.equals("rollback")
        || BARE.contains(name)
        || (sql != null && ROLLBACK.matcher(sql).find())) {
      mayHaveUndone = true;
    }
  }

  private static @Nullable String sql(String name, Object @Nullable [] arguments) {
    return arguments != null
            && arguments.length > 0
            && arguments[0] instanceof String sql
            && TAKES_SQL.matcher(name).matches()
        ? sql
        : null;
  }

  private @Nullable Object call(Method method, Object @Nullable [] arguments) throws Throwable {
    Object result = callOn(connection, method, arguments);
    if (result instanceof Statement statement) {
      remember(statement);
      // A prepared one has shown its text already; the driver's own is quicker to bind.
      return statement instanceof PreparedStatement ? statement : guarded(statement);
    }
    return result;
  }

  /** Forgets closed statements now and then: a borrower may make a million of them. */
  private void remember(Statement statement) throws SQLException {
    synchronized (statements) {
      if (statements.size() >= forgetAt) {
        List<Statement> open = new ArrayList<>();
        for (Statement one : statements) {
          if (!one.isClosed()) {
            open.add(one);
          }
        }
        statements.clear();
        statements.addAll(open);
        forgetAt = Math.max(STATEMENTS, 2 * open.size());
      }
      statements.add(statement);
    }
  }

  /** A statement that gets its text later. */
  private Statement guarded(Statement statement) {
    return (Statement)
        Proxy.newProxyInstance(
            BorrowedConnection.class.getClassLoader(),
            new Class<?>[] {Statement.class},
            (proxy, method, arguments) -> {
              refuseEndingText(method.getName(), arguments);
              noteUndoing(method.getName(), arguments);
              return callOn(statement, method, arguments);
            });
  }

  private static @Nullable Object callOn(
      Object target, Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }
}
