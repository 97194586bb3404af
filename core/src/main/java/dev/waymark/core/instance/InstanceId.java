package dev.waymark.core.instance;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Ids;
import java.util.UUID;

/**
 * The identity of one run. Time-ordered (UUIDv7), or derived from tenant and command id where the
 * caller named its start, so that starting twice is starting once.
 */
public record InstanceId(UUID value) implements Comparable<InstanceId> {

  public InstanceId {
    requireNonNull(value, "value");
  }

  /** The id that a start with this command id always gets. */
  public static InstanceId derived(String tenant, String commandId) {
    return new InstanceId(Ids.derivedUuid("start", tenant, commandId));
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
