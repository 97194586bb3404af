package dev.waymark.core.instance;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Ids;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The identity of one run. Time-ordered (UUIDv7); or derived, so that starting twice is starting
 * once: from tenant and command id where the caller named its start, from the parent's visit where
 * another run asked for it, from the message where one began it.
 *
 * <p>Its last 10 bits are the run's {@link #bucket()}. Only this class knows where the bucket is;
 * stored ids depend on it, so it never moves.
 */
public record InstanceId(UUID value) implements Comparable<InstanceId> {

  /** The number of buckets that runs are divided into. */
  public static final int BUCKETS = 1 << 10;

  private static final long BUCKET_BITS = BUCKETS - 1;

  public InstanceId {
    requireNonNull(value, "value");
  }

  /**
   * The group of runs that stays together wherever runs are divided: among the lanes of the outbox
   * now, among databases later. A number from 0 to 1,023.
   */
  public int bucket() {
    return (int) (value.getLeastSignificantBits() & BUCKET_BITS);
  }

  /** The bucket of all runs that a tenant starts under a key. */
  public static int bucketOf(String tenant, String key) {
    return (int) (Ids.derivedLong("bucket", tenant, key) & BUCKET_BITS);
  }

  /**
   * This id in the bucket of a key, before anything is stored under it. Business keys are unique,
   * which one database can promise only for runs that it has itself.
   *
   * @param key the run's business key, else its correlation; if it has neither, the id stays as it
   *     is: drawn, or in the bucket of the parent or of the command that it derives from
   */
  public InstanceId routedBy(String tenant, @Nullable String key) {
    return key == null ? this : in(bucketOf(tenant, key));
  }

  private InstanceId in(int bucket) {
    long low = (value.getLeastSignificantBits() & ~BUCKET_BITS) | bucket;
    return new InstanceId(new UUID(value.getMostSignificantBits(), low));
  }

  /** The id of a start under this command id, unless a key routes it. */
  public static InstanceId derived(String tenant, String commandId) {
    return new InstanceId(Ids.derivedUuid("start", tenant, commandId));
  }

  /**
   * The id of the run that a visit starts as its child: the visit cannot start two. It has the
   * bucket of its parent.
   */
  public static InstanceId child(InstanceId parent, long visit) {
    return childOf(parent, Long.toString(visit));
  }

  /**
   * The same for a visit that asks again, because a person wants it.
   *
   * @param round 1 for the first child
   */
  public static InstanceId child(InstanceId parent, long visit, long round) {
    return round == 1
        ? child(parent, visit)
        : childOf(parent, Long.toString(visit), Long.toString(round));
  }

  private static InstanceId childOf(InstanceId parent, String... which) {
    String from = String.join("/", which);
    UUID derived = Ids.derivedBeside(parent.value(), "child", parent.value().toString(), from);
    return new InstanceId(derived).in(parent.bucket());
  }

  /**
   * The id of the run that a message begins: it cannot begin two. The run's key routes it.
   *
   * @param received as it is stored, so that every node comes to the same
   */
  public static InstanceId begunBy(Message.Key message, Instant received) {
    UUID moment = new UUID(received.toEpochMilli() << 16, 0);
    return new InstanceId(
        Ids.derivedBeside(moment, "message", message.tenant(), message.source(), message.id()));
  }

  public static InstanceId parse(String text) {
    try {
      return new InstanceId(UUID.fromString(text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "Expected an instance id (a UUID), but got '" + text + "'", e);
    }
  }

  /** Orders by bytes, as both databases do; {@link UUID#compareTo} compares signed halves. */
  @Override
  public int compareTo(InstanceId other) {
    int high =
        Long.compareUnsigned(value.getMostSignificantBits(), other.value.getMostSignificantBits());
    return high != 0
        ? high
        : Long.compareUnsigned(
            value.getLeastSignificantBits(), other.value.getLeastSignificantBits());
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
