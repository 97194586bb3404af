package dev.waymark.engine.task;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.message.Event;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message to people. It is an event of type {@value #TYPE}: written with the step that causes it,
 * delivered at least once.
 *
 * @param id the same if it is delivered again
 * @param to {@code user:…}, {@code group:…} or {@code role:…}
 */
public record Notification(
    String id,
    InstanceId instance,
    List<String> to,
    Priority priority,
    String text,
    Map<String, @Nullable Object> data) {

  public static final String TYPE = "notification";

  /** The importance of reading it soon. */
  public enum Priority {
    LOW,
    NORMAL,
    HIGH,
    URGENT
  }

  /** The destination of notifications: a list in the application, e-mail, a chat. */
  public interface Channel {

    void notifyUser(String user, Notification notification) throws Exception;

    /** For a group or a role. */
    void notifyRole(String role, Notification notification) throws Exception;
  }

  public static Notification of(Event event) {
    Map<?, ?> told =
        event.data().get("detail") instanceof Map<?, ?> detail
                && detail.get("data") instanceof Map<?, ?> data
            ? data
            : Map.of();
    return new Notification(
        event.id(),
        event.instance(),
        told.get("to") instanceof List<?> to
            ? to.stream().map(String::valueOf).toList()
            : told.get("to") == null ? List.of() : List.of(String.valueOf(told.get("to"))),
        priority(told.get("priority")),
        told.get("text") == null ? "" : String.valueOf(told.get("text")),
        copy(told));
  }

  /** A word, or a number as waits have it: 0 is normal, and 50 cannot wait. */
  private static Priority priority(@Nullable Object word) {
    if (word instanceof Number number) {
      long urgency = number.longValue();
      return urgency < 0
          ? Priority.LOW
          : urgency == 0 ? Priority.NORMAL : urgency < 50 ? Priority.HIGH : Priority.URGENT;
    }
    for (Priority priority : Priority.values()) {
      if (priority.name().equals(String.valueOf(word).toUpperCase(Locale.ROOT))) {
        return priority;
      }
    }
    return Priority.NORMAL;
  }

  private static Map<String, @Nullable Object> copy(Map<?, ?> told) {
    Map<String, @Nullable Object> copy = new LinkedHashMap<>();
    told.forEach((name, value) -> copy.put(String.valueOf(name), value));
    return copy;
  }

  /** Gives the notification to all its addressees. */
  public void through(Channel channel) throws Exception {
    for (String whom : to) {
      int colon = whom.indexOf(':');
      String name = whom.substring(colon + 1);
      if (colon < 0 || whom.startsWith("user:")) {
        channel.notifyUser(name, this);
      } else {
        channel.notifyRole(name, this);
      }
    }
  }
}
