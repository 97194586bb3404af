package dev.waymark.engine.internal.message;

import dev.waymark.engine.store.Page;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;

/** Stored rows page by page: each call reads the page behind the last one. */
interface Pages<T> {

  Page<T> next();

  /**
   * Pages of rows that have an order.
   *
   * @param start the place before all rows
   * @param read the page behind a place
   * @param place where a row lies
   */
  static <P, T> Pages<T> behind(P start, Function<P, Page<T>> read, Function<T, P> place) {
    return new Pages<>() {
      private P after = start;

      @Override
      public Page<T> next() {
        Page<T> page = read.apply(after);
        if (!page.rows().isEmpty()) {
          after = place.apply(page.rows().getLast());
        }
        return page;
      }
    };
  }

  /** All pages of the first, then all pages of the second, and so on. */
  static <T> Pages<T> oneAfterAnother(Iterator<Pages<T>> several) {
    return new Pages<>() {
      private Page<T> last = new Page<>(List.of(), false);
      private Pages<T> current = () -> last;

      @Override
      public Page<T> next() {
        do {
          if (!last.more() && several.hasNext()) {
            current = several.next();
          }
          last = current.next();
        } while (last.rows().isEmpty() && several.hasNext());
        return new Page<>(last.rows(), last.more() || several.hasNext());
      }
    };
  }
}
