package dev.waymark.engine.internal.message;

import dev.waymark.engine.internal.step.CommandPage;
import dev.waymark.engine.spi.Scheduler;
import dev.waymark.engine.store.Page;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/**
 * A look at stored rows that holds one page of them in memory: the next is read when all rows of
 * the one before have come to their end, or when one instance holds them up (see {@link
 * CommandPage}).
 */
final class PagedLook<T> {

  private final Scheduler scheduler;
  private final Pages<T> pages;
  private final BiConsumer<T, Runnable> deal;
  private final boolean toTheEnd;
  private final CompletableFuture<Boolean> done = new CompletableFuture<>();

  private PagedLook(
      Scheduler scheduler, Pages<T> pages, BiConsumer<T, Runnable> deal, boolean toTheEnd) {
    this.scheduler = scheduler;
    this.pages = pages;
    this.deal = deal;
    this.toTheEnd = toTheEnd;
  }

  /**
   * Looks, and completes when the last page was handed on. That nearly always is the first page,
   * before this returns, so that the next look need not wait until the rows of this one are
   * handled.
   *
   * @param deal handles a row and runs its argument when that has ended, successful or not
   */
  static <T> CompletableFuture<Boolean> untilRead(
      Scheduler scheduler, Pages<T> pages, BiConsumer<T, Runnable> deal) {
    return new PagedLook<>(scheduler, pages, deal, false).begin();
  }

  /** The same, and completes when the rows of the last page have come to their end too. */
  static <T> CompletableFuture<Boolean> untilEnded(
      Scheduler scheduler, Pages<T> pages, BiConsumer<T, Runnable> deal) {
    return new PagedLook<>(scheduler, pages, deal, true).begin();
  }

  private CompletableFuture<Boolean> begin() {
    page();
    return done;
  }

  private void page() {
    try {
      Page<T> page = pages.next();
      if (page.more()) {
        dealWith(page, this::page);
      } else if (toTheEnd && !page.rows().isEmpty()) {
        dealWith(page, () -> done.complete(true));
      } else {
        page.forEach(row -> deal.accept(row, () -> {}));
        done.complete(true);
      }
    } catch (RuntimeException | Error e) {
      done.completeExceptionally(e);
    }
  }

  private void dealWith(Page<T> page, Runnable next) {
    CommandPage commands = new CommandPage(scheduler, next);
    Runnable each = commands.each(page.rows().size());
    for (T row : page) {
      deal.accept(row, each);
    }
    commands.limit();
  }
}
