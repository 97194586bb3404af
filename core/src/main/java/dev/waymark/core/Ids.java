package dev.waymark.core;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Ids that are computed, not drawn. The same parts give the same id on every node and after every
 * crash; each part is written with its length, so that no two lists of parts collide by joining.
 */
public final class Ids {

  private Ids() {}

  /** A UUID (version 8) from the first half of a SHA-256 over the parts. */
  public static UUID derivedUuid(String... parts) {
    ByteBuffer hash = ByteBuffer.wrap(sha256(parts));
    long high = (hash.getLong() & 0xffff_ffff_ffff_0fffL) | 0x8000L;
    long low = (hash.getLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
    return new UUID(high, low);
  }

  /**
   * The same with the first 48 bits of another id, which for a time-ordered one are its time. Rows
   * of the two then lie side by side in every index; at a place drawn by a hash each would cost
   * pages of its own.
   */
  public static UUID derivedBeside(UUID other, String... parts) {
    UUID derived = derivedUuid(parts);
    long time = other.getMostSignificantBits() & 0xffff_ffff_ffff_0000L;
    return new UUID(
        time | (derived.getMostSignificantBits() & 0xffffL), derived.getLeastSignificantBits());
  }

  public static long derivedLong(String... parts) {
    return ByteBuffer.wrap(sha256(parts)).getLong();
  }

  /** A hexadecimal SHA-256 over the parts: it tells the bodies of two requests apart. */
  public static String fingerprint(String... parts) {
    return java.util.HexFormat.of().formatHex(sha256(parts));
  }

  /**
   * The same over a document. Two documents with the same content have the same id, whatever the
   * order of their keys; an absent value differs from every value.
   */
  public static String fingerprint(Map<String, ? extends @Nullable Object> document) {
    List<String> parts = new ArrayList<>();
    new TreeMap<>(document)
        .forEach(
            (key, value) -> {
              parts.add(key);
              parts.add(Json.write(sorted(Json.valueOf(value))));
            });
    return fingerprint(parts.toArray(String[]::new));
  }

  private static @Nullable Object sorted(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map -> {
        Map<String, @Nullable Object> sorted = new TreeMap<>();
        map.forEach((key, element) -> sorted.put(String.valueOf(key), sorted(element)));
        yield sorted;
      }
      case List<?> list -> {
        List<@Nullable Object> elements = new ArrayList<>(list.size());
        list.forEach(element -> elements.add(sorted(element)));
        yield elements;
      }
      case null, default -> value;
    };
  }

  private static byte[] sha256(String... parts) {
    MessageDigest digest = newSha256();
    for (String part : parts) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      digest.update(ByteBuffer.allocate(4).putInt(bytes.length).flip());
      digest.update(bytes);
    }
    return digest.digest();
  }

  private static MessageDigest newSha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform must provide SHA-256", e);
    }
  }
}
