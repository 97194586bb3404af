package dev.waymark.core.instance;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The terms by which a wait is found, ordered and acted on: all but its kind, its key and its
 * payload.
 *
 * @param priority the higher, the sooner it is claimed
 * @param correlation the key that a message must name to reach this wait, where its name alone is
 *     not enough
 * @param expires the moment from which no caller may act on it any more; its due time only says by
 *     when a person should have acted
 * @param followUp the moment at which its assignee wants to look at it again
 */
public record Terms(
    int priority,
    Candidates candidates,
    @Nullable String correlation,
    @Nullable Instant expires,
    @Nullable Instant followUp) {

  public static final Terms NONE = new Terms(0, Candidates.ANYBODY, null, null, null);

  public Terms {
    requireNonNull(candidates, "candidates");
    if (correlation != null) {
      Limits.name("a correlation key", correlation);
    }
  }

  public static Terms correlated(String correlation) {
    return new Terms(0, Candidates.ANYBODY, correlation, null, null);
  }

  public static Terms of(int priority, Candidates candidates) {
    return new Terms(priority, candidates, null, null, null);
  }

  public Terms with(Candidates others) {
    return new Terms(priority, others, correlation, expires, followUp);
  }

  public Terms withExpiry(@Nullable Instant moment) {
    return new Terms(priority, candidates, correlation, moment, followUp);
  }

  /** The terms that differ from {@link #NONE}, as they are stored and kept in history. */
  public Map<String, @Nullable Object> toDocument() {
    Map<String, @Nullable Object> document = new LinkedHashMap<>();
    if (priority != 0) {
      document.put("priority", (long) priority);
    }
    if (candidates.assignee() != null) {
      document.put("assignee", candidates.assignee());
    }
    put(document, "users", candidates.users());
    put(document, "groups", candidates.groups());
    put(document, "excluded", candidates.excluded());
    if (correlation != null) {
      document.put("correlation", correlation);
    }
    if (expires != null) {
      document.put("expires", expires.toString());
    }
    if (followUp != null) {
      document.put("followUp", followUp.toString());
    }
    return document;
  }

  private static void put(
      Map<String, @Nullable Object> document, String name, Collection<String> names) {
    if (!names.isEmpty()) {
      document.put(name, List.copyOf(new TreeSet<>(names)));
    }
  }

  public static Terms fromDocument(Map<String, @Nullable Object> document) {
    return new Terms(
        document.get("priority") instanceof Number priority ? priority.intValue() : 0,
        new Candidates(
            text(document, "assignee"),
            names(document, "users"),
            names(document, "groups"),
            names(document, "excluded")),
        text(document, "correlation"),
        instant(document, "expires"),
        instant(document, "followUp"));
  }

  private static @Nullable String text(Map<String, @Nullable Object> document, String name) {
    return document.get(name) instanceof String text ? text : null;
  }

  private static @Nullable Instant instant(Map<String, @Nullable Object> document, String name) {
    String text = text(document, name);
    return text == null ? null : Instant.parse(text);
  }

  private static Set<String> names(Map<String, @Nullable Object> document, String name) {
    Set<String> names = new LinkedHashSet<>();
    if (document.get(name) instanceof List<?> list) {
      list.forEach(item -> names.add(String.valueOf(item)));
    }
    return names;
  }
}
