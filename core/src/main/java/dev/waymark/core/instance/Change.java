package dev.waymark.core.instance;

import dev.waymark.core.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One difference between two states: a path and its new value, or a path that is gone.
 *
 * <p>Not a merge patch (RFC 7396), because that cannot set null; arrays are addressed by index. A
 * list of changes applied to the state before gives exactly the state after.
 */
public record Change(List<String> path, @Nullable Object value, boolean removed) {

  public static Change set(List<String> path, @Nullable Object value) {
    return new Change(path, value, false);
  }

  public static Change removal(List<String> path) {
    return new Change(path, null, true);
  }

  /**
   * The changes that lead from one document to another, in an order in which they can be applied.
   */
  public static List<Change> between(
      List<String> path, @Nullable Object before, @Nullable Object after) {
    return new Comparison(false).between(path, before, after);
  }

  /**
   * As {@link #between}, and the changes also lead to the order of keys in {@code after}. An object
   * whose keys change their order is written whole.
   */
  public static List<Change> betweenOrdered(
      List<String> path, @Nullable Object before, @Nullable Object after) {
    return new Comparison(true).between(path, before, after);
  }

  /**
   * The form in which history stores it: {@code [pointer, value]}, or {@code [pointer]} if gone.
   */
  public List<@Nullable Object> toDocument() {
    StringBuilder pointer = new StringBuilder();
    for (String name : path) {
      pointer.append('/').append(name.replace("~", "~0").replace("/", "~1"));
    }
    List<@Nullable Object> document = new ArrayList<>(2);
    document.add(pointer.toString());
    if (!removed) {
      document.add(value);
    }
    return document;
  }

  public static Change fromDocument(List<@Nullable Object> document) {
    List<String> path = new ArrayList<>();
    String[] names = String.valueOf(document.get(0)).split("/", -1);
    for (int i = 1; i < names.length; i++) {
      path.add(names[i].replace("~1", "/").replace("~0", "~"));
    }
    return document.size() == 1 ? removal(path) : set(path, document.get(1));
  }

  /** This change applied to a document, which itself stays as it is. */
  public @Nullable Object applyTo(@Nullable Object document) {
    return apply(document, 0);
  }

  private @Nullable Object apply(@Nullable Object document, int depth) {
    if (depth == path.size()) {
      return value;
    }
    String name = path.get(depth);
    boolean last = depth == path.size() - 1;
    if (document instanceof List<?> list) {
      return applyToList(list, Integer.parseInt(name), last, depth);
    }
    Map<String, @Nullable Object> copy = new LinkedHashMap<>();
    if (document instanceof Map<?, ?> map) {
      map.forEach((k, v) -> copy.put((String) k, v));
    }
    if (last && removed) {
      copy.remove(name);
    } else {
      copy.put(name, apply(copy.get(name), depth + 1));
    }
    return Collections.unmodifiableMap(copy);
  }

  private Object applyToList(List<?> list, int index, boolean last, int depth) {
    List<@Nullable Object> copy = new ArrayList<>(list);
    if (last && removed) {
      copy.remove(index);
    } else if (index == copy.size()) {
      copy.add(apply(null, depth + 1));
    } else {
      copy.set(index, apply(copy.get(index), depth + 1));
    }
    return Collections.unmodifiableList(copy);
  }

  /**
   * Collects the changes between two documents.
   *
   * @param ordered whether the order of an object's keys counts
   */
  private record Comparison(boolean ordered) {

    List<Change> between(List<String> path, @Nullable Object before, @Nullable Object after) {
      List<Change> changes = new ArrayList<>();
      collect(path, before, after, changes);
      return changes;
    }

    private void collect(
        List<String> path, @Nullable Object before, @Nullable Object after, List<Change> into) {
      // Unchanged parts are shared between two states, so most of a large document ends here.
      if (ordered ? Json.isSame(before, after) : Objects.equals(before, after)) {
        return;
      }
      // A reference to a payload is one value: in pieces, no change would hold it whole.
      if (before instanceof Map<?, ?> was
          && after instanceof Map<?, ?> is
          && !Json.isPayload(is)
          && (!ordered || keepsOrder(was.keySet(), is.keySet()))) {
        collectMap(path, was, is, into);
      } else if (before instanceof List<?> was && after instanceof List<?> is) {
        collectList(path, was, is, into);
      } else {
        into.add(set(path, after));
      }
    }

    /** True if the keys that stay keep their order, and the new ones come behind them. */
    private static boolean keepsOrder(Set<?> before, Set<?> after) {
      Iterator<?> stays = before.stream().filter(after::contains).iterator();
      boolean behind = false;
      for (Object key : after) {
        if (!before.contains(key)) {
          behind = true;
        } else if (behind || !key.equals(stays.next())) {
          return false;
        }
      }
      return true;
    }

    private void collectMap(
        List<String> path, Map<?, ?> before, Map<?, ?> after, List<Change> into) {
      for (Object key : before.keySet()) {
        if (!after.containsKey(key)) {
          into.add(removal(child(path, (String) key)));
        }
      }
      after.forEach(
          (key, value) -> {
            List<String> at = child(path, (String) key);
            if (before.containsKey(key)) {
              collect(at, before.get(key), value, into);
            } else {
              into.add(set(at, value));
            }
          });
    }

    // A removal shifts what follows, so surplus elements go from the end.
    private void collectList(List<String> path, List<?> before, List<?> after, List<Change> into) {
      for (int i = before.size() - 1; i >= after.size(); i--) {
        into.add(removal(child(path, Integer.toString(i))));
      }
      for (int i = 0; i < after.size(); i++) {
        List<String> at = child(path, Integer.toString(i));
        if (i < before.size()) {
          collect(at, before.get(i), after.get(i), into);
        } else {
          into.add(set(at, after.get(i)));
        }
      }
    }

    private static List<String> child(List<String> path, String name) {
      List<String> longer = new ArrayList<>(path.size() + 1);
      longer.addAll(path);
      longer.add(name);
      return longer;
    }
  }
}
