package dev.waymark.engine.store;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.store.UnitRows.BookmarkRow;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Open waits as people and operators look for them: across instances, and in pages. */
public interface Waits {

  /** A wait, and whose it is. */
  record WaitRow(InstanceId instance, String tenant, BookmarkRow bookmark) {

    public BookmarkId id() {
      return new BookmarkId(instance, bookmark.tag());
    }
  }

  /**
   * A place in an inbox: by due time, those without one last.
   *
   * @param due absent for what is never due
   */
  record Place(@Nullable Instant due, InstanceId instance, long tag) {

    /** Before everything. */
    public static final Place START =
        new Place(Instant.EPOCH, new InstanceId(new UUID(0, 0)), Long.MIN_VALUE);

    public Place {
      requireNonNull(instance, "instance");
    }

    public static Place of(WaitRow wait) {
      return new Place(wait.bookmark().due(), wait.instance(), wait.bookmark().tag());
    }
  }

  /**
   * What these names may act on, the first due first. Each wait comes once, by however many of the
   * names it is found.
   *
   * @param who {@code user:…} and {@code group:…}
   */
  List<WaitRow> inbox(String tenant, Collection<String> who, Place after, int limit);
}
