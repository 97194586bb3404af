package dev.waymark.engine;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.engine.ScheduleRows.Known;
import dev.waymark.engine.ScheduleState.Pending;
import dev.waymark.engine.store.Load;
import dev.waymark.engine.store.Schedules;
import dev.waymark.engine.store.Schedules.ScheduleRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The schedules of an engine: definitions that are started again and again.
 *
 * <p>When a change returns it is durable, and what the schedule had decided to start before it has
 * started: after a pause or a deletion nothing of it starts any more.
 */
public final class Scheduling {

  private final Node node;
  private final Requests requests;
  private final IdSource ids;
  private final ScheduleRows rows;
  private final ScheduleStarts starts;
  private final DueWorker worker;

  Scheduling(
      Node node,
      Requests requests,
      IdSource ids,
      ScheduleRows rows,
      ScheduleStarts starts,
      DueWorker worker) {
    this.node = node;
    this.requests = requests;
    this.ids = ids;
    this.rows = rows;
    this.starts = starts;
    this.worker = worker;
  }

  /**
   * Makes a schedule, or changes the one of that name. A changed one stays paused if it was, and
   * goes on with its next occurrence from now.
   *
   * @throws CommandRefused if the definition is not there to be started
   */
  public ScheduleInfo put(Schedule schedule, Caller caller) {
    String tenant = tenant(caller);
    StartRequest start = schedule.start();
    var unused = node.definitions().startable(tenant, start.definition(), start.version());
    return ScheduleRows.info(
        untilItStands(schedule.name(), caller, () -> putOnce(schedule, tenant, caller)));
  }

  private @Nullable Known putOnce(Schedule schedule, String tenant, Caller caller) {
    Known known = settled(schedule.name(), caller);
    Instant now = node.now();
    if (known != null) {
      ScheduleState state =
          known.state().paused() ? known.state() : known.state().resumedAt(schedule, now);
      return change(known, schedule, state, caller);
    }
    ScheduleRow first =
        rows.first(tenant, schedule, ScheduleState.fresh(schedule, now), by(caller), now);
    if (!store().create(first)) {
      return null;
    }
    wake(first);
    return rows.read(first);
  }

  public Optional<ScheduleInfo> find(String name, Caller caller) {
    String wanted = checked(name);
    return node.questions()
        .ask(
            caller,
            () ->
                Optional.ofNullable(store().find(tenant(caller), wanted))
                    .map(rows::read)
                    .map(ScheduleRows::info));
  }

  /**
   * A page of schedules by name.
   *
   * @param after the last name of the page before
   */
  public List<ScheduleInfo> list(@Nullable String after, int limit, Caller caller) {
    var unused = Limits.optionalName("the name of a schedule", after);
    return node.questions()
        .ask(
            caller,
            () ->
                node.unreadable()
                    .read(
                        RowKind.SCHEDULE,
                        store().list(tenant(caller), after, Limits.page(limit)),
                        row -> ScheduleRows.info(rows.read(row))));
  }

  /** No occurrence starts until it is resumed. */
  public ScheduleInfo pause(String name, Caller caller) {
    return change(name, ScheduleState::pausedNow, caller);
  }

  /** Goes on with the next occurrence from now; those of the pause are not made up for. */
  public ScheduleInfo resume(String name, Caller caller) {
    return ScheduleRows.info(
        untilItStands(
            name,
            caller,
            () -> {
              Known known = existing(name, caller);
              ScheduleState resumed = known.state().resumedAt(known.schedule(), node.now());
              return known.state().paused()
                  ? change(known, known.schedule(), resumed, caller)
                  : known;
            }));
  }

  /**
   * Starts a run now, also while the schedule is paused.
   *
   * @return absent if other runs of it stand in the way, as its overlap policy says
   * @throws CommandRefused if the start was refused
   */
  public Optional<InstanceId> trigger(String name, Caller caller) {
    String named = caller.commandId() == null ? ids.next().toString() : caller.commandId();
    String command = ScheduleState.ownName("trigger", name, named);
    InstanceId run = InstanceId.derived(tenant(caller), command);
    if (caller.commandId() != null && isThere(run)) {
      return Optional.of(run);
    }
    Pending start = new Pending(node.now(), command);
    Known changed =
        untilItStands(
            name,
            caller,
            () -> {
              Known known = existing(name, caller);
              ScheduleState triggered =
                  known.state().triggered(known.schedule(), start, live(known));
              return change(known, known.schedule(), triggered, caller);
            });
    boolean goes = changed.state().pending().contains(start);
    settle(changed, caller);
    if (goes && !isThere(run)) {
      throw new CommandRefused(
          new Rejection(
              Rejection.Code.WRONG_STATE,
              "Expected schedule '%s' to start a run, but it was refused: %s"
                  .formatted(
                      name, find(name, caller).map(ScheduleInfo::error).orElse("it is gone")),
              List.of()));
    }
    return goes ? Optional.of(run) : Optional.empty();
  }

