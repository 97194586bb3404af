package dev.waymark.core.instance;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Ids;
import dev.waymark.core.Limits;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message in the inbox of an instance: from another instance, a partner or an application.
 *
 * <p>It is stored before it is acknowledged, and spent by a step of its addressee, once. A message
 * that comes before there is a wait for it stays.
 *
 * <p><b>Names that begin with {@code $} are the engine's own</b>; code that lets users name a
 * message asks {@link #given} first. Runs send them to each other, since a step changes one
 * instance only:
 *
 * <ul>
 *   <li>{@link #START} asks for a child. Its addressee is the child's id, which derives from the
 *       parent's visit; its payload is a {@link ChildStart}. The child's first step spends it, and
 *       nothing else does, so that asking twice is one start. If the child cannot be started, the
 *       message is replaced by the {@link #ended} message that the parent waits for.
 *   <li>{@link #ended} tells a parent that its child has ended; the parent waits for it at a
 *       bookmark of that key. Its payload is a {@link ChildEnd}.
 *   <li>{@link #CANCEL} ends its addressee as cancelled. It may come before its addressee exists;
 *       then it is kept, and found after the start.
 *   <li>{@link #signal} is for all instances that wait for it. It is stored once, as a
 *       <em>broadcast</em> without an addressee, and then turned into one message for each instance
 *       of the tenant that has an open bookmark of that key. See {@link #isFor} for the instances
 *       that count as waiting.
 *   <li>{@link #hook} is a partner's callback; only a partner that has its token can send it. If
 *       its source is {@link #FROM_A_REPORT} it is a {@link StatusUpdate}, and ends no wait.
 * </ul>
 *
 * <p>A message from outside need not know its addressee: it may be <em>correlated</em>, and then it
 * is for the instance that waits longest for its name with that correlation key.
 *
 * @param addressee absent in a broadcast and in a correlated message, and only there
 * @param correlation the key that the wait must have; absent where the addressee is known
 * @param expires the moment from which it is not needed any more; absent if it is kept for the
 *     usual time
 */
public record Message(
    Key key,
    @Nullable InstanceId addressee,
    String name,
    Map<String, @Nullable Object> payload,
    String sender,
    Instant received,
    @Nullable String correlation,
    @Nullable Instant expires) {

  public Message(
      Key key,
      @Nullable InstanceId addressee,
      String name,
      Map<String, @Nullable Object> payload,
      String sender,
      Instant received) {
    this(key, addressee, name, payload, sender, received, null, null);
  }

  public static final String START = "$start";
  public static final String CANCEL = "$cancel";

  /** The source of messages that steps send. */
  public static final String FROM_A_STEP = "instance";

  /** The source of messages that partners send to a callback. */
  public static final String FROM_A_CALLBACK = "$callback";

  /** The source of messages that partners send before they call back. */
  public static final String FROM_A_REPORT = "$report";

  /** The source of messages that broadcasts are turned into. */
  public static final String FROM_A_BROADCAST = "$signal";

  private static final String OWN = "$";
  private static final String ENDED = "$ended:";
  private static final String SIGNAL = "$signal:";
  private static final String HOOK = "$hook:";

  /** The name under which a child tells its parent that it has ended. */
  public static String ended(InstanceId child) {
    return ENDED + child;
  }

  /** The child that a name of {@link #ended} is about. */
  public static InstanceId child(String ended) {
    if (!ended.startsWith(ENDED)) {
      throw new IllegalArgumentException(
          "Expected a message name that begins with '%s', but got '%s'".formatted(ENDED, ended));
    }
    return InstanceId.parse(ended.substring(ENDED.length()));
  }

  /** True if a child tells of its end under this name. */
  public static boolean isEnded(String name) {
    return name.startsWith(ENDED);
  }

  /** The name under which a signal is sent and waited for. */
  public static String signal(String name) {
    return SIGNAL + given(name);
  }

  /** The name under which a partner's callback is received and waited for. */
  public static String hook(String name) {
    return HOOK + given(name);
  }

  public static boolean isHook(String name) {
    return name.startsWith(HOOK);
  }

  public static boolean isSignal(String name) {
    return name.startsWith(SIGNAL);
  }

  /** A name that users may give: the engine's own are refused. */
  public static String given(String name) {
    if (Limits.name("a message name", name).startsWith(OWN)) {
      throw new IllegalArgumentException(
          "Expected a message name that does not begin with '$', but got '" + name + "'");
    }
    return name;
  }

  /** The identity of a message: a second delivery of the same key is a duplicate. */
  public record Key(String tenant, String source, String id) implements Comparable<Key> {

    public Key {
      Limits.name("a tenant", tenant);
      Limits.name("a message source", source);
      Limits.name("a message id", id);
    }

    /**
     * Checks a key that users may give: with one of the engine's sources they could forge its
     * messages.
     */
    public static Key given(String tenant, String source, String id) {
      if (source.startsWith(OWN) || source.equals(FROM_A_STEP)) {
        throw new IllegalArgumentException(
            "Expected a message source that does not begin with '$' and is not '%s', but got '%s'"
                .formatted(FROM_A_STEP, source));
      }
      return new Key(tenant, source, id);
    }

    /**
     * The beginning of the keys that a broadcast of this key is turned into. Source and id may both
     * be of full length; together they would be too long for a name.
     */
    public String stem() {
      return Ids.derivedUuid("broadcast", tenant, source, id).toString();
    }

    /**
     * The key of the message that one instance gets of a broadcast with this key: always the same
     * one.
     */
    public Key of(InstanceId instance) {
      String hex = instance.toString().replace("-", "");
      return new Key(tenant, FROM_A_BROADCAST, stem() + ":" + hex);
    }

    @Override
    public int compareTo(Key other) {
      int byTenant = tenant.compareTo(other.tenant);
      int bySource = byTenant != 0 ? byTenant : source.compareTo(other.source);
      return bySource != 0 ? bySource : id.compareTo(other.id);
    }
  }

  public Message {
    requireNonNull(key, "key");
    Limits.name("a message name", name);
    requireNonNull(received, "received");
    if (addressee == null && correlation == null && !isSignal(name)) {
      throw new IllegalArgumentException(
          "Expected an addressee or a correlation key of every message but a signal, but '%s' has"
                  .formatted(name)
              + " neither");
    }
    if (correlation != null) {
      Limits.name("a correlation key", correlation);
      if (addressee != null || isSignal(name)) {
        throw new IllegalArgumentException(
            "Expected a correlation key instead of an addressee, but '%s' has both"
                .formatted(name));
      }
    }
  }

  /** True if it only says how things stand: see {@link StatusUpdate}. */
  public boolean isReport() {
    return key.source().equals(FROM_A_REPORT);
  }

  public boolean isBroadcast() {
    return addressee == null && correlation == null;
  }

  /** The message that a broadcast becomes for one instance that waits for it. */
  public Message to(InstanceId instance) {
    return new Message(key.of(instance), instance, name, payload, sender, received);
  }

  /**
   * True if this bookmark waits for this message. A signal is for the bookmarks that were open when
   * it was sent, and not kept for later ones; since the clocks of nodes differ, a bookmark that was
   * opened within {@link Limits#CLOCK_SKEW} of it counts as open.
   */
  public boolean isFor(Bookmark bookmark) {
    return bookmark.kind() == BookmarkKind.EXTERNAL_MESSAGE
        && bookmark.key().equals(name)
        && (correlation == null || correlation.equals(bookmark.terms().correlation()))
        && (!isSignal(name) || !bookmark.created().isAfter(received.plus(Limits.CLOCK_SKEW)));
  }
}
