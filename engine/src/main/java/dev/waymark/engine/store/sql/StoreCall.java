package dev.waymark.engine.store.sql;

import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one store that wait for its database, made so that nothing else has to wait for
 * their threads. Each store has threads of its own: a store whose transactions are slow holds up no
 * other in the same process.
 *
 * <p>A virtual thread makes it on a platform thread: else it could lose its carrier to a body that
 * computes, while it holds a connection or the one writer that the engine itself needs. A thread of
 * the engine's pool tells its pool, which lets another thread take over meanwhile.
 */
public final class StoreCall implements AutoCloseable {

  private static final long IDLE_SECONDS = 5;

  /** For statements; more than these would only wait for a connection. */
  private final ThreadPoolExecutor statements = threads("waymark-store-", 16);

  /** For transactions that call user code: they may take long, and statements pass them by. */
  private final ThreadPoolExecutor transactions = threads("waymark-transaction-", 32);

  private volatile boolean closed;

  private static final ThreadLocal<Boolean> IN_TRANSACTION = ThreadLocal.withInitial(() -> false);

  /** Runs one statement or a few. */
  public <T> T run(Supplier<T> call) {
    return run(call, statements);
  }

  /** Runs a transaction that user code takes part in. */
  public <T> T inTransaction(Supplier<T> call) {
    return run(() -> marked(call), transactions);
  }

  /**
   * True if this thread is inside such a transaction. A call that it makes meanwhile has to stay on
   * it: of a database in memory it holds the only connection.
   */
  public static boolean isInTransaction() {
    return IN_TRANSACTION.get();
  }

  /**
   * Lets the threads go. A call that comes later is still made, on a thread that ends with it: the
   * error then comes from the closed database itself.
   */
  @Override
  public void close() {
    closed = true;
    statements.setKeepAliveTime(1, TimeUnit.MILLISECONDS);
    transactions.setKeepAliveTime(1, TimeUnit.MILLISECONDS);
  }

  /**
   * Says so at once if the store was closed, instead of trying for as long as a caller waits.
   *
   * @throws IllegalStateException if it was
   */
  public void refuseIfClosed() {
    if (closed) {
      throw new IllegalStateException("Expected an open store, but it is closed");
    }
  }

  private static <T> T marked(Supplier<T> call) {
    boolean before = IN_TRANSACTION.get();
    IN_TRANSACTION.set(true);
    try {
      return call.get();
    } finally {
      if (!before) {
        IN_TRANSACTION.remove();
      }
    }
  }

  private static <T> T run(Supplier<T> call, ThreadPoolExecutor threads) {
    Thread current = Thread.currentThread();
    if (current.isVirtual()) {
      return elsewhere(call, threads);
    }
    return current instanceof ForkJoinWorkerThread ? blocking(call) : call.get();
  }

  private static ThreadPoolExecutor threads(String name, int most) {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            most,
            most,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name(name, 1).factory());
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  private static <T> T elsewhere(Supplier<T> call, ThreadPoolExecutor threads) {
    Interruptible<T> task = new Interruptible<>(call);
    threads.execute(task);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          // The call is interrupted in its turn, and decides what comes of that.
          interrupted = true;
          task.interrupt();
        }
      }
    } catch (ExecutionException | CancellationException e) {
      throw unchecked(e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static RuntimeException unchecked(Exception fault) {
    if (fault.getCause() instanceof RuntimeException cause) {
      return cause;
    }
    if (fault.getCause() instanceof Error cause) {
      throw cause;
    }
    return new IllegalStateException(fault);
  }

  /** A task that can be interrupted and is still waited for. */
  private static final class Interruptible<T> extends FutureTask<T> {

    private @Nullable Thread runner;
    private boolean interrupted;

    Interruptible(Supplier<T> call) {
      super(call::get);
    }

    @Override
    public void run() {
      synchronized (this) {
        runner = Thread.currentThread();
        if (interrupted) {
          runner.interrupt();
        }
      }
      super.run();
      synchronized (this) {
        runner = null;
      }
      var unused = Thread.interrupted();
    }

    synchronized void interrupt() {
      interrupted = true;
      if (runner != null) {
        runner.interrupt();
      }
    }
  }

  private static <T> T blocking(Supplier<T> call) {
    Blocking<T> blocker = new Blocking<>(call);
    try {
      ForkJoinPool.managedBlock(blocker);
    } catch (InterruptedException e) {
      throw new IllegalStateException("Expected a call that handles its interrupts", e);
    }
    return blocker.result();
  }

  private static final class Blocking<T> implements ForkJoinPool.ManagedBlocker {

    private final Supplier<T> call;
    private @Nullable T result;
    private boolean done;

    Blocking(Supplier<T> call) {
      this.call = call;
    }

    @Override
    public boolean block() {
      result = call.get();
      done = true;
      return true;
    }

    @Override
    public boolean isReleasable() {
      return done;
    }

    @SuppressWarnings("NullAway") // A call that gives null gives it on: T says whether it may.
    T result() {
      return result;
    }
  }
}
