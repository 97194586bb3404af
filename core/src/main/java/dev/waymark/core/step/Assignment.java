package dev.waymark.core.step;

import dev.waymark.core.Json;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A task's request that one member of a group is assigned. A step knows neither the members of a
 * group nor whose turn it is; so the task is created unassigned, and this record asks for the
 * assignment.
 *
 * @param leastLoaded whether the member with the fewest tasks is meant; else the next by turns
 * @param excluded the people who must not get it
 */
public record Assignment(
    BookmarkId bookmark, String tenant, String group, boolean leastLoaded, Set<String> excluded) {

  /** The assignments that a committed unit asks for. */
  public static List<Assignment> wantedBy(Unit unit) {
    List<Assignment> wanted = new ArrayList<>(0);
    for (Bookmark timer : unit.created()) {
      if (timer.isOpen() && TimerPurpose.ASSIGN.isOf(timer)) {
        unit.after().bookmarksOf(timer.visit()).stream()
            .filter(bookmark -> bookmark.kind() == BookmarkKind.USER_ACTION)
            .forEach(bookmark -> wanted.add(of(bookmark, unit.after().tenant())));
      }
    }
    return wanted;
  }

  private static Assignment of(Bookmark bookmark, String tenant) {
    Map<?, ?> assign = Json.object(bookmark.payload().get("assign"));
    return new Assignment(
        bookmark.id(),
        tenant,
        String.valueOf(assign.get("group")),
        "least-loaded".equals(assign.get("by")),
        bookmark.terms().candidates().excluded());
  }
}
