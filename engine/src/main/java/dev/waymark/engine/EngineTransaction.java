package dev.waymark.engine;

import dev.waymark.core.approval.Outcome;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.message.Messages;
import dev.waymark.engine.task.Approvals;
import dev.waymark.engine.task.Tasks;
import java.sql.Connection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The engine inside the caller's transaction: its step becomes durable with the caller's rows, or
 * not at all.
 *
 * <p>The bodies that such a step starts are left ready, because only the caller knows when, and
 * whether, its transaction commits; a node takes them soon after.
 */
public interface EngineTransaction {

  /** The transaction's connection, for rows of your own. Do not commit it or close it. */
  Connection connection();

  Answer start(StartRequest request, Caller caller);

  Answer resume(
      BookmarkId bookmark, Map<String, ? extends @Nullable Object> payload, Caller caller);

  /** Answers a bookmark that the caller has claimed, with the fence of its claim. */
  Answer resume(
      BookmarkId bookmark,
      long fence,
      Map<String, ? extends @Nullable Object> payload,
      Caller caller);

  /** Ends a task with an answer, which must fit its form; as {@link Tasks#complete} does. */
  Answer complete(BookmarkId task, Map<String, ? extends @Nullable Object> answer, Caller caller);

  /** The same for the holder of a claim, with its fence. */
  Answer complete(
      BookmarkId task, long fence, Map<String, ? extends @Nullable Object> answer, Caller caller);

  /**
   * Decides in an approval, as {@link Approvals#vote} does.
   *
   * @param onBehalfOf whose substitute the caller is; absent, it is found out
   */
  Answer vote(
      BookmarkId approval,
      Outcome outcome,
      String comment,
      @Nullable String onBehalfOf,
      Caller caller);

  /**
   * Hands a message to the run that waits for it, as {@link Messages#correlate} does, once the
   * transaction has committed.
   *
   * @return false if it was sent before
   * @throws CommandRefused if another message was sent under the same source and id
   */
  boolean correlate(Messages.Correlated message, Caller caller);

  /** Hands a message to an instance, as {@link Messages#send} does. */
  boolean send(
      InstanceId to,
      String name,
      Map<String, ? extends @Nullable Object> payload,
      String source,
      String id,
      Caller caller);
}
