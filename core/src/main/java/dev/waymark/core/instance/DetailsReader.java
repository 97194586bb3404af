package dev.waymark.core.instance;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Json;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the payload of a wait leniently: a field that is missing or has another type is absent. */
final class DetailsReader {

  private final Bookmark bookmark;
  private final Map<String, @Nullable Object> payload;

  private DetailsReader(Bookmark bookmark, Map<String, @Nullable Object> payload) {
    this.bookmark = bookmark;
    this.payload = payload;
  }

  static Details of(Bookmark bookmark) {
    return new DetailsReader(bookmark, bookmark.payload()).read();
  }

  private Details read() {
    return switch (bookmark.kind()) {
      case USER_ACTION ->
          new Details.Task(
              text("title", bookmark.key()),
              text("description", ""),
              object("data"),
              object("form"));
      case APPROVAL ->
          new Details.Approval(
              text("title", bookmark.key()),
              text("description", ""),
              object("data"),
              number("level"),
              number("levels"),
              text("name", bookmark.key()),
              number("required"),
              texts("approvers"));
      case TIMER ->
          new Details.Timer(
              requireNonNull(bookmark.due(), "due"),
              payload.get("occurrence") instanceof Long occurrence ? occurrence : null,
              instant("scheduled"),
              payload.get("does") instanceof String does ? does : null);
      case EXTERNAL_MESSAGE -> message();
      case MANUAL_INTERVENTION ->
          new Details.Intervention(
              payload.get("error") instanceof Map<?, ?>
                  ? Fault.fromDocument(object("error"))
                  : null,
              text("activity", bookmark.key()),
              texts("actions"),
              number("level"),
              text("requiredRole", ""));
    };
  }

  private Details message() {
    String key = bookmark.key();
    String name = key.substring(key.indexOf(':') + 1);
    if (Message.isEnded(key)) {
      return new Details.Child(Message.child(key));
    }
    if (Message.isSignal(key)) {
      return new Details.Signal(name);
    }
    return Message.isHook(key)
        ? new DetailsReader(bookmark, object(StatusUpdate.FIELD)).webhook(name)
        : new Details.Awaited(key, bookmark.terms().correlation());
  }

  /** Reads the last report of the partner, which is no report without a status. */
  private Details webhook(String name) {
    Map<String, @Nullable Object> said = new HashMap<>(payload);
    Instant at = instant("at");
    said.remove("at");
    said.remove("by");
    return new Details.Webhook(name, said.isEmpty() ? null : StatusUpdate.fromDocument(said), at);
  }

  private String text(String name, String otherwise) {
    return payload.get(name) instanceof String text ? text : otherwise;
  }

  private int number(String name) {
    return payload.get(name) instanceof Long number && number == number.intValue()
        ? number.intValue()
        : 1;
  }

  private List<String> texts(String name) {
    return payload.get(name) instanceof List<?> list
        ? list.stream().map(String::valueOf).toList()
        : List.of();
  }

  private @Nullable Instant instant(String name) {
    try {
      return payload.get(name) instanceof String text ? Instant.parse(text) : null;
    } catch (DateTimeException e) {
      return null;
    }
  }

  private Map<String, @Nullable Object> object(String name) {
    return payload.get(name) instanceof Map<?, ?> map ? Json.object(map) : Map.of();
  }
}
