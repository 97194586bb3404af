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
 * Waits in the hands of people and programs: who takes which, for how long, and what becomes of it.
 *
 * <p>A claim moves no run. It keeps others away for a while, and whoever comes late with it is
 * refused by its fence. Everything is of the caller's tenant, and within what the caller may act
 * on.
 */
public interface Bookmarks {

  /** The next task or approval that the caller may act on; absent if there is none. */
  Optional<ClaimResult.Held> claimNext(Duration lease, Caller caller);

  /**
   * The next waits that fit the request, at most as many as it wants: fewer if their documents are
   * large, and none only if there are none.
   */
  List<ClaimResult.Held> claim(ClaimRequest request, Caller caller);

  /** Takes one wait, as a person does from an inbox. Who has it already keeps what is there. */
  ClaimResult claim(BookmarkId bookmark, Duration lease, Caller caller);

  /** Holds it for so long from now on, if it may be extended once more. */
  ClaimResult extend(BookmarkId bookmark, Lease held, Duration lease, Caller caller);

  /** Says that the caller has begun with what it holds. */
  ClaimResult begin(BookmarkId bookmark, Lease held, Caller caller);

  /** Says how far it is, without completing it; whoever takes it over later reads it. */
  ClaimResult progress(
      BookmarkId bookmark,
      Lease held,
      Map<String, ? extends @Nullable Object> progress,
      Caller caller);

  /** Gives it back: it is free at once. */
  ClaimResult release(BookmarkId bookmark, Lease held, Caller caller);

  /** Gives back what the caller holds under its own name, as a person does who knows no fence. */
  ClaimResult release(BookmarkId bookmark, Caller caller);

  /** Answers an open bookmark on which nobody, or the caller, holds a lease. */
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
