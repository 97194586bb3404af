package dev.waymark.core.step;

import dev.waymark.core.Json;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.Change;
import dev.waymark.core.instance.ChangedDocument;
import dev.waymark.core.instance.Hold;
import dev.waymark.core.instance.Instance;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * An instance as one JSON document: what history's changes are written against, so that the state
 * at any version can be put together again.
 */
public final class StateDocument {

  private static final String VARIABLES = "variables";

  /** The document that the changes of the first step are applied to. */
  public static final Map<String, @Nullable Object> EMPTY =
      Map.of(
          VARIABLES, Map.of(), "labels", Map.of(), "activities", Map.of(), "bookmarks", Map.of());

  private StateDocument() {}

  public static Map<String, @Nullable Object> of(Instance instance) {
    Map<String, @Nullable Object> document = new LinkedHashMap<>();
    document.put("status", instance.status().name());
    document.put(VARIABLES, instance.variables());
    document.put("labels", instance.labels());
    Map<String, @Nullable Object> activities = new LinkedHashMap<>();
    instance.activities().forEach((v, a) -> activities.put(v.toString(), a.toDocument()));
    document.put("activities", activities);
    Map<String, @Nullable Object> bookmarks = new LinkedHashMap<>();
    instance.bookmarks().values().forEach(b -> bookmarks.put(name(b), toDocument(b)));
    document.put("bookmarks", bookmarks);
    if (instance.hold() != null) {
      document.put("hold", toDocument(instance.hold()));
    }
    return document;
  }

  /** The differences, found row by row: a large document that is shared costs nothing. */
  public static List<Change> changes(Instance before, Instance after) {
    List<Change> changes = new ArrayList<>();
    if (before.version() == 0 || before.status() != after.status()) {
      changes.add(Change.set(List.of("status"), after.status().name()));
    }
    // Expressions see the order of keys, so variables that are made of changes must have it too.
    changes.addAll(
        Change.betweenOrdered(List.of(VARIABLES), before.variables(), after.variables()));
    changes.addAll(Change.between(List.of("labels"), before.labels(), after.labels()));
    addActivities(before.activities(), after.activities(), changes);
    addBookmarks(before, after, changes);
    if (!Objects.equals(before.hold(), after.hold())) {
      changes.add(
          after.hold() == null
              ? Change.removal(List.of("hold"))
              : Change.set(List.of("hold"), toDocument(after.hold())));
    }
    return changes;
  }

  /**
   * Variables as they are after the changes of later steps. Changes of anything else are passed
   * over.
   */
  public static Map<String, @Nullable Object> variables(
      Map<String, @Nullable Object> before, List<Change> changes) {
    ChangedDocument document = new ChangedDocument(Map.of(VARIABLES, before));
    for (Change change : changes) {
      if (change.path().get(0).equals(VARIABLES)) {
        document.apply(change);
      }
    }
    return Json.object(Json.object(document.value()).get(VARIABLES));
  }

  private static void addActivities(
      SortedMap<Long, ActivityInstance> before,
      SortedMap<Long, ActivityInstance> after,
      List<Change> into) {
    for (Long visit : before.keySet()) {
      if (!after.containsKey(visit)) {
        into.add(Change.removal(List.of("activities", visit.toString())));
      }
    }
    after.forEach(
        (visit, activity) -> {
          ActivityInstance was = before.get(visit);
          List<String> path = List.of("activities", visit.toString());
          if (was == null) {
            into.add(Change.set(path, activity.toDocument()));
          } else if (!activity.equals(was)) {
            // Only differences: if each of fifty votes wrote all votes, there would be more than a
            // thousand.
            into.addAll(Change.between(path, was.toDocument(), activity.toDocument()));
          }
        });
  }

  private static void addBookmarks(Instance before, Instance after, List<Change> into) {
    for (Bookmark bookmark : before.bookmarks().values()) {
      if (!after.bookmarks().containsKey(bookmark.id())) {
        into.add(Change.removal(List.of("bookmarks", name(bookmark))));
      }
    }
    for (Bookmark bookmark : after.bookmarks().values()) {
      if (!bookmark.equals(before.bookmarks().get(bookmark.id()))) {
        into.add(Change.set(List.of("bookmarks", name(bookmark)), toDocument(bookmark)));
      }
    }
  }

  private static String name(Bookmark bookmark) {
    return Long.toHexString(bookmark.id().tag());
  }

  private static Map<String, @Nullable Object> toDocument(Bookmark bookmark) {
    Map<String, @Nullable Object> document = new LinkedHashMap<>();
    document.put("visit", bookmark.visit());
    document.put("kind", bookmark.kind().name());
    document.put("key", bookmark.key());
    if (!bookmark.payload().isEmpty()) {
      document.put("payload", bookmark.payload());
    }
    if (bookmark.due() != null) {
      document.put("due", bookmark.due().toString());
    }
    Map<String, @Nullable Object> terms = bookmark.terms().toDocument();
    if (!terms.isEmpty()) {
      document.put("terms", terms);
    }
    return document;
  }

  private static Map<String, @Nullable Object> toDocument(Hold hold) {
    Map<String, @Nullable Object> document = new LinkedHashMap<>();
    document.put("by", hold.by());
    document.put("reason", hold.reason());
    document.put("since", hold.since().toString());
    return document;
  }
}
