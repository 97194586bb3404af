package dev.waymark.engine.internal.time;

import static dev.waymark.core.Arguments.given;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.engine.Caller;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.DeadlinePassed;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.internal.node.Patience;
import dev.waymark.engine.internal.node.StoreCalls;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.row.RowKind;
import dev.waymark.engine.internal.step.DeployedDefinitions;
import dev.waymark.engine.internal.step.UnreadableRows;
import dev.waymark.engine.internal.time.ScheduleRows.Known;
import dev.waymark.engine.internal.time.ScheduleState.Pending;
import dev.waymark.engine.schedule.Schedule;
import dev.waymark.engine.schedule.ScheduleInfo;
import dev.waymark.engine.schedule.Schedules;
import dev.waymark.engine.spi.IdSource;
import dev.waymark.engine.store.Load;
import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.StoredSchedules;
import dev.waymark.engine.store.StoredSchedules.ScheduleRow;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes, changes and triggers schedules as rows of the store. */
public final class EngineSchedules implements Schedules {

  private static final Logger log = LoggerFactory.getLogger(EngineSchedules.class);

  private final ThisNode node;
  private final StoreCalls calls;
  private final DeployedDefinitions definitions;
  private final UnreadableRows unreadable;
  private final IdSource ids;
  private final ScheduleRows rows;
  private final ScheduleStarts starts;
  private final DueWorker worker;

  public EngineSchedules(
      ThisNode node,
      StoreCalls calls,
      DeployedDefinitions definitions,
      UnreadableRows unreadable,
      IdSource ids,
      ScheduleRows rows,
      ScheduleStarts starts,
      DueWorker worker) {
    this.node = node;
    this.calls = calls;
    this.definitions = definitions;
    this.unreadable = unreadable;
    this.ids = ids;
    this.rows = rows;
    this.starts = starts;
    this.worker = worker;
  }

  @Override
  public ScheduleInfo put(Schedule schedule, Caller caller) {
    given("schedule, caller", schedule, caller);
    String tenant = tenant(caller);
    StartRequest start = schedule.start();
    Patience patience = calls.patience(caller);
    var unused =
        patience.read(() -> definitions.startable(tenant, start.definition(), start.version()));
    return ScheduleRows.info(
        untilItStands(
            schedule.name(), patience, () -> putOnce(schedule, tenant, caller, patience)));
  }

  private @Nullable Known putOnce(
      Schedule schedule, String tenant, Caller caller, Patience patience) {
    Known known = settled(schedule.name(), caller, patience);
    Instant now = node.now();
    if (known != null) {
      ScheduleState state =
          known.state().paused() ? known.state() : known.state().resumedAt(schedule, now);
      return change(known, schedule, state, caller, patience);
    }
    ScheduleRow first =
        rows.first(tenant, schedule, ScheduleState.fresh(schedule, now), by(caller), now);
    boolean created = patience.call(again -> store().create(first) || (again && isThere(first, 0)));
    if (!created) {
      return null;
    }
    wake(first);
    return rows.read(first);
  }

  @Override
  public Optional<ScheduleInfo> find(String name, Caller caller) {
    given("name, caller", name, caller);
    String wanted = checked(name);
    return calls
        .patience(caller)
        .read(
            () ->
                Optional.ofNullable(store().find(tenant(caller), wanted))
                    .map(rows::read)
                    .map(ScheduleRows::info));
  }

  @Override
  public List<ScheduleInfo> list(@Nullable String after, int limit, Caller caller) {
    given("caller", caller);
    var unused = Limits.optionalName("the name of a schedule", after);
    int most = Limits.page(limit);
    return calls
        .patience(caller)
        .read(
            () ->
                unreadable.readPage(
                    RowKind.SCHEDULE,
                    after == null ? "" : after,
                    place -> store().list(tenant(caller), place, most),
                    ScheduleRow::name,
                    row -> ScheduleRows.info(rows.read(row))));
  }

  @Override
  public ScheduleInfo pause(String name, Caller caller) {
    given("name, caller", name, caller);
    return change(name, ScheduleState::pausedNow, caller);
  }

  @Override
  public ScheduleInfo resume(String name, Caller caller) {
    given("name, caller", name, caller);
    Patience patience = calls.patience(caller);
    return ScheduleRows.info(
        untilItStands(
            name,
            patience,
            () -> {
              Known known = existing(name, caller, patience);
              ScheduleState resumed = known.state().resumedAt(known.schedule(), node.now());
              return known.state().paused()
                  ? change(known, known.schedule(), resumed, caller, patience)
                  : known;
            }));
  }

  @Override
  public Optional<InstanceId> trigger(String name, Caller caller) {
    given("name, caller", name, caller);
    String named = caller.commandId() == null ? ids.next().toString() : caller.commandId();
    String command = ScheduleState.ownName("trigger", name, named);
    Patience patience = calls.patience(caller);
    InstanceId earlier = caller.commandId() == null ? null : startedBy(command, caller, patience);
    if (earlier != null) {
      return Optional.of(earlier);
    }
    Pending start = new Pending(node.now(), command);
    Triggered triggered =
        untilItStands(name, patience, () -> triggerOnce(name, start, caller, patience));
    if (triggered.run() != null) {
      return Optional.of(triggered.run());
    }
    Known known = triggered.known();
    boolean goes = known.state().pending().contains(start);
    settle(known, patience);
    if (!goes) {
      return Optional.empty();
    }
    InstanceId run = startedBy(command, caller, patience);
    if (run == null) {
      throw new CommandRefused(
          new Rejection(
              Rejection.Code.WRONG_STATE,
              "Expected schedule '%s' to start a run, but it was refused: %s"
                  .formatted(
                      name, find(name, caller).map(ScheduleInfo::error).orElse("it is gone")),
              List.of()));
    }
    return Optional.of(run);
  }

