package dev.waymark.engine.store;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.query.NearMiss;
import dev.waymark.engine.store.UnitRows.MessageRow;
import java.sql.Connection;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Messages that name a correlation key instead of an instance, and the waits that they are for.
 *
 * <p>Matching happens after the commit, on both sides: the node that has stored a message looks for
 * waits, and the node that has committed a wait looks for messages. The later of the two sees the
 * earlier.
 */
public interface Correlations {

  /**
   * Stores messages durably, in one transaction, each once.
   *
   * @return one for each, in their order
   */
  List<Stored> receive(List<MessageRow> messages);

  /**
   * The result of storing one message.
   *
   * @param fresh false for a duplicate of the same tenant, source and id
   * @param target an instance that waited for it at that moment; absent does not mean that none
   *     does, since a wait may have been committed just then
   */
  record Stored(boolean fresh, @Nullable InstanceId target) {}

  /** Finds these messages, waiting or spent, and leaves out those that were never stored. */
  List<MessageRow> stored(Collection<Message.Key> messages);

  /** One of them on the caller's connection, which sees what its own transaction has stored. */
  @Nullable MessageRow storedOn(Connection connection, Message.Key message);

  /** A waiting message and an instance that waits for it. */
  record Match(MessageRow message, InstanceId instance) {}

  /** The instances that wait for this message, if it is not spent; the longest wait first. */
  List<InstanceId> targets(Message.Key message, int limit);

  /**
   * For each of these waiting messages the instance that waits for it longest, if one does. If
   * there are more than a page holds, it says nothing yet about the messages that it leaves out.
   */
  Page<Match> of(Collection<Message.Key> messages);

  /**
   * Pairs the waits of these instances with waiting messages: each wait has one message at most,
   * and each message one wait. Of several instances that wait for one key the first gets the oldest
   * message, the second the next, so that many waits and many messages of one key are not matched
   * each with each.
   *
   * @param after the wait behind which the page begins, in the order of {@link MatchPlace}
   */
  Page<Match> pairs(Collection<InstanceId> instances, MatchPlace after, int limit);

  /** All waiting messages that these instances wait for, behind a place and in its order. */
  Page<Match> to(Collection<InstanceId> instances, MatchPlace after, int limit);

  /** A place in the order of the full look and of the list of waiting messages. */
  record Place(
      String tenant, String correlation, String name, Instant received, String source, String id) {

    public static final Place START = new Place("", "", "", Instant.EPOCH, "", "");

    /** Before all of a tenant. */
    public static Place startOf(String tenant) {
      return new Place(tenant, "", "", Instant.EPOCH, "", "");
    }

    public static Place of(MessageRow message) {
      return new Place(
          message.key().tenant(),
          requireNonNull(message.correlation(), "correlation"),
          message.name(),
          message.received(),
          message.key().source(),
          message.key().id());
    }
  }

  /** A place in the order of matches: by instance, and within one wait the oldest message first. */
  record MatchPlace(InstanceId instance, Place message) {

    /** Before all matches. */
    public static final MatchPlace START =
        new MatchPlace(new InstanceId(new UUID(0, 0)), Place.START);

    public static MatchPlace of(Match match) {
      return new MatchPlace(match.instance(), Place.of(match.message()));
    }
  }

  /** The full look: all waiting messages behind a place for which there is a wait. */
  Page<Match> matchable(Place after, int limit);

  /** The tenant's messages behind a place that still wait, in its order. */
  Page<MessageRow> waiting(String tenant, Place after, int limit);

  /** Removes waiting messages whose time is over; at most this number. */
  int expire(int limit);

  /** Open message waits of a tenant that nearly fit: the same correlation key, or the same name. */
  List<NearMiss> nearMisses(Message.Key message, int limit);
}
