package dev.waymark.engine.task;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.Operations;
import dev.waymark.engine.bookmark.ClaimResult;
import dev.waymark.engine.query.InboxPlace;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The work of people: the tasks that they see, and the verbs by which they act on them. Everything
 * but a claim is a step with its place in history; a caller who may not act, or not any more, is
 * told why.
 */
public interface Tasks {

  /** An open task or approval that the caller may act on, with all that was said about it. */
  Optional<Task> find(BookmarkId id, Caller caller);

  /**
   * The first page of the tasks that the caller may act on, alone, in a group, or for an absent
   * person.
   */
  TaskPage inbox(int limit, Caller caller);

  /** The page after another. */
  TaskPage inbox(InboxPlace from, int limit, Caller caller);

  /**
   * A page of the tasks and approvals that are a user's own: assigned to them, or naming them.
   * Tasks of their groups are not among them. For the user themselves and for operators.
   *
   * @throws CommandRefused if the caller is neither
   */
  TaskPage of(String user, InboxPlace from, int limit, Caller caller);

  /** Claims a task for a working day, so that no other person begins with it. */
  ClaimResult claim(BookmarkId id, Caller caller);

  /**
   * Claims a task for a while. It is still in the inboxes of all candidates, with the name of its
   * holder; and free again when the time is over, without any command. A caller that holds it
   * already keeps its lease: to have it longer, extend the lease.
   */
  ClaimResult claim(BookmarkId id, Duration lease, Caller caller);

  /** Puts a task back that the caller has taken: it is free at once. */
  ClaimResult release(BookmarkId id, Caller caller);

  /** Ends a task with an answer, which must fit its form. */
  Answer complete(BookmarkId id, Map<String, ? extends @Nullable Object> answer, Caller caller);

  /** The same for the holder of a claim, with its fence. */
  Answer complete(
      BookmarkId id, long fence, Map<String, ? extends @Nullable Object> answer, Caller caller);

  /** Assigns it to one person, also if another one had it. */
  Answer assign(BookmarkId id, String to, Caller caller);

  /** Gives it back to all who may do it. */
  Answer giveBack(BookmarkId id, Caller caller);

  /** Lets another person work on it; it comes back when that person resolves it. */
  Answer delegate(BookmarkId id, String to, Caller caller);

  /** Hands a delegated task back to who delegated it. */
  Answer resolve(BookmarkId id, String comment, Caller caller);

  Answer comment(BookmarkId id, String text, Caller caller);

  /** Names a document that belongs to it. */
  Answer attach(BookmarkId id, String name, String uri, long size, Caller caller);

  /**
   * Gives a task or an approval another due date, by which inboxes are in order. For operators: an
   * assignee cannot put off the own work. Reminders and escalations are timers of their own, which
   * {@link Operations#rescheduleTimer} moves.
   *
   * @param due absent if it is due no more
   */
  Answer reschedule(BookmarkId id, @Nullable Instant due, String reason, Caller caller);

  /**
   * Gives the work of one person to another: a task that is assigned to them, names them or is
   * claimed by them, or their voice in an approval. For operators. A person who is excluded from
   * it, or has a voice in the same approval already, does not get it.
   */
  Answer handOver(BookmarkId id, String from, String to, String reason, Caller caller);

  /**
   * The same for a page of a user's own tasks and approvals, as {@link #of} lists them: each in a
   * step of its own, so that one that cannot be handed over does not stop the others. Asked for
   * again, it hands over the rest.
   *
   * @param after the place where the page before ended; {@link InboxPlace#START} for the first
   * @throws CommandRefused if the caller is no operator
   */
  HandOverReport handOverAll(
      String from, String to, String reason, InboxPlace after, int limit, Caller caller);
}
