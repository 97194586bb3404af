package dev.waymark.proof.store;

import java.nio.ByteBuffer;
import java.util.UUID;

/** Ids as they lie in SQLite. */
final class SqliteIds {

  private SqliteIds() {}

  static byte[] bytes(UUID id) {
    return ByteBuffer.allocate(16)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }
}
