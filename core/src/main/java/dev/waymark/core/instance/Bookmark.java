package dev.waymark.core.instance;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One wait: a run stands still here until a person, a message or a moment moves it on.
 *
 * <p>A bookmark is open until a step closes it, and closed for ever then. Its lease changes without
 * a step (claims do not move the instance), so a caller that spends it names the fence of its own
 * claim.
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

  /** The end of a bookmark. The order is stored. */
  public enum End {
    CONSUMED,
    WITHDRAWN,
    EXPIRED
  }

  /** The state of a wait. It is derived, and so never out of date. */
  public enum State {
    /** Open, but cannot be claimed: a timer, or a wait for a child. */
    CREATED,
    /** Not held; also once its holder has released it or let the lease pass. */
    AVAILABLE,
    CLAIMED,
    /** Claimed, and the holder said that it has begun. */
    PROCESSING,
    CONSUMED,
    /**
     * Its time is over: a caller may not act on it any more, whether or not a step has closed it
     * yet.
     */
    EXPIRED,
    WITHDRAWN
  }

  /** The actor who closed a bookmark, and the moment: a second click is told both. */
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

  /**
   * The state at a moment.
   *
   * @param begun whether its holder said that it has begun
   */
  public State stateAt(Instant moment, boolean begun) {
    if (closing != null) {
      return switch (closing.end()) {
        case CONSUMED -> State.CONSUMED;
        case WITHDRAWN -> State.WITHDRAWN;
        case EXPIRED -> State.EXPIRED;
      };
    }
    if (isExpiredAt(moment)) {
      return State.EXPIRED;
    }
    if (lease != null && lease.isLiveAt(moment)) {
      return begun ? State.PROCESSING : State.CLAIMED;
    }
    return kind == BookmarkKind.TIMER || Message.isEnded(key) ? State.CREATED : State.AVAILABLE;
  }

  /** The payload, read as its kind means it. */
  public Details details() {
    return DetailsReader.of(this);
  }

  public boolean isExpiredAt(Instant moment) {
    return terms.expires() != null && !moment.isBefore(terms.expires());
  }

  /**
   * True if the wait was over when it began: a timer that was due, or an answer that came too late
   * from the first. A loop over such waits spins as one without any.
   */
  public boolean isOverAtOnce() {
    return isExpiredAt(created)
        || (kind == BookmarkKind.TIMER && due != null && !due.isAfter(created));
  }

  /** The same wait with a lease. */
  public Bookmark heldBy(Lease holders) {
    return new Bookmark(id, visit, kind, key, payload, due, holders, created, closing, terms);
  }

  public boolean isOpen() {
    return closing == null;
  }

  public Bookmark closed(End end, String by, Instant at) {
    return new Bookmark(
        id, visit, kind, key, payload, due, null, created, new Closing(end, by, at), terms);
  }
}
