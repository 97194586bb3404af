package dev.waymark.sqlite.internal.file;

import java.nio.ByteBuffer;
import java.util.UUID;

/** UUIDs as 16 bytes, which SQLite compares as unsigned, like PostgreSQL and {@code InstanceId}. */
public final class UuidBytes {

  private static final int UUID_BYTES = 16;

  private UuidBytes() {}

  public static byte[] of(UUID id) {
    return ByteBuffer.allocate(UUID_BYTES)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }

  public static UUID toUuid(byte[] bytes) {
    if (bytes.length != UUID_BYTES) {
      throw new IllegalStateException("Expected an id of 16 bytes, but got " + bytes.length);
    }
    ByteBuffer halves = ByteBuffer.wrap(bytes);
    return new UUID(halves.getLong(), halves.getLong());
  }
}
