package dev.waymark.engine.schedule;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Caller;
import dev.waymark.engine.CommandRefused;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The schedules of an engine: definitions that are started again and again.
 *
 * <p>When a change returns it is durable, and the starts that the schedule had decided before the
 * change have happened: after a pause or a deletion no start follows.
 */
public interface Schedules {

  /**
   * Makes a schedule, or changes the one of that name. A changed one stays paused if it was, and
   * goes on with its next occurrence from now.
   *
   * @throws CommandRefused if the definition is not there to be started
   */
  ScheduleInfo put(Schedule schedule, Caller caller);

  Optional<ScheduleInfo> find(String name, Caller caller);

  /**
   * A page of schedules by name. Large inputs fill a page before it has as many schedules as were
   * asked for: the last page is an empty one.
   *
   * @param after the last name of the page before; absent for the first page
   */
  List<ScheduleInfo> list(@Nullable String after, int limit, Caller caller);

  /** No occurrence starts until it is resumed. */
  ScheduleInfo pause(String name, Caller caller);

  /** Goes on with the next occurrence from now; those of the pause are not made up for. */
  ScheduleInfo resume(String name, Caller caller);

  /**
   * Starts a run now, also while the schedule is paused. Asked again under the same command id, it
   * answers with the run that it has started: that run is neither in its own way nor cancelled.
   *
   * @return absent if other runs of it stand in the way, as its overlap policy says
   * @throws CommandRefused if the start was refused
   */
  Optional<InstanceId> trigger(String name, Caller caller);

  /**
   * Starts every occurrence from a moment on and before another, whatever the policies say. One
   * that has started before does not start again, and one that is still to come is left to the
   * schedule.
   *
   * @return the occurrences
   */
  List<Instant> backfill(String name, Instant from, Instant before, Caller caller);

  /**
   * Removes a schedule; the runs that it has started go on.
   *
   * @return false if there is none of that name
   */
  boolean delete(String name, Caller caller);
}
