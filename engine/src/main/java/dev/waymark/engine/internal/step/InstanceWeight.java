package dev.waymark.engine.internal.step;

import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.Instance;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The approximate number of bytes that an instance takes in memory. The count of a heavy instance
 * stops at a bound.
 */
final class InstanceWeight {

  static final int HEAVY = 64 << 10;

  private static final int INSTANCE = 600;
  private static final int VISIT = 300;
  private static final int WAIT = 500;
  private static final int VALUE = 64;

  private int bytes;

  private InstanceWeight() {}

  /** {@link #HEAVY} or more for all that is heavy. */
  static int of(Instance instance) {
    InstanceWeight weight = new InstanceWeight();
    weight.bytes = INSTANCE;
    weight.add(instance.variables());
    weight.add(instance.labels());
    for (ActivityInstance visit : instance.activities().values()) {
      weight.bytes += VISIT;
      weight.add(visit.data());
    }
    for (Bookmark bookmark : instance.bookmarks().values()) {
      weight.bytes += WAIT;
      weight.add(bookmark.payload());
    }
    return weight.bytes;
  }

  private void add(@Nullable Object value) {
    if (bytes >= HEAVY) {
      return;
    }
    switch (value) {
      case null -> {}
      case String text -> bytes += VALUE + text.length();
      case Map<?, ?> map -> {
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          if (bytes >= HEAVY) {
            return;
          }
          add(entry.getKey());
          add(entry.getValue());
        }
      }
      case Iterable<?> values -> {
        for (Object one : values) {
          if (bytes >= HEAVY) {
            return;
          }
          add(one);
        }
      }
      default -> bytes += VALUE;
    }
  }
}
