package dev.waymark.core.step;

import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.Message;
import java.util.List;
import java.util.Map;

/**
 * The complete content of one transaction: the instance after it, and every row that differs.
 *
 * <p>Rows that a step touches are disjoint: one image per row. Its messages to other instances are
 * in {@code sent}, as rows of their inboxes; a step changes one instance only.
 *
 * @param before the version it stands on; the commit is void if the instance has moved since
 * @param variables whether the variables differ, so that an unchanged document is not written again
 * @param labels whether the labels differ
 * @param started the visits, of those begun or changed, whose body this step lets run
 * @param spends the bookmarks that it closes; each is locked and checked before anything is written
 */
public record Step(
    Command command,
    long before,
    Instance after,
    boolean variables,
    boolean labels,
    List<Spend> spends,
    List<Message.Key> received,
    List<ActivityInstance> begun,
    List<ActivityInstance> changed,
    List<Long> ended,
    List<ActivityInstance> started,
    List<Bookmark> created,
    List<Amend> amended,
    List<HistoryEntry> history,
    List<Message> sent)
    implements Decision {

  /**
   * A bookmark that a step closes, and the condition on its row at that moment.
   *
   * @param bookmark the closed bookmark
   * @param fence the fence that must still be current, where the guard asks for it
   */
  public record Spend(Bookmark bookmark, Guard guard, long fence) {

    /**
     * The check that the store makes on the locked row. The order is stored nowhere, but bound in
     * SQL.
     */
    public enum Guard {
      ANY,
      FREE,
      FENCE,
      DUE
    }

    public BookmarkId id() {
      return bookmark.id();
    }
  }

  /**
   * A wait that stays open and changes: its payload, due time or terms.
   *
   * @param before the wait as it is stored; its candidates are those of the stored rows
   * @param released whether its lease ends, because the wait now belongs to another person
   */
  public record Amend(Bookmark before, Bookmark after, boolean released) {

    public Amend {
      if (!before.id().equals(after.id()) || !before.isOpen() || !after.isOpen()) {
        throw new IllegalArgumentException(
            "Expected one open bookmark before and after, but got %s and %s"
                .formatted(before, after));
      }
    }

    public BookmarkId id() {
      return after.id();
    }
  }

  public Step {
    spends = List.copyOf(spends);
    received = List.copyOf(received);
    begun = List.copyOf(begun);
    changed = List.copyOf(changed);
    ended = List.copyOf(ended);
    started = List.copyOf(started);
    created = List.copyOf(created);
    amended = List.copyOf(amended);
    history = List.copyOf(history);
    sent = List.copyOf(sent);
    if (after.version() != before + 1) {
      throw new IllegalArgumentException(
          "Expected a step from %d to %d, but got %d"
              .formatted(before, before + 1, after.version()));
    }
    if (history.isEmpty()) {
      throw new IllegalArgumentException("Expected at least one history entry, but got none");
    }
  }

  public boolean isStart() {
    return before == 0;
  }

  /** Shorthand for tests and traces: the entries of the step, in order. */
  public List<Map.Entry<HistoryEntry.Type, String>> trace() {
    return history.stream()
        .map(e -> Map.entry(e.type(), e.activity() == null ? "" : e.activity()))
        .toList();
  }
}
