package dev.waymark.postgres.internal.sql;

import dev.waymark.core.Limits;
import dev.waymark.engine.store.Page;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A {@link HotQuery} for rows with payloads, which reads at most a given number of rows and a given
 * number of bytes. Its text gives with each row {@code bytes}, the lengths of all payloads up to
 * this row, and leaves out the rows that have {@code :bytes} before them. PostgreSQL knows the
 * length of a large payload from the pointer to it, and reads only those of the rows that come out.
 *
 * @param <T> what one row becomes
 */
public final class PagedQuery<T> {

  private final HotQuery<Counted<T>> query;

  /** A row, and the lengths of all documents up to it. */
  public record Counted<T>(T row, long bytes) {}

  public PagedQuery(
      Pools pools, String what, HotStatement statement, HotQuery.ResultRowReader<T> reading) {
    query =
        new HotQuery<>(
            pools, what, statement, row -> new Counted<>(reading.of(row), row.getLong("bytes")));
  }

  /**
   * Reads one page.
   *
   * @param values for every name in the text, but for {@code limit} and {@code bytes}
   */
  public Page<T> ask(Map<String, ?> values, int limit) {
    Map<String, @Nullable Object> bounded = new HashMap<>(values);
    bounded.put("limit", limit);
    bounded.put("bytes", (long) Limits.BATCH_BYTES);
    return page(query.ask(bounded), limit);
  }

  /** The rows that a statement of this kind gave, with whether it reached a bound. */
  public static <T> Page<T> page(List<Counted<T>> counted, int limit) {
    boolean full =
        counted.size() >= limit || counted.stream().anyMatch(c -> c.bytes() >= Limits.BATCH_BYTES);
    return new Page<>(counted.stream().map(Counted::row).toList(), full);
  }
}
