package dev.waymark.core.instance;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One wait: where a run stands still until somebody or something moves it on.
 *
 * <p>A bookmark is open until a step closes it, and closed for ever then. Its lease changes without
 * a step (claims do not move the instance), so whoever spends it names the fence it holds.
 */
public record Bookmark(
    BookmarkId id,
    long visit,
    BookmarkKind kind,
    String key,
    Map<String, @Nullable Object> payload,
    @Nullable Instant due,
    @Nullable Lease lease,
    Instant created,
    @Nullable Closing closing,
    Terms terms) {

  /** How a bookmark ended. The order is stored. */
  public enum End {
    CONSUMED,
    WITHDRAWN
  }

  /** Who closed a bookmark and when: what a second click is told. */
  public record Closing(End end, String by, Instant at) {}

  public Bookmark {
    requireNonNull(id, "id");
    requireNonNull(kind, "kind");
    Limits.name("a bookmark key", key);
    requireNonNull(created, "created");
    requireNonNull(terms, "terms");
    if (kind == BookmarkKind.TIMER && due == null) {
      throw new IllegalArgumentException(
          "Expected a due time on timer '" + key + "', but got none");
    }
  }

  /** The same wait, with other terms and another due time. */
  public Bookmark with(
      Map<String, @Nullable Object> otherPayload, @Nullable Instant otherDue, Terms otherTerms) {
    return new Bookmark(
        id, visit, kind, key, otherPayload, otherDue, lease, created, closing, otherTerms);
  }

  public boolean isOpen() {
    return closing == null;
  }

  public Bookmark closed(End end, String by, Instant at) {
    return new Bookmark(
        id, visit, kind, key, payload, due, null, created, new Closing(end, by, at), terms);
  }
}
