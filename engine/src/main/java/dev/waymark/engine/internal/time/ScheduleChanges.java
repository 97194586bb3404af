package dev.waymark.engine.internal.time;

import dev.waymark.core.Limits;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.engine.Caller;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.DeadlinePassed;
import dev.waymark.engine.internal.node.Patience;
import dev.waymark.engine.internal.node.StoreCalls;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.time.ScheduleRows.KnownSchedule;
import dev.waymark.engine.internal.time.ScheduleStarts.StartsResult;
import dev.waymark.engine.schedule.Schedule;
import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.StoredSchedules;
import dev.waymark.engine.store.StoredSchedules.ScheduleRow;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes of stored schedules by callers. A change replaces the revision that was read; if another
 * caller or a worker has replaced it since, the change is tried again on the newer one.
 */
public final class ScheduleChanges {

  private static final Logger log = LoggerFactory.getLogger(ScheduleChanges.class);

  private final ThisNode node;
  private final ScheduleRows rows;
  private final ScheduleStarts starts;
  private final DueWorker worker;

  public ScheduleChanges(
      ThisNode node, ScheduleRows rows, ScheduleStarts starts, DueWorker worker) {
    this.node = node;
    this.rows = rows;
    this.starts = starts;
    this.worker = worker;
  }

  /**
   * Tries again while others are quicker: each time one of them has made its change, so contention
   * alone fails no caller before its time is over.
   *
   * @param once one try; absent if another caller or a worker was quicker
   */
  <T> T untilItStands(String name, Patience patience, Supplier<@Nullable T> once) {
    for (int tries = 0; tries < Limits.SCHEDULE_TRIES; tries++) {
      T done = once.get();
      if (done != null) {
        return done;
      }
      if (patience.isOver()) {
        break;
      }
    }
    throw new DeadlinePassed(
        "Expected to change schedule '%s', but others change it all the time".formatted(name),
        null);
  }

  /** The schedule with nothing pending; refused if there is none. */
  KnownSchedule existing(String name, Caller caller, Patience patience) {
    KnownSchedule known = settled(name, caller, patience);
    if (known == null) {
      throw new CommandRefused(
          new Rejection(
              Rejection.Code.NOT_FOUND,
              "Expected a schedule, but there is none with name '%s'".formatted(name),
              List.of()));
    }
    return known;
  }

  /** The schedule with nothing pending; absent if there is none. */
  @Nullable KnownSchedule settled(String name, Caller caller, Patience patience) {
    String wanted = Limits.name("the name of a schedule", name);
    for (int tries = 0; tries < Limits.SCHEDULE_TRIES; tries++) {
      Optional<ScheduleRow> row =
          patience.read(() -> Optional.ofNullable(store().find(caller.actor().tenant(), wanted)));
      if (row.isEmpty()) {
        return null;
      }
      KnownSchedule known = rows.read(row.get());
      if (known.state().pending().isEmpty()) {
        return known;
      }
      if (patience.isOver()) {
        break;
      }
      var unused = settle(known, patience);
    }
    throw new DeadlinePassed(
        "Expected the starts of schedule '%s' to be done, but they are not".formatted(name), null);
  }

  /**
   * Makes the pending starts itself; if another node makes the same starts, each still happens
   * once. A start that a passing fault has left pending is made again within the caller's time.
   */
  StartsResult settle(KnownSchedule known, Patience patience) {
    StartsResult result =
        patience.await(
            () -> {
              CompletableFuture<StartsResult> done = new CompletableFuture<>();
              starts.run(known, made -> orAgain(made, 0, done));
              return done;
            });
    ScheduleRow crossedOut = rows.moved(known, result.state(), node.now());
    try {
      var unused = patience.call(again -> store().replace(List.of(crossedOut)).get(0));
    } catch (StoreException | DeadlinePassed e) {
      log.warn(
          "Could not cross out what schedule {} has started; it is done again",
          known.row().name(),
          e);
    }
    return result;
  }

  /** The future is completed by the caller's deadline at the latest. */
  private void orAgain(StartsResult made, int failed, CompletableFuture<StartsResult> done) {
    if (made.fault == null || !StoreException.isPassing(made.fault) || done.isDone()) {
      done.complete(made);
      return;
    }
    node.scheduler()
        .after(
            StoreCalls.pause(failed),
            () -> starts.goOn(made, again -> orAgain(again, failed + 1, done)));
  }

  /** Writes a new one. Absent if another caller has written one of that name. */
  @Nullable KnownSchedule create(Schedule schedule, Caller caller, Patience patience) {
    Instant now = node.now();
    ScheduleRow first =
        rows.first(
            caller.actor().tenant(), schedule, ScheduleState.fresh(schedule, now), by(caller), now);
    boolean created = patience.call(again -> store().create(first) || (again && isThere(first, 0)));
    if (!created) {
      return null;
    }
    wake(first);
    return rows.read(first);
  }

  /** Replaces it. Absent if it has been changed since it was read: then it is to be read again. */
  @Nullable KnownSchedule change(
      KnownSchedule known,
      Schedule schedule,
      ScheduleState state,
      Caller caller,
      Patience patience) {
    ScheduleRow row = rows.changed(known.row(), schedule, state, by(caller), node.now());
    boolean accepted =
        patience.call(
            again ->
                store().replace(List.of(row)).get(0) || (again && isThere(row, row.revision())));
    if (!accepted) {
      return null;
    }
    wake(row);
    return rows.accepted(row);
  }

  /**
   * True if a row whose answer was lost was written. Workers may have moved it since, but they do
   * not change the actor and the moment of the last change.
   *
   * @param before the revision that it replaced
   */
  private boolean isThere(ScheduleRow row, long before) {
    ScheduleRow stored = store().find(row.tenant(), row.name());
    return stored != null
        && stored.revision() > before
        && stored.changedBy().equals(row.changedBy())
        && stored.changed().equals(row.changed().truncatedTo(ChronoUnit.MICROS))
        && stored.spec().equals(row.spec());
  }

  /** Removes it; false if it has been changed since it was read. */
  boolean delete(KnownSchedule known, Patience patience) {
    return patience.call(again -> deleted(known.row(), again));
  }

  /** After a lost answer, a schedule that is gone was removed by the first try. */
  private boolean deleted(ScheduleRow row, boolean again) {
    return store().delete(row.tenant(), row.name(), row.revision())
        || (again && store().find(row.tenant(), row.name()) == null);
  }

  private void wake(ScheduleRow row) {
    if (row.due() != null) {
      worker.wakeAt(row.due());
    }
  }

  private StoredSchedules store() {
    return node.store().schedules();
  }

  private static String by(Caller caller) {
    return caller.actor().id();
  }
}
