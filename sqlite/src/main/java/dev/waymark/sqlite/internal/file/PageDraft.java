package dev.waymark.sqlite.internal.file;

import dev.waymark.core.Limits;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.StoredSchedules.ScheduleRow;
import dev.waymark.engine.store.UnitRows.HistoryRow;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.engine.store.Waits.WaitRow;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A page of rows with documents while it is read, perhaps by several queries. SQLite finds a row
 * when it is asked for it, so the rows behind a full page cost nothing.
 *
 * @param <T> what one row becomes
 */
public final class PageDraft<T> {

  private final int limit;
  private final ToLongFunction<T> size;
  private final List<T> rows = new ArrayList<>();
  private long bytes;

  /**
   * An empty page.
   *
   * @param size the length of the documents of one row
   */
  public PageDraft(int limit, ToLongFunction<T> size) {
    this.limit = limit;
    this.size = size;
  }

  public static PageDraft<MessageRow> ofMessages(int limit) {
    return new PageDraft<>(limit, PageDraft::size);
  }

  public static PageDraft<WaitRow> ofWaits(int limit) {
    return new PageDraft<>(limit, WaitRow::size);
  }

  public static PageDraft<HistoryRow> ofHistory(int limit) {
    return new PageDraft<>(
        limit, row -> length(row.changes()) + length(row.detail()) + length(row.snapshot()));
  }

  public static PageDraft<ScheduleRow> ofSchedules(int limit) {
    return new PageDraft<>(limit, row -> length(row.spec()) + length(row.state()));
  }

  public static long size(MessageRow message) {
    return length(message.payload());
  }

  private static long length(@Nullable String document) {
    return document == null ? 0 : document.length();
  }

  public boolean isFull() {
    return rows.size() >= limit || bytes >= Limits.BATCH_BYTES;
  }

  /** The rows that it has room for. */
  public int room() {
    return limit - rows.size();
  }

  public void add(T row) {
    rows.add(row);
    bytes += size.applyAsLong(row);
  }

  /** Adds rows until it is full, and leaves out the others. */
  public void addWhileRoom(Iterable<T> all) {
    for (T row : all) {
      if (isFull()) {
        return;
      }
      add(row);
    }
  }

  public Page<T> page() {
    return new Page<>(rows, isFull());
  }
}
