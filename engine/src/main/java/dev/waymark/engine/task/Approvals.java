package dev.waymark.engine.task;

import dev.waymark.core.approval.Outcome;
import dev.waymark.core.approval.Vote;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Votes on approvals. A vote is counted in the step that stores it; who comes after the one that
 * decided is told who did, and when.
 */
public interface Approvals {

  Answer approve(BookmarkId id, String comment, Caller caller);

  Answer reject(BookmarkId id, String comment, Caller caller);

  /** Sends it back to be changed: the approval ends with that outcome. */
  Answer requestChanges(BookmarkId id, String comment, Caller caller);

  /**
   * Decides.
   *
   * @param onBehalfOf whose substitute the caller is; absent, it is found out
   */
  Answer vote(
      BookmarkId id, Outcome outcome, String comment, @Nullable String onBehalfOf, Caller caller);

  /**
   * Lets another speak for the caller in this approval.
   *
   * @param from absent, at once
   * @param until absent, as long as it is open
   */
  Answer delegate(
      BookmarkId id, String to, @Nullable Instant from, @Nullable Instant until, Caller caller);

  Answer comment(BookmarkId id, String text, Caller caller);

  /**
   * All votes of a run, in their order: the person, the people spoken for, the moment, the data and
   * the reason.
   */
  List<Vote> decisions(InstanceId instance, Caller caller);
}
