package dev.waymark.engine.store.sqlite;

import dev.waymark.core.Limits;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.UnitRows.MessageRow;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A page of messages while it is read, perhaps by several queries. SQLite finds a row when it is
 * asked for it, so the rows behind a full page cost nothing.
 *
 * @param <T> what one row becomes
 */
final class PageDraft<T> {

  private final int limit;
  private final Function<T, MessageRow> message;
  private final List<T> rows = new ArrayList<>();
  private long bytes;

  PageDraft(int limit, Function<T, MessageRow> message) {
    this.limit = limit;
    this.message = message;
  }

  static PageDraft<MessageRow> ofMessages(int limit) {
    return new PageDraft<>(limit, row -> row);
  }

  boolean isFull() {
    return rows.size() >= limit || bytes >= Limits.BATCH_BYTES;
  }

  /** The rows that it has room for. */
  int room() {
    return limit - rows.size();
  }

  void add(T row) {
    rows.add(row);
    String payload = message.apply(row).payload();
    bytes += payload == null ? 0 : payload.length();
  }

  Page<T> page() {
    return new Page<>(rows, isFull());
  }
}
