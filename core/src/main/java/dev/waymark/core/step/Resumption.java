package dev.waymark.core.step;

import dev.waymark.core.Json;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An answer that a visit's {@code resume} body has yet to handle. It is stored with the visit, so
 * that a node that takes the body over after a crash gets the same answer.
 */
public record Resumption(
    BookmarkKind kind, String key, Map<String, @Nullable Object> payload, String by) {

  public static final String DATA = "resumptions";

  public static Resumption of(Bookmark bookmark, Map<String, @Nullable Object> payload, String by) {
    return new Resumption(bookmark.kind(), bookmark.key(), payload, by);
  }

  /** The answer that the visit's body handles now, or absent if it has not been resumed. */
  public static @Nullable Resumption current(ActivityInstance visit) {
    List<?> documents = documentsOf(visit);
    return documents.isEmpty() ? null : fromDocument((Map<?, ?>) documents.get(0));
  }

  public static List<? extends @Nullable Object> documentsOf(ActivityInstance visit) {
    return visit.data().get(DATA) instanceof List<?> list ? list : List.of();
  }

  public Map<String, @Nullable Object> toDocument() {
    Map<String, @Nullable Object> document = new LinkedHashMap<>();
    document.put("kind", kind.name());
    document.put("key", key);
    document.put("payload", payload);
    document.put("by", by);
    return document;
  }

  private static Resumption fromDocument(Map<?, ?> document) {
    return new Resumption(
        BookmarkKind.valueOf(String.valueOf(document.get("kind"))),
        String.valueOf(document.get("key")),
        Json.object(document.get("payload")),
        String.valueOf(document.get("by")));
  }
}
