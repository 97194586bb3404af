package dev.waymark.engine.bookmark;

import dev.waymark.core.instance.Bookmark;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One wait in the hands of a worker, while its handler runs. */
public interface ClaimedBookmark {

  String tenant();

  Bookmark bookmark();

  /** The data that the wait shows to the worker or the person that answers it. */
  Map<String, @Nullable Object> payload();

  /**
   * The number of times that it has been claimed, this time included: more than one if it failed
   * before.
   */
  long claims();

  /**
   * Stores the progress of the work; a later holder can read it.
   *
   * @return false if it is no longer this worker's, so that going on is of no use
   */
  boolean progress(Map<String, ? extends @Nullable Object> progress);

  /** True if another holder has it by now: whatever the handler answers will be refused. */
  boolean isLost();
}
