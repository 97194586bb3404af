package dev.waymark.proof.log;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * One line of the log.
 *
 * @param context the keys that were in the logger's context
 */
public record Logged(
    String logger,
    Level level,
    String message,
    @Nullable Throwable thrown,
    Map<String, String> context) {

  /** Lines are kept for one test at a time; at other times they are thrown away. */
  private static volatile @Nullable Queue<Logged> kept;

  static boolean isKept() {
    return kept != null;
  }

  static void add(Logged line) {
    Queue<Logged> lines = kept;
    if (lines != null) {
      lines.add(line);
    }
  }

  /** Something that a test does. */
  public interface Doing {
    void run() throws Exception;
  }

  /** The lines of one class that are logged meanwhile, on whatever thread. */
  public static List<Logged> during(String logger, Doing doing) throws Exception {
    Queue<Logged> lines = new ConcurrentLinkedQueue<>();
    kept = lines;
    try {
      doing.run();
    } finally {
      kept = null;
    }
    return lines.stream().filter(line -> line.logger().equals(logger)).toList();
  }
}
