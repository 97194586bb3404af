package dev.waymark.core.step.walk;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.NodeId;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Emission;
import dev.waymark.core.step.StateDocument;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The history entries of a step while it is being decided. */
public final class HistoryDraft {

  private final List<Note> notes = new ArrayList<>();
  private @Nullable Duration bodyDuration;
  private @Nullable NodeId bodyNode;

  private record Note(
      HistoryEntry.Type type,
      @Nullable String activity,
      long visit,
      int attempt,
      @Nullable NodeId node,
      @Nullable BookmarkId bookmark,
      @Nullable Duration duration,
      Map<String, @Nullable Object> detail) {}

  /** A body came back: the next note on a visit tells where it ran, and for how long. */
  public void bodyEnded(@Nullable NodeId node, Duration duration) {
    bodyNode = node;
    bodyDuration = duration;
  }

  void onVisit(
      HistoryEntry.Type type, ActivityInstance visit, Map<String, @Nullable Object> detail) {
    notes.add(
        new Note(
            type,
            visit.activity(),
            visit.visit(),
            visit.attempt(),
            bodyNode,
            null,
            bodyDuration,
            detail));
    bodyNode = null;
    bodyDuration = null;
  }

  void onInstance(HistoryEntry.Type type, Map<String, @Nullable Object> detail) {
    notes.add(new Note(type, null, 0, 0, null, null, null, detail));
  }

  void consumed(Bookmark bookmark, ActivityInstance visit, Map<String, @Nullable Object> payload) {
    Map<String, @Nullable Object> detail = new LinkedHashMap<>();
    detail.put("kind", bookmark.kind().name());
    detail.put("key", bookmark.key());
    if (!payload.isEmpty()) {
      detail.put("payload", payload);
    }
    notes.add(
        new Note(
            HistoryEntry.Type.BOOKMARK_CONSUMED,
            visit.activity(),
            visit.visit(),
            visit.attempt(),
            null,
            bookmark.id(),
            null,
            detail));
  }

  void emitted(Emission event) {
    Map<String, @Nullable Object> detail = new LinkedHashMap<>();
    detail.put("type", event.type());
    detail.put("data", event.data());
    onInstance(HistoryEntry.Type.EVENT_EMITTED, detail);
  }

  /**
   * The history entries of the step from one state to the other; the first entry carries the
   * changes.
   */
  List<HistoryEntry> entries(Instance before, Instance after, Command.Meta meta) {
    long version = after.version();
    List<HistoryEntry> entries = new ArrayList<>(notes.size());
    for (Note note : notes) {
      boolean first = entries.isEmpty();
      entries.add(
          new HistoryEntry(
              version,
              entries.size(),
              note.type(),
              note.activity(),
              note.visit(),
              note.attempt(),
              note.node(),
              note.bookmark(),
              meta.actor().id(),
              meta.id(),
              meta.at(),
              note.duration(),
              first ? StateDocument.changes(before, after) : List.of(),
              note.detail(),
              first && version % Limits.SNAPSHOT_EVERY == 0 ? StateDocument.of(after) : null));
    }
    return entries;
  }
}
