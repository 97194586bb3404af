package dev.waymark.core.approval;

import dev.waymark.core.Limits;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One user's right to speak for another for a while: an out-of-office rule, or a delegation.
 *
 * @param from absent if it has always held
 * @param until when it ends; absent if it does not
 */
public record Substitution(
    String absent, String by, @Nullable Instant from, @Nullable Instant until) {

  public Substitution {
    Limits.name("a user", absent);
    Limits.name("a substitute", by);
    if (absent.equals(by)) {
      throw new IllegalArgumentException(
          "Expected somebody else to speak for %s, but got the same".formatted(absent));
    }
    if (from != null && until != null && !from.isBefore(until)) {
      throw new IllegalArgumentException(
          "Expected %s to speak for %s from before %s, but got %s"
              .formatted(by, absent, until, from));
    }
  }

  public boolean holdsAt(Instant moment) {
    return (from == null || !moment.isBefore(from)) && (until == null || moment.isBefore(until));
  }

  /** The moment at which it next begins or ceases to hold; absent if it does neither any more. */
  public @Nullable Instant nextAfter(Instant moment) {
    if (from != null && from.isAfter(moment)) {
      return from;
    }
    return until != null && until.isAfter(moment) ? until : null;
  }

  public Map<String, @Nullable Object> toDocument() {
    Map<String, @Nullable Object> document = new LinkedHashMap<>();
    document.put("for", absent);
    document.put("by", by);
    if (from != null) {
      document.put("from", from.toString());
    }
    if (until != null) {
      document.put("until", until.toString());
    }
    return document;
  }

  public static Substitution fromDocument(Map<?, ?> document) {
    return new Substitution(
        String.valueOf(document.get("for")),
        String.valueOf(document.get("by")),
        instant(document.get("from")),
        instant(document.get("until")));
  }

  private static @Nullable Instant instant(@Nullable Object value) {
    return value == null ? null : Instant.parse(String.valueOf(value));
  }
}
