package dev.waymark.engine.schedule;

import dev.waymark.core.instance.InstanceId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A schedule and its state.
 *
 * @param next its next occurrence; absent while it is paused, or if there is none any more
 * @param last the last occurrence that has passed, started or not
 * @param running runs of it that were alive when it was last looked at
 * @param waiting an occurrence that starts when those have ended
 * @param starting occurrences that are about to start
 * @param started how many runs it has started
 * @param skipped how many occurrences did not start because of others
 * @param error the reason why the last start failed; absent if it succeeded
 */
public record ScheduleInfo(
    Schedule schedule,
    boolean paused,
    @Nullable Instant next,
    @Nullable Instant last,
    List<InstanceId> running,
    @Nullable Instant waiting,
    int starting,
    long started,
    long skipped,
    @Nullable String error,
    String createdBy,
    Instant created,
    String changedBy,
    Instant changed) {

  public ScheduleInfo {
    running = List.copyOf(running);
  }
}
