package dev.waymark.core.instance;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One thing that a step did, kept for ever and never changed.
 *
 * <p>The first entry of a step carries the changes of the whole step; every hundredth version
 * carries a full copy instead of having to replay from the start. Events are made of entries, and
 * subscribers get them.
 *
 * @param visit the activity instance it is about, 0 if it is about the whole run
 * @param node the node that ran the body, if this entry is the beginning or the end of one
 * @param bookmark the wait that this entry says was consumed
 * @param duration how long the visit's body took, where one ended
 * @param detail the data of the entry's kind: a bookmark and its payload, a fault, a reason
 * @param snapshot the whole state after the step, on versions that carry one
 */
public record HistoryEntry(
    long version,
    int ordinal,
    Type type,
    @Nullable String activity,
    long visit,
    int attempt,
    @Nullable NodeId node,
    @Nullable BookmarkId bookmark,
    String actor,
    String commandId,
    Instant at,
    @Nullable Duration duration,
    List<Change> changes,
    Map<String, @Nullable Object> detail,
    @Nullable Map<String, @Nullable Object> snapshot) {

  /**
   * The kinds of things that can happen in a step. The order is stored: never reorder, append only.
   */
  public enum Type {
    INSTANCE_STARTED,
    INSTANCE_COMPLETED,
    INSTANCE_FAILED,
    INSTANCE_CANCELLED,
    INSTANCE_SUSPENDED,
    INSTANCE_CONTINUED,
    ACTIVITY_STARTED,
    ACTIVITY_COMPLETED,
    ACTIVITY_WAITING,
    ACTIVITY_FAULTED,
    ACTIVITY_RETRY_SCHEDULED,
    ACTIVITY_PARKED,
    ACTIVITY_CANCELLED,
    ACTIVITY_RELEASED,
    ACTIVITY_RECOVERED,
    BOOKMARK_CONSUMED,
    MESSAGE_RECEIVED,
    INTERVENTION_RESOLVED,
    EVENT_EMITTED,
    ACTIVITY_REACTED,
    COMPENSATION_STARTED,
    COMPENSATION_COMPLETED,
    CHILD_STARTED,
    MESSAGE_SENT,
    SIGNAL_SENT,
    INSTANCE_MIGRATED,
    INSTANCE_EDITED,
    VOTE_CAST,
    TASK_CHANGED,
    WAIT_ESCALATED,
    WAIT_REMINDED,
    WAIT_EXPIRED,
    WAIT_REPORTED,
    ACTIVITY_HELD,
    WAIT_HELD;

    /** The CloudEvents type under which subscribers see it: {@code waymark.activity.completed}. */
    public String eventType() {
      return "waymark." + name().toLowerCase(java.util.Locale.ROOT).replaceFirst("_", ".");
    }
  }

  public HistoryEntry {
    requireNonNull(type, "type");
    requireNonNull(actor, "actor");
    requireNonNull(commandId, "commandId");
    requireNonNull(at, "at");
    if (version < 1 || ordinal < 0) {
      throw new IllegalArgumentException(
          "Expected version ≥ 1 and ordinal ≥ 0, but got %d and %d".formatted(version, ordinal));
    }
  }
}
