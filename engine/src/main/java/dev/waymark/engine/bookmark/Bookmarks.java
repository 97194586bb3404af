package dev.waymark.engine.bookmark;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.Lease;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Waits in the hands of people and programs: claims, leases and answers.
 *
 * <p>A claim moves no run. It keeps others away for a while, and an answer under a claim that has
 * ended is refused by its fence. A caller reaches only the waits of its tenant that it may act on.
 */
public interface Bookmarks {

  /** The next task or approval that the caller may act on; absent if there is none. */
  Optional<ClaimResult.Held> claimNext(Duration lease, Caller caller);

  /**
   * The next waits that fit the request, at most as many as it wants: fewer if their documents are
   * large, and none only if there are none.
   */
  List<ClaimResult.Held> claim(ClaimRequest request, Caller caller);

  /**
   * Claims one wait, as a person does from an inbox. A caller that holds it already keeps its
   * lease.
   */
  ClaimResult claim(BookmarkId bookmark, Duration lease, Caller caller);

  /** Extends the lease to this time from now on, if it may be extended once more. */
  ClaimResult extend(BookmarkId bookmark, Lease held, Duration lease, Caller caller);

  /** Says that the caller has begun to work on the wait that it holds. */
  ClaimResult begin(BookmarkId bookmark, Lease held, Caller caller);

  /** Stores the progress of the work without completing it; a later holder can read it. */
  ClaimResult progress(
      BookmarkId bookmark,
      Lease held,
      Map<String, ? extends @Nullable Object> progress,
      Caller caller);

  /** Gives it back: it is free at once. */
  ClaimResult release(BookmarkId bookmark, Lease held, Caller caller);

  /**
   * Gives back a wait that the caller holds under its own name, as a person does who knows no
   * fence.
   */
  ClaimResult release(BookmarkId bookmark, Caller caller);

  /** Answers an open bookmark that has no lease, or a lease of the caller. */
  Answer resume(
      BookmarkId bookmark, Map<String, ? extends @Nullable Object> payload, Caller caller);

  /** Answers a bookmark that the caller has claimed, with the fence of its claim. */
  Answer resume(
      BookmarkId bookmark,
      long fence,
      Map<String, ? extends @Nullable Object> payload,
      Caller caller);

  /** The same with the lease that the claim gave. */
  Answer resume(
      BookmarkId bookmark,
      Lease held,
      Map<String, ? extends @Nullable Object> payload,
      Caller caller);

  CompletableFuture<Answer> resumeAsync(
      BookmarkId bookmark, Map<String, ? extends @Nullable Object> payload, Caller caller);

  /** Questions about waits, across instances. */
  BookmarkQueries look();

  /** The archiving and removal of waits that are closed. */
  Housekeeping housekeeping();
}
