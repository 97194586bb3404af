package dev.waymark.examples;

import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.WorkflowTestKit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** Runs of the patterns in {@code examples/patterns}, and the trace of what each of them does. */
abstract class PatternRuns {

  static final Path FOLDER = Path.of("patterns");

  final WorkflowTestKit kit =
      WorkflowTestKit.with(
          builder -> builder.activity("task", context -> ActivityResult.completed()));

  @AfterEach
  void close() {
    kit.close();
  }

  Run start(String file, Map<String, ? extends @Nullable Object> input) {
    try {
      kit.deploy(Files.readString(FOLDER.resolve(file + ".yaml")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return kit.start(file, input);
  }

  /**
   * The deeds of a run, in order: one line for everything that happened to one of its activities.
   */
  static List<String> trace(Run run) {
    return run.history().stream().flatMap(PatternRuns::line).toList();
  }

  private static Stream<String> line(HistoryEntry entry) {
    String verb =
        switch (entry.type()) {
          case ACTIVITY_STARTED -> "opens";
          case ACTIVITY_WAITING -> "waits";
          case BOOKMARK_CONSUMED -> "answered";
          case ACTIVITY_COMPLETED -> "done";
          case ACTIVITY_CANCELLED -> "cancelled";
          case ACTIVITY_REACTED -> "reacts";
          default -> null;
        };
    return verb == null ? Stream.empty() : Stream.of(entry.activity() + " " + verb);
  }
}
