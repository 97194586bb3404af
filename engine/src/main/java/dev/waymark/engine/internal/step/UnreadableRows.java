package dev.waymark.engine.internal.step;

import dev.waymark.core.Limits;
import dev.waymark.engine.EngineException;
import dev.waymark.engine.UnreadableRow;
import dev.waymark.engine.internal.node.Backoff;
import dev.waymark.engine.internal.node.Trace;
import dev.waymark.engine.internal.row.RowKind;
import dev.waymark.engine.internal.row.UnreadableException;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.StoreException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows that this node could not read or act on, for operators to see. Every reader of a page
 * reads its rows through this class, one by one: a row that cannot be read is entered here and left
 * alone for a while, and the others are worked on as if it were not there.
 *
 * <p>A search for due rows finds such a row again each time. It therefore asks for as many rows
 * more as are {@link #aside}, and takes those that this {@link #admits}: so not even a page full of
 * unreadable rows keeps the ones behind it from being found.
 *
 * <p>The list is in memory, and so each node has its own: one version of the software may read a
 * row that another cannot.
 */
public final class UnreadableRows {

  private static final Logger log = LoggerFactory.getLogger(UnreadableRows.class);

  private static final Backoff BACKOFF =
      new Backoff(Limits.UNREADABLE_FIRST, Limits.UNREADABLE_WORST);

  private final InstantSource clock;
  private final Map<RowName, RowAside> rows = new LinkedHashMap<>();
  private final Map<String, Integer> perTable = new HashMap<>();

  /** Read without the lock: where nothing is amiss, a row that is read costs nothing more. */
  private volatile boolean none = true;

  private record RowName(String table, String key) {}

  private record RowAside(UnreadableRow row, Instant until) {}

  public UnreadableRows(InstantSource clock) {
    this.clock = clock;
  }

  // ---- reading

  /** Reads these rows, in their order, and leaves out those that cannot be read. */
  public <R, T> List<T> read(RowKind<R> kind, Collection<R> from, Function<R, T> reading) {
    List<T> read = new ArrayList<>(from.size());
    for (R row : from) {
      T value = readOne(kind, row, reading);
      if (value != null) {
        read.add(value);
      }
    }
    return read;
  }

  /**
   * The rows that can be read of one page; of the next one if it has none. So an empty answer says
   * that there is nothing behind the place.
   */
  public <R, T, P> List<T> readPage(
      RowKind<R> kind,
      P after,
      Function<P, Page<R>> pages,
      Function<R, P> place,
      Function<R, T> reading) {
    P from = after;
    while (true) {
      Page<R> page = pages.apply(from);
      List<T> read = read(kind, page.rows(), reading);
      if (!read.isEmpty() || !page.more()) {
        return read;
      }
      from = place.apply(page.rows().getLast());
    }
  }

  /** Reads a part of each row: that it can be read says nothing about the rest. */
  public <R, T> List<T> readParts(RowKind<R> kind, Collection<R> from, Function<R, T> reading) {
    List<T> read = new ArrayList<>(from.size());
    for (R row : from) {
      T value = tried(kind, row, reading);
      if (value != null) {
        read.add(value);
      }
    }
    return read;
  }

  /**
   * One row; absent if it cannot be read.
   *
   * @throws StoreException if the world is at fault and not the row
   */
  public <R, T> @Nullable T readOne(RowKind<R> kind, R row, Function<R, T> reading) {
    T value = tried(kind, row, reading);
    if (value != null) {
      healed(kind, row);
    }
    return value;
  }

  private <R, T> @Nullable T tried(RowKind<R> kind, R row, Function<R, T> reading) {
    try {
      return reading.apply(row);
    } catch (RuntimeException | StackOverflowError e) {
      // Where a reader is closed without memory, Java wraps the one error in an exception.
      if (StoreException.isPassing(e) || e.getCause() instanceof OutOfMemoryError) {
        throw e;
      }
      put(kind, row, e);
      return null;
    }
  }

  /** Reads one row that a caller asks for by name; the caller is told if it cannot be read. */
  public <R, T> T mustRead(RowKind<R> kind, R row, Function<R, T> reading) {
    T value = readOne(kind, row, reading);
    if (value == null) {
      throw new EngineException(
          "Expected row %s of %s, but it cannot be read: see the unreadable rows"
              .formatted(kind.key().apply(row), kind.table()),
          null);
    }
    return value;
  }

  // ---- searches for due rows

  /** The number of rows of a table that are put aside: a search asks for as many more. */
  public int aside(RowKind<?> kind) {
    if (none) {
      return 0;
    }
    synchronized (rows) {
      return perTable.getOrDefault(kind.table(), 0);
    }
  }

  /** True if a row may be tried now: it was never put aside, or long enough ago. */
  public <R> boolean admits(RowKind<R> kind, R row) {
    if (none) {
      return true;
    }
    synchronized (rows) {
      RowAside entry = rows.get(name(kind, row));
      return entry == null || !entry.until().isAfter(clock.instant());
    }
  }

  /** Takes the outcome of a command about a row: with a fault the row is put aside. */
  public <R> void heard(RowKind<R> kind, R row, PendingCommand.Outcome outcome) {
    Throwable fault = outcome.fault();
    if (fault == null) {
      healed(kind, row);
    } else if (!StoreException.isPassing(fault)) {
      put(kind, row, fault);
    }
  }

  // ---- entering

  /**
   * A row is put aside; and where the fault names another row that is at the root of it, that too.
   */
  public <R> void put(RowKind<R> kind, R row, Throwable fault) {
    String tenant = kind.tenant().apply(row);
    put(name(kind, row), tenant, fault);
    if (fault instanceof UnreadableException root) {
      put(new RowName(root.table(), root.key()), tenant == null ? root.tenant() : tenant, fault);
    }
  }

  private void put(RowName name, @Nullable String whose, Throwable fault) {
    Instant now = clock.instant();
    String why = text(fault);
    boolean first;
    synchronized (rows) {
      // Taken out and put in again, so that the one seen longest ago is always the first.
      RowAside before = rows.remove(name);
      first = before == null;
      long times = before == null ? 1 : before.row().times() + 1;
      Instant since = before == null ? now : before.row().since();
      String tenant = whose == null && before != null ? before.row().tenant() : whose;
      rows.put(
          name,
          new RowAside(
              new UnreadableRow(name.table(), name.key(), tenant, why, since, now, times),
              now.plus(BACKOFF.after(times))));
      if (first) {
        perTable.merge(name.table(), 1, Integer::sum);
        forgetOldest();
      }
      none = false;
    }
    if (first) {
      log.error(
          "Row {} of {} (tenant {}) cannot be read; it is put aside and tried again now and then",
          name.key(),
          name.table(),
          whose,
          fault);
    }
  }

  private void forgetOldest() {
    while (rows.size() > Limits.UNREADABLE_ROWS) {
      remove(rows.keySet().iterator().next());
    }
  }

  private void remove(RowName name) {
    if (rows.remove(name) != null) {
      perTable.merge(name.table(), -1, Integer::sum);
    }
    none = rows.isEmpty();
  }

  private static String text(Throwable fault) {
    Throwable cause =
        fault instanceof UnreadableException && fault.getCause() != null ? fault.getCause() : fault;
    return Trace.message(cause);
  }

  private <R> void healed(RowKind<R> kind, R row) {
    if (!none) {
      synchronized (rows) {
        remove(name(kind, row));
      }
    }
  }

  private static <R> RowName name(RowKind<R> kind, R row) {
    return new RowName(kind.table(), kind.key().apply(row));
  }

  // ---- for operators

  /** All of them, the one seen longest ago first. */
  public List<UnreadableRow> list() {
    synchronized (rows) {
      return rows.values().stream().map(RowAside::row).toList();
    }
  }
}
