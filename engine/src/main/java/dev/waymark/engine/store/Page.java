package dev.waymark.engine.store;

import java.util.Iterator;
import java.util.List;

/**
 * Rows with documents that one statement has read. A page is bounded by rows and by {@link
 * dev.waymark.core.Limits#BATCH_BYTES}, whichever comes first; one row always comes, however large.
 *
 * @param more whether a bound was reached, so that others may lie behind these rows. Then the next
 *     page must be asked for, and may be empty
 */
public record Page<T>(List<T> rows, boolean more) implements Iterable<T> {

  public Page {
    rows = List.copyOf(rows);
    if (more && rows.isEmpty()) {
      throw new IllegalArgumentException(
          "Expected rows before those of another page, but got none");
    }
  }

  @Override
  public Iterator<T> iterator() {
    return rows.iterator();
  }
}
