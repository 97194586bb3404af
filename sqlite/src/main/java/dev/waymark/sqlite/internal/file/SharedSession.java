package dev.waymark.sqlite.internal.file;

import dev.waymark.engine.store.StoreException;
import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A session that threads take in turn: opened when it is first needed, thrown away after an error
 * that leaves it in doubt, and opened anew by the next thread.
 */
public final class SharedSession implements AutoCloseable {

  /** Work in a transaction. It may roll back by itself; then nothing is committed. */
  public interface SessionTask<T> {
    T run(Session session) throws SQLException;
  }

  /** Opens sessions. */
  interface Opening {
    Session open() throws SQLException;

    /** True if closing a session loses nothing; of a database in memory it loses all. */
    boolean canReopen();
  }

  // Fair, because committers come back within microseconds and would starve claims and timers.
  private final ReentrantLock turn = new ReentrantLock(true);
  private final Opening opening;
  private @Nullable Session session;
  private boolean closed;

  SharedSession(Opening opening) {
    this.opening = opening;
  }

  boolean tryTake() {
    return turn.tryLock();
  }

  void take() {
    turn.lock();
  }

  void leave() {
    turn.unlock();
  }

  boolean isMine() {
    return turn.isHeldByCurrentThread();
  }

  /** The transaction of the thread that has the seat. */
  Session current() {
    Session current = session;
    if (current == null || !current.inTransaction()) {
      throw new IllegalStateException(
          "Expected a transaction that inTransaction has begun, but there is none");
    }
    return current;
  }

  /** Runs a task in one transaction: commits when it returns, rolls back when it throws. */
  <T> T transaction(String begin, SessionTask<T> task) {
    take();
    try {
      return inTransaction(begin, task);
    } finally {
      leave();
    }
  }

  private <T> T inTransaction(String begin, SessionTask<T> task) {
    T result;
    try {
      Session current = opened();
      current.begin(begin);
      result = task.run(current);
    } catch (SQLException e) {
      recover(e);
      throw SqliteFault.of(e);
    } catch (StoreException e) {
      recover(e.getCause() instanceof SQLException cause ? cause : null);
      throw e;
    } catch (RuntimeException | Error e) {
      recover(null);
      throw e;
    }
    try {
      Session current = opened();
      if (current.inTransaction()) {
        current.commit();
      }
    } catch (SQLException e) {
      recover(e);
      throw SqliteFault.ofCommit(e);
    }
    return result;
  }

  /** Runs a task that must not be in a transaction, such as a checkpoint. */
  void outsideTransaction(SessionTask<?> task) {
    take();
    try {
      var unused = task.run(opened());
    } catch (SQLException e) {
      recover(e);
      throw SqliteFault.of(e);
    } finally {
      leave();
    }
  }

  private Session opened() throws SQLException {
    if (closed) {
      throw new IllegalStateException("Expected an open store, but it is closed");
    }
    Session current = session;
    if (current == null) {
      current = opening.open();
      session = current;
    }
    return current;
  }

  private void recover(@Nullable SQLException cause) {
    Session current = session;
    if (current == null) {
      return;
    }
    boolean whole = cause == null || SqliteFault.leavesConnectionWhole(cause);
    if (!whole && opening.canReopen()) {
      discard(current);
      return;
    }
    try {
      if (current.inTransaction()) {
        current.rollback();
      }
      if (!whole) {
        current.forget();
      }
    } catch (SQLException e) {
      // A session that cannot even roll back is in doubt, whatever the first error was.
      if (opening.canReopen()) {
        discard(current);
      }
    }
  }

  private void discard(Session current) {
    session = null;
    try {
      current.close();
    } catch (SQLException ignored) {
      // The session is being thrown away because of an error that the caller is told about.
    }
  }

  @Override
  public void close() {
    take();
    try {
      closed = true;
      Session current = session;
      session = null;
      if (current != null) {
        current.close();
      }
    } catch (SQLException e) {
      throw SqliteFault.of(e);
    } finally {
      leave();
    }
  }
}
