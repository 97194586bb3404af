package dev.waymark.engine.store;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.InstanceId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The schedules, by which definitions are started again and again. A row changes only by comparing
 * its revision, so every decision about a schedule is made on the state that was read for it.
 */
public interface StoredSchedules {

  /**
   * One schedule.
   *
   * @param revision the number that a change compares; one more after each change
   * @param spec the definition, the input and the times, as a document
   * @param next its next occurrence; absent while it is paused, and when there is none any more
   * @param due the moment at which a worker has to handle it; absent if never
   * @param state its state, as a document
   */
  record ScheduleRow(
      String tenant,
      String name,
      long revision,
      String definition,
      String spec,
      boolean paused,
      @Nullable Instant next,
      @Nullable Instant due,
      String state,
      String createdBy,
      Instant created,
      String changedBy,
      Instant changed) {

    public ScheduleRow {
      Limits.name("a tenant", tenant);
      Limits.name("the name of a schedule", name);
      requireNonNull(definition, "definition");
      requireNonNull(spec, "spec");
      requireNonNull(state, "state");
      if (revision < 1) {
        throw new IllegalArgumentException("Expected a revision ≥ 1, but got " + revision);
      }
      if (next != null && (paused || due == null)) {
        throw new IllegalArgumentException(
            "Expected no next occurrence while paused and a due time with one, but got %s and %s"
                .formatted(next, due));
      }
    }
  }

  /**
   * Enters a schedule that is not there yet, as its first revision.
   *
   * @return false if there is one of that name
   */
  boolean create(ScheduleRow row);

  /**
   * Changes schedules that still have the revision which each row names; the others stay as they
   * are. Never waits for a row: one that another transaction is changing counts as changed.
   *
   * @return for each row, in their order, whether it is so now, with one revision more
   */
  List<Boolean> replace(List<ScheduleRow> rows);

  /**
   * Removes a schedule that still has this revision.
   *
   * @return whether it is gone now
   */
  boolean delete(String tenant, String name, long revision);

  @Nullable ScheduleRow find(String tenant, String name);

  /** A page of a tenant's schedules by name. */
  Page<ScheduleRow> list(String tenant, @Nullable String afterName, int limit);

  /** Schedules whose time has come, of whatever tenant, the longest due first. */
  List<ScheduleRow> due(int limit);

  @Nullable Instant nextDue();

  /** The given instances that are running or suspended. */
  List<InstanceId> live(List<InstanceId> instances);
}
