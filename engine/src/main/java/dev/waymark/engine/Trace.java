package dev.waymark.engine;

import dev.waymark.core.Limits;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * The trace of what user code has thrown, as it is kept with the fault: every cause with its first
 * frames, so that the innermost cause, which is mostly the one that is looked for, is not cut off
 * by the frames of those around it.
 */
final class Trace {

  private static final int CAUSES = 8;
  private static final int FRAMES = 12;

  private Trace() {}

  static String of(Throwable thrown) {
    StringBuilder text = new StringBuilder();
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Throwable cause = thrown;
    while (cause != null && seen.size() < CAUSES && seen.add(cause)) {
      text.append(seen.size() == 1 ? "" : "Caused by: ");
      append(text, cause);
      cause = cause.getCause();
    }
    return text.toString();
  }

  private static void append(StringBuilder text, Throwable thrown) {
    String message = String.valueOf(thrown.getMessage());
    int most = Limits.TRACE_CHARS / CAUSES;
    text.append(thrown.getClass().getName())
        .append(": ")
        .append(message.length() <= most ? message : message.substring(0, most) + "…")
        .append('\n');
    StackTraceElement[] frames = thrown.getStackTrace();
    for (int i = 0; i < Math.min(FRAMES, frames.length); i++) {
      text.append("  at ").append(frames[i]).append('\n');
    }
    if (frames.length > FRAMES) {
      text.append("  … ").append(frames.length - FRAMES).append(" more\n");
    }
  }
}
