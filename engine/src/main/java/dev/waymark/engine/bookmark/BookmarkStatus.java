package dev.waymark.engine.bookmark;

import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A wait and how it stands.
 *
 * @param extensions how often its lease may still be extended
 * @param progress what its last holders said about how far it is
 */
public record BookmarkStatus(
    Bookmark bookmark,
    Bookmark.State state,
    int extensions,
    Map<String, @Nullable Object> progress) {

  public BookmarkId id() {
    return bookmark.id();
  }
}
