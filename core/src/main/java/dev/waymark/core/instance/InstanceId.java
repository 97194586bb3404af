package dev.waymark.core.instance;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Ids;
import java.time.Instant;
import java.util.UUID;

/**
 * The identity of one run. Time-ordered (UUIDv7); or derived, so that starting twice is starting
 * once: from tenant and command id where the caller named its start, from the parent's visit where
 * another run asked for it, from the message where one began it.
 */
public record InstanceId(UUID value) implements Comparable<InstanceId> {

  public InstanceId {
    requireNonNull(value, "value");
  }

  /** The id that a start with this command id always gets. */
  public static InstanceId derived(String tenant, String commandId) {
    return new InstanceId(Ids.derivedUuid("start", tenant, commandId));
  }

  /** The id of the run that a visit starts as its child: the visit cannot start two. */
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
    return new InstanceId(
        Ids.derivedBeside(parent.value(), "child", parent.value().toString(), from));
  }

  /**
   * The id of the run that a message begins: it cannot begin two.
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
