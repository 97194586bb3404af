package dev.waymark.testkit;

import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import java.util.Locale;

/** A run as text: its history, its position and its waits. */
final class Timeline {

  private Timeline() {}

  static String of(Run run) {
    Instance instance = run.instance();
    StringBuilder text = new StringBuilder("Instance ").append(instance.id());
    text.append(" is ").append(instance.status()).append(" at version ").append(instance.version());
    for (HistoryEntry entry : run.history()) {
      text.append("\n  ").append(entry.at()).append("  v").append(entry.version()).append("  ");
      text.append(entry.type().name().toLowerCase(Locale.ROOT).replace('_', ' '));
      if (entry.activity() != null) {
        text.append(" '").append(entry.activity()).append("' #").append(entry.visit());
        text.append(" attempt ").append(entry.attempt());
      }
      text.append(" by ").append(entry.actor());
      if (!entry.detail().isEmpty()) {
        text.append(' ').append(entry.detail());
      }
    }
    for (ActivityInstance activity : instance.activities().values()) {
      text.append("\n  now at '")
          .append(activity.activity())
          .append("' #")
          .append(activity.visit());
      text.append(' ').append(activity.state()).append(" attempt ").append(activity.attempt());
      if (activity.fault() != null) {
        text.append(" after ").append(activity.fault());
      }
    }
    for (Bookmark bookmark : instance.bookmarks().values()) {
      text.append("\n  waits for ").append(bookmark.kind()).append(" '").append(bookmark.key());
      text.append('\'').append(bookmark.due() == null ? "" : " due " + bookmark.due());
    }
    return text.append("\n  variables ").append(instance.variables()).toString();
  }
}
