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

  /** The first page of what the caller may act on, alone, in a group, or for somebody absent. */
  TaskPage inbox(int limit, Caller caller);

  /** The page after another. */
  TaskPage inbox(InboxPlace from, int limit, Caller caller);

  /**
   * A page of the tasks and approvals that are a user's own: assigned to them, or naming them. What
   * only a group of theirs may do is not among them. For the user themselves and for operators.
   *
   * @throws CommandRefused if the caller is neither
   */
  TaskPage of(String user, InboxPlace from, int limit, Caller caller);

  /** Takes a task for a working day, so that nobody else begins with it. */
  ClaimResult claim(BookmarkId id, Caller caller);

  /**
   * Takes a task for a while. It is in everybody's inbox still, with the name of who has it; and
   * free again when the time is over, without anybody doing anything. Whoever has it already keeps
   * what is there: to have it longer, extend the lease.
   */
  ClaimResult claim(BookmarkId id, Duration lease, Caller caller);

  /** Puts a task back that the caller has taken: it is free at once. */
  ClaimResult release(BookmarkId id, Caller caller);

  /** Ends a task with an answer, which must fit its form. */
  Answer complete(BookmarkId id, Map<String, ? extends @Nullable Object> answer, Caller caller);

  /** The same for who has claimed it, with the fence of the claim. */
  Answer complete(
      BookmarkId id, long fence, Map<String, ? extends @Nullable Object> answer, Caller caller);

  /** Makes it one person's, also where it was another's. */
  Answer assign(BookmarkId id, String to, Caller caller);

  /** Gives it back to all who may do it. */
  Answer giveBack(BookmarkId id, Caller caller);

  /** Lets somebody else work on it; it comes back when that one resolves it. */
  Answer delegate(BookmarkId id, String to, Caller caller);

  /** Hands a delegated task back to who delegated it. */
  Answer resolve(BookmarkId id, String comment, Caller caller);

  Answer comment(BookmarkId id, String text, Caller caller);

  /** Names a document that belongs to it. */
  Answer attach(BookmarkId id, String name, String uri, long size, Caller caller);

  /**
   * Gives a task or an approval another due date, by which inboxes are in order. For operators:
   * whoever has the work cannot put off what is asked of them. Reminders and escalations are timers
   * of their own, which {@link Operations#rescheduleTimer} moves.
   *
   * @param due absent if it is due no more
   */
  Answer reschedule(BookmarkId id, @Nullable Instant due, String reason, Caller caller);

  /**
   * Makes the work of one person another's: a task that is assigned to them, names them or is
   * claimed by them, or their voice in an approval. For operators. Who is excluded from it, or has
   * a voice in the same approval already, does not get it.
   */
  Answer handOver(BookmarkId id, String from, String to, String reason, Caller caller);

  /**
   * The same for a page of all that is a user's own, as {@link #of} lists it: each in a step of its
   * own, so that what cannot be handed over keeps nothing else from it. Asked for again, it hands
   * over what is left.
   *
   * @param after where the page before ended; {@link InboxPlace#START} for the first
   * @throws CommandRefused if the caller is no operator
   */
  HandOverReport handOverAll(
      String from, String to, String reason, InboxPlace after, int limit, Caller caller);
}
