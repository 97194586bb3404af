package dev.waymark.core.step;

import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The purpose of a timer beside a wait for people. Its name is stored in the timer's payload. */
public enum TimerPurpose {
  ESCALATE,
  REMIND,
  COMPLETE,
  SUBSTITUTE,
  ASSIGN;

  private static final String FIELD = "does";

  public static TimerPurpose of(Bookmark timer) {
    return valueOf(String.valueOf(timer.payload().get(FIELD)));
  }

  public boolean isOf(Bookmark bookmark) {
    return bookmark.kind() == BookmarkKind.TIMER && name().equals(bookmark.payload().get(FIELD));
  }

  public void writeTo(Map<String, @Nullable Object> payload) {
    payload.put(FIELD, name());
  }
}
