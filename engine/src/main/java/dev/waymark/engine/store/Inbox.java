package dev.waymark.engine.store;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.store.UnitRows.MessageRow;
import java.sql.Connection;
import java.time.Instant;
import java.util.Collection;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Messages that were received and are not yet spent. Matching happens after the commit.
 *
 * <p>A waiting message is <em>matchable</em> if a step of its addressee can spend it now: the
 * addressee is of its tenant and has an open message bookmark of that name (for a signal, one that
 * was there when it was sent); or it asks for the start of a child that does not exist; or it
 * cancels an instance that has not ended.
 */
public interface Inbox {

  /**
   * Stores a message durably.
   *
   * @return whether it is new; false for a duplicate of the same tenant, source and id
   */
  boolean receive(MessageRow message);

  /** The same in the caller's transaction: durable when the caller commits. */
  boolean receiveOn(Connection connection, MessageRow message);

  /** True if this message is stored for that instance and not yet spent. */
  boolean isWaiting(Message.Key key, InstanceId addressee);

  /**
   * Waiting messages of a tenant for an instance, the oldest first.
   *
   * @param after the place of the last one of the page before
   */
  Page<MessageRow> waitingFor(String tenant, InstanceId instance, Place after, int limit);

  /** A place in the order of a look: by instance, and then the oldest first. */
  record Place(InstanceId instance, Instant received, Message.Key key) {

    /** Before all messages. */
    public static final Place START =
        new Place(new InstanceId(new UUID(0, 0)), Instant.EPOCH, new Message.Key("-", "-", "-"));

    public static Place of(MessageRow message) {
      return new Place(
          requireNonNull(message.addressee(), "addressee"), message.received(), message.key());
    }
  }

  /** The matchable messages of these instances behind a place, in its order. */
  Page<MessageRow> matchableOf(Collection<InstanceId> instances, Place after, int limit);

  /**
   * The full look: all matchable messages behind a place, in its order. It finds messages that a
   * crash left between a commit and its look.
   */
  Page<MessageRow> matchable(Place after, int limit);

  /**
   * Puts another message in the place of one that still waits, in one transaction: the answer to a
   * request that cannot be granted.
   *
   * @param instead the other message; absent if there is none to send
   * @return whether it still waited; if not, nothing is changed
   */
  boolean replace(Message.Key waiting, @Nullable MessageRow instead);

  /**
   * Removes waiting messages that no instance can ever spend: those to an instance that has ended,
   * signals to one that no longer waits for them, requests for a child that was started by another
   * request, and messages that have waited for {@link dev.waymark.core.Limits#MESSAGE_FOR_NOBODY}
   * for an instance that does not exist.
   *
   * <p>An instance of another tenant is one that does not exist.
   *
   * @param limit how many waiting messages behind the place to look at
   */
  Cleared clear(Place after, int limit);

  /**
   * The result of clearing one page.
   *
   * @param last where the last message that was looked at lies; absent if there were none left
   */
  record Cleared(int removed, @Nullable Place last) {}
}
