package dev.waymark.engine.internal.node;

import dev.waymark.core.Limits;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The trace of what user code has thrown, as it is kept with the fault: every cause with its first
 * frames, so that the innermost cause, which is mostly the one that is looked for, is not cut off
 * by the frames of those around it.
 */
public final class Trace {

  private static final int CAUSES = 8;
  private static final int FRAMES = 12;

  private Trace() {}

  /** An exception's own methods are user code too: one that fails ends the trace there. */
  @SuppressWarnings("CatchingUnchecked")
  public static String of(Throwable thrown) {
    StringBuilder text = new StringBuilder();
    try {
      append(text, thrown);
    } catch (Throwable broken) {
      text.append("  (the rest cannot be told: ").append(broken.getClass().getName()).append(")\n");
    }
    return text.toString();
  }

  /** An exception's message; the name of its class if it has none, or fails to tell it. */
  @SuppressWarnings("CatchingUnchecked")
  public static String message(Throwable thrown) {
    String name = thrown.getClass().getName();
    try {
      String message = thrown.getMessage();
      return message == null ? name : message;
    } catch (Throwable broken) {
      return name + ", whose message cannot be told: " + broken.getClass().getName();
    }
  }

  /**
   * Writes to the log with an exception of user code. If the exception itself throws while it is
   * written, the message is written without it.
   */
  @SuppressWarnings("CatchingUnchecked")
  public static void log(Throwable thrown, Consumer<@Nullable Throwable> line) {
    try {
      line.accept(thrown);
    } catch (Throwable broken) {
      line.accept(null);
    }
  }

  private static void append(StringBuilder text, Throwable thrown) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Throwable cause = thrown;
    while (cause != null && seen.size() < CAUSES && seen.add(cause)) {
      text.append(seen.size() == 1 ? "" : "Caused by: ");
      appendOne(text, cause);
      cause = cause.getCause();
    }
  }

  private static void appendOne(StringBuilder text, Throwable thrown) {
    String message = message(thrown);
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