  private boolean isThere(InstanceId run) {
    return node.store().load(List.of(Load.of(run))).get(0).instance() != null;
  }

  /**
   * Starts every occurrence from a moment on and before another, whatever the policies say. One
   * that has started before does not start again, and one that is still to come is left to the
   * schedule.
   *
   * @return the occurrences
   */
  public List<Instant> backfill(String name, Instant from, Instant before, Caller caller) {
    Instant soon = node.now().plusNanos(1);
    Instant end = before.isAfter(soon) ? soon : before;
    Known changed =
        untilItStands(
            name,
            caller,
            () -> {
              Known known = existing(name, caller);
              List<Instant> wanted = occurrences(known.schedule(), from, end);
              return change(
                  known,
                  known.schedule(),
                  known.state().backfilled(known.schedule(), wanted),
                  caller);
            });
    settle(changed, caller);
    return occurrences(changed.schedule(), from, end);
  }

  private static List<Instant> occurrences(Schedule schedule, Instant from, Instant before) {
    List<Instant> occurrences = new ArrayList<>();
    Instant next = schedule.recurrence().next(from.minusNanos(1));
    while (next != null && next.isBefore(before)) {
      if (occurrences.size() == Limits.BACKFILL) {
        throw new IllegalArgumentException(
            "Expected at most %,d occurrences to start, but there are more between %s and %s"
                .formatted(Limits.BACKFILL, from, before));
      }
      occurrences.add(next);
      next = schedule.recurrence().next(next);
    }
    return occurrences;
  }

  /**
   * Removes a schedule; the runs that it has started go on.
   *
   * @return false if there is none of that name
   */
  public boolean delete(String name, Caller caller) {
    return untilItStands(
        name,
        caller,
        () -> {
          Known known = settled(name, caller);
          if (known == null) {
            return false;
          }
          return store().delete(tenant(caller), name, known.row().revision()) ? true : null;
        });
  }

  // ---- changes

  private ScheduleInfo change(String name, UnaryOperator<ScheduleState> how, Caller caller) {
    return ScheduleRows.info(
        untilItStands(
            name,
            caller,
            () -> {
              Known known = existing(name, caller);
              return change(known, known.schedule(), how.apply(known.state()), caller);
            }));
  }

  /**
   * Tries again while others are quicker: each time one of them has made his change, so contention
   * alone fails nobody before the caller's time is over.
   *
   * @param once one try; absent if somebody else was quicker
   */
  private <T> T untilItStands(String name, Caller caller, Supplier<@Nullable T> once) {
    Instant deadline = node.now().plus(requests.timeout(caller));
    for (int tries = 0; tries < Limits.SCHEDULE_TRIES; tries++) {
      T done = once.get();
      if (done != null) {
        return done;
      }
      if (node.now().isAfter(deadline)) {
        break;
      }
    }
    throw new DeadlinePassed(
        "Expected to change schedule '%s', but others change it all the time".formatted(name),
        null);
  }

  /** Absent if somebody else has changed it since it was read: then it is looked at again. */
  private @Nullable Known change(
      Known known, Schedule schedule, ScheduleState state, Caller caller) {
    ScheduleRow row = rows.changed(known.row(), schedule, state, by(caller), node.now());
    if (!store().replace(List.of(row)).get(0)) {
      return null;
    }
    wake(row);
    return rows.accepted(row);
  }

  private Known existing(String name, Caller caller) {
    Known known = settled(name, caller);
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
  private @Nullable Known settled(String name, Caller caller) {
    var unused = checked(name);
    Instant deadline = node.now().plus(requests.timeout(caller));
    for (int tries = 0; tries < Limits.SCHEDULE_TRIES; tries++) {
      ScheduleRow row = store().find(tenant(caller), name);
      if (row == null) {
        return null;
      }
      Known known = rows.read(row);
      if (known.state().pending().isEmpty()) {
        return known;
      }
      if (node.now().isAfter(deadline)) {
        break;
      }
      settle(known, caller);
    }
    throw new DeadlinePassed(
        "Expected the starts of schedule '%s' to be done, but they are not".formatted(name), null);
  }

  /** Does what is pending itself; if another node does the same, it is the same. */
  private void settle(Known known, Caller caller) {
    CompletableFuture<ScheduleStarts.Result> done = new CompletableFuture<>();
    starts.run(known, done::complete);
    ScheduleStarts.Result result = node.scheduler().await(done, requests.timeout(caller));
    var unused = store().replace(List.of(rows.moved(known, result.state(), node.now())));
  }

  private Set<InstanceId> live(Known known) {
    return ScheduleDuty.live(store(), List.of(known));
  }

  private void wake(ScheduleRow row) {
    if (row.due() != null) {
      worker.wakeAt(row.due());
    }
  }

  private Schedules store() {
    return node.store().schedules();
  }

  private static String checked(String name) {
    return Limits.name("the name of a schedule", name);
  }

  private static String tenant(Caller caller) {
    return caller.actor().tenant();
  }

  private static String by(Caller caller) {
    return caller.actor().id();
  }
}
