package dev.waymark.engine.store;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.query.InboxPlace;
import dev.waymark.engine.store.UnitRows.BookmarkRow;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Open waits as people and operators look for them: across instances, and in pages, which are
 * bounded by rows and by bytes as {@link Page} is.
 */
public interface Waits {

  /** A wait, its instance, and the progress of its holder. */
  record WaitRow(InstanceId instance, String tenant, BookmarkRow bookmark, Handling handling) {

    public BookmarkId id() {
      return new BookmarkId(instance, bookmark.tag());
    }

    /** The place of the wait in an inbox. */
    public InboxPlace place() {
      return new InboxPlace(bookmark.due(), instance, bookmark.tag());
    }

    /** The length of its documents. */
    public long size() {
      return length(bookmark.payload())
          + length(bookmark.terms().document())
          + length(handling.progress());
    }

    private static long length(@Nullable String document) {
      return document == null ? 0 : document.length();
    }
  }

  /**
   * The progress of a wait that a holder has claimed.
   *
   * @param begun whether the holder of the last lease said that it began
   * @param extensions how often the last lease may still be extended
   * @param progress the progress that the holder has stored
   */
  record Handling(boolean begun, int extensions, @Nullable String progress) {}

  /**
   * A page of the waits that these names may act on, the first due first. Each wait comes once, by
   * however many of the names it is found.
   *
   * @param who {@code user:…} and {@code group:…}
   */
  Page<WaitRow> inbox(String tenant, Collection<String> who, InboxPlace after, int limit);

  /** One wait, also if it is closed. */
  @Nullable WaitRow find(String tenant, BookmarkId bookmark);

  /** Open waits of a key, in the order of their instances. */
  List<WaitRow> byKey(String tenant, String key, int limit);

  /** Open waits that a message with this correlation would reach. */
  List<WaitRow> byCorrelation(String tenant, String correlation, int limit);

  /** Open waits of a kind, the first due first. Waits for children are not among them. */
  List<WaitRow> open(String tenant, BookmarkKind kind, InboxPlace after, int limit);

  /** Open waits of a kind that were due before a moment, the longest first. */
  List<WaitRow> overdue(String tenant, BookmarkKind kind, Instant before, int limit);

  /** Waits whose holder let the lease pass; they are free, and the holder may not know. */
  List<WaitRow> lapsedLeases(String tenant, int limit);

  /** The numbers of open waits. Closed ones are not counted: they are history, which only grows. */
  List<Count> count(String tenant);

  /**
   * Open waits of a kind.
   *
   * @param available waits that can be claimed now
   * @param claimed with a live lease whose holder has not said that it began
   * @param processing with a live lease whose holder has
   * @param expired waits that have expired and that no step has closed yet
   * @param oldest the beginning of the oldest wait that was never claimed, or was given back
   */
  record Count(
      BookmarkKind kind,
      long available,
      long claimed,
      long processing,
      long expired,
      @Nullable Instant oldest) {}

  /** Tenants with a wait of a kind that has no holder, in their order. */
  List<String> tenantsWith(BookmarkKind kind, int limit);

  /** Waits of all tenants whose time is over: expired, or to be escalated. */
  List<BookmarkId> outOfTime(int limit);

  /** The time, past or future, at which the next wait is out of time. */
  @Nullable Instant nextOutOfTime();
}
