package dev.waymark.core.approval;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One person's decision, as it is stored: the person, the people spoken for, the moment, the data
 * and the reason.
 *
 * @param onBehalfOf the owner of the voices, where they were not the person's own
 * @param level at which level, counted from 1
 * @param seats which voices of the level it used, counted from 0
 * @param data a fingerprint of the data that the person was shown
 * @param comment empty if there is none
 */
public record Vote(
    Outcome outcome,
    String by,
    List<String> onBehalfOf,
    int level,
    List<Integer> seats,
    Instant at,
    String data,
    String comment) {

  public Vote {
    requireNonNull(outcome, "outcome");
    Limits.name("an approver", by);
    onBehalfOf = List.copyOf(onBehalfOf);
    seats = List.copyOf(seats);
    requireNonNull(at, "at");
    requireNonNull(data, "data");
    if (comment.length() > Limits.COMMENT_CHARS) {
      throw new IllegalArgumentException(
          "Expected a comment of at most %,d characters, but got %,d"
              .formatted(Limits.COMMENT_CHARS, comment.length()));
    }
    if (level < 1) {
      throw new IllegalArgumentException("Expected a level of 1 or more, but got " + level);
    }
  }

  public Map<String, @Nullable Object> toDocument() {
    Map<String, @Nullable Object> document = new LinkedHashMap<>();
    document.put("outcome", outcome.word());
    document.put("by", by);
    if (!onBehalfOf.isEmpty()) {
      document.put("for", onBehalfOf);
    }
    document.put("level", (long) level);
    document.put("seats", seats.stream().map(Integer::longValue).toList());
    document.put("at", at.toString());
    document.put("data", data);
    if (!comment.isEmpty()) {
      document.put("comment", comment);
    }
    return document;
  }

  public static Vote fromDocument(Map<?, ?> document) {
    return new Vote(
        Outcome.of(String.valueOf(document.get("outcome"))),
        String.valueOf(document.get("by")),
        list(document.get("for")).stream().map(String::valueOf).toList(),
        ((Number) requireNonNull(document.get("level"), "level")).intValue(),
        list(document.get("seats")).stream().map(seat -> ((Number) seat).intValue()).toList(),
        Instant.parse(String.valueOf(document.get("at"))),
        String.valueOf(document.get("data")),
        document.get("comment") instanceof String comment ? comment : "");
  }

  private static List<?> list(@Nullable Object value) {
    return value instanceof List<?> list ? list : List.of();
  }
}
