package dev.waymark.engine;

import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The last known state of a few instances that wait for a child. Most children are short, and a
 * parent that is read again for each costs more than the steps themselves.
 *
 * <p>It is a guess like any state in a mailbox: a step decided on it is checked by its version, and
 * a refusal is decided again on state that was read. Bounded, so that waiting still costs nothing.
 */
final class Parents {

  private static final int MOST = 1_000;

  private final Map<InstanceId, Instance> recent =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<InstanceId, Instance> eldest) {
          return size() > MOST;
        }
      };

  /** An instance has nothing to do here any more. */
  void idle(Instance instance) {
    if (waitsForChild(instance)) {
      synchronized (recent) {
        recent.put(instance.id(), instance);
      }
    }
  }

  private static boolean waitsForChild(Instance instance) {
    for (Bookmark bookmark : instance.bookmarks().values()) {
      if (Message.isEnded(bookmark.key())) {
        return true;
      }
    }
    return false;
  }

  /** Whether it waits here for a child, as far as this node knows. */
  boolean remembers(InstanceId instance, String tenant) {
    synchronized (recent) {
      Instance known = recent.get(instance);
      return known != null && known.tenant().equals(tenant);
    }
  }

  /** What is remembered of an instance that has something to do again. */
  @Nullable Instance busy(InstanceId instance) {
    synchronized (recent) {
      return recent.remove(instance);
    }
  }
}
