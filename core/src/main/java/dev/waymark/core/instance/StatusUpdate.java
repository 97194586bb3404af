package dev.waymark.core.instance;

import dev.waymark.core.Limits;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A partner's report about work that it has not finished: its status, its progress and a message
 * for people. It moves nothing; the wait for the real answer stays open.
 *
 * @param status in the partner's own words, such as {@code processing}
 * @param progress in per cent
 */
public record StatusUpdate(String status, @Nullable Integer progress, @Nullable String message) {

  /** The entry of a wait's payload that keeps the last one, beside what its author put there. */
  public static final String FIELD = "$status";

  private static final Set<String> FIELDS = Set.of("status", "progress", "message");

  public StatusUpdate {
    Limits.name("a status", status);
    if (progress != null && (progress < 0 || progress > 100)) {
      throw new IllegalArgumentException("Expected 'progress' to be 0 to 100, but got " + progress);
    }
    if (message != null && message.length() > Limits.COMMENT_CHARS) {
      throw new IllegalArgumentException(
          "Expected 'message' to have at most %d characters, but it has %d"
              .formatted(Limits.COMMENT_CHARS, message.length()));
    }
  }

  /**
   * Reads one as a partner writes it.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static StatusUpdate fromDocument(Map<String, @Nullable Object> document) {
    Set<String> unknown = new TreeSet<>(document.keySet());
    unknown.removeAll(FIELDS);
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(
          "Expected 'status', 'progress' and 'message' only, but got also " + unknown);
    }
    if (!(document.get("status") instanceof String status)) {
      throw new IllegalArgumentException(
          "Expected 'status' to be a text, but got " + document.get("status"));
    }
    return new StatusUpdate(
        status, progress(document.get("progress")), message(document.get("message")));
  }

  private static @Nullable Integer progress(@Nullable Object progress) {
    return switch (progress) {
      case null -> null;
      case Long whole when whole >= 0 && whole <= 100 -> whole.intValue();
      default ->
          throw new IllegalArgumentException(
              "Expected 'progress' to be a whole number from 0 to 100, but got " + progress);
    };
  }

  private static @Nullable String message(@Nullable Object message) {
    return switch (message) {
      case null -> null;
      case String text -> text;
      default ->
          throw new IllegalArgumentException("Expected 'message' to be a text, but got " + message);
    };
  }

  public Map<String, @Nullable Object> toDocument() {
    Map<String, @Nullable Object> document = new LinkedHashMap<>();
    document.put("status", status);
    if (progress != null) {
      document.put("progress", progress.longValue());
    }
    if (message != null) {
      document.put("message", message);
    }
    return document;
  }
}