  /**
   * A trigger that stands.
   *
   * @param run the run that another trigger of the same command has started
   */
  private record Triggered(Known known, @Nullable InstanceId run) {}

  /**
   * Another trigger of the same command may have come first, up to the moment at which this try
   * reads the schedule. So the run is looked for after that: a start that comes later changes the
   * schedule, and this try fails.
   */
  private @Nullable Triggered triggerOnce(
      String name, Pending start, Caller caller, Patience patience) {
    Known known = existing(name, caller, patience);
    if (caller.commandId() != null) {
      InstanceId run = startedBy(start.command(), caller, patience);
      if (run != null || known.state().buffers(start.command())) {
        return new Triggered(known, run);
      }
    }
    Set<InstanceId> live = patience.read(() -> live(known));
    ScheduleState state = known.state().triggered(known.schedule(), start, live);
    Known changed = change(known, known.schedule(), state, caller, patience);
    return changed == null ? null : new Triggered(changed, null);
  }

  /** The run that was started under this name, also if the schedule has another key since. */
  private @Nullable InstanceId startedBy(String command, Caller caller, Patience patience) {
    String tenant = tenant(caller);
    Load question =
        new Load(
            InstanceId.derived(tenant, command), tenant, Command.Start.WORD, command, null, null);
    Load.Answer answer = patience.read(() -> node.store().load(List.of(question))).get(0);
    return answer.command() == null ? null : answer.command().instance();
  }

  @Override
  public List<Instant> backfill(String name, Instant from, Instant before, Caller caller) {
    given("name, from, before, caller", name, from, before, caller);
    Instant begin = Limits.within(from);
    Instant soon = node.now().plusNanos(1);
    Instant end = before.isAfter(soon) ? soon : before;
    Patience patience = calls.patience(caller);
    Known changed =
        untilItStands(
            name,
            patience,
            () -> {
              Known known = existing(name, caller, patience);
              List<Instant> wanted = occurrences(known.schedule(), begin, end);
              return change(
                  known,
                  known.schedule(),
                  known.state().backfilled(known.schedule(), wanted),
                  caller,
                  patience);
            });
    settle(changed, patience);
    return occurrences(changed.schedule(), begin, end);
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

  @Override
  public boolean delete(String name, Caller caller) {
    given("name, caller", name, caller);
    Patience patience = calls.patience(caller);
    return untilItStands(
        name,
        patience,
        () -> {
          Known known = settled(name, caller, patience);
          if (known == null) {
            return false;
          }
          return patience.call(again -> deleted(known.row(), again)) ? true : null;
        });
  }

  /** After a lost answer, a schedule that is gone was removed by the first try. */
  private boolean deleted(ScheduleRow row, boolean again) {
    return store().delete(row.tenant(), row.name(), row.revision())
        || (again && store().find(row.tenant(), row.name()) == null);
  }

  // ---- changes

  private ScheduleInfo change(String name, UnaryOperator<ScheduleState> how, Caller caller) {
    Patience patience = calls.patience(caller);
    return ScheduleRows.info(
        untilItStands(
            name,
            patience,
            () -> {
              Known known = existing(name, caller, patience);
              return change(known, known.schedule(), how.apply(known.state()), caller, patience);
            }));
  }

  /**
   * Tries again while others are quicker: each time one of them has made his change, so contention
   * alone fails nobody before the caller's time is over.
   *
   * @param once one try; absent if somebody else was quicker
   */
  private <T> T untilItStands(String name, Patience patience, Supplier<@Nullable T> once) {
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

  /** Absent if somebody else has changed it since it was read: then it is looked at again. */
  private @Nullable Known change(
      Known known, Schedule schedule, ScheduleState state, Caller caller, Patience patience) {
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
   * True if a row whose answer was lost was written. Workers may have moved it since, but they
   * leave alone who has changed it last and when.
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

  private Known existing(String name, Caller caller, Patience patience) {
    Known known = settled(name, caller, patience);
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
  private @Nullable Known settled(String name, Caller caller, Patience patience) {
    var unused = checked(name);
    for (int tries = 0; tries < Limits.SCHEDULE_TRIES; tries++) {
      Optional<ScheduleRow> row =
          patience.read(() -> Optional.ofNullable(store().find(tenant(caller), name)));
      if (row.isEmpty()) {
        return null;
      }
      Known known = rows.read(row.get());
      if (known.state().pending().isEmpty()) {
        return known;
      }
      if (patience.isOver()) {
        break;
      }
      settle(known, patience);
    }
    throw new DeadlinePassed(
        "Expected the starts of schedule '%s' to be done, but they are not".formatted(name), null);
  }

  /** Does what is pending itself; if another node does the same, it is the same. */
  private void settle(Known known, Patience patience) {
    ScheduleStarts.Result result =
        patience.await(
            () -> {
              CompletableFuture<ScheduleStarts.Result> done = new CompletableFuture<>();
              starts.run(known, done::complete);
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
  }

  private Set<InstanceId> live(Known known) {
    return ScheduleDuty.live(store(), List.of(known));
  }

  private void wake(ScheduleRow row) {
    if (row.due() != null) {
      worker.wakeAt(row.due());
    }
  }

  private StoredSchedules store() {
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
