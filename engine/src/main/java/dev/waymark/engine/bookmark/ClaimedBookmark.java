package dev.waymark.engine.bookmark;

import dev.waymark.core.instance.Bookmark;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One wait in the hands of a worker, while its handler runs. */
public interface ClaimedBookmark {

  String tenant();

  Bookmark bookmark();

  /** What the wait shows to whoever answers it. */
  Map<String, @Nullable Object> payload();

  /** How often it has been claimed, this time included: more than once if it failed before. */
  long claims();

  /**
   * Says how far it is; whoever takes it over reads it.
   *
   * @return false if it is no longer this worker's, so that going on is of no use
   */
  boolean progress(Map<String, ? extends @Nullable Object> progress);

  /** Whether somebody else has it by now: whatever the handler answers will be refused. */
  boolean isLost();
}
