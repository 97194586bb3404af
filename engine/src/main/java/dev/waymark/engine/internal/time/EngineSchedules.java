package dev.waymark.engine.internal.time;

import static dev.waymark.core.Arguments.given;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.engine.Caller;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.EngineException;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.internal.node.Patience;
import dev.waymark.engine.internal.node.StoreCalls;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.row.RowKind;
import dev.waymark.engine.internal.step.DeployedDefinitions;
import dev.waymark.engine.internal.step.UnreadableRows;
import dev.waymark.engine.internal.time.ScheduleRows.KnownSchedule;
import dev.waymark.engine.internal.time.ScheduleStarts.StartsResult;
import dev.waymark.engine.internal.time.ScheduleState.PendingStart;
import dev.waymark.engine.schedule.Schedule;
import dev.waymark.engine.schedule.ScheduleInfo;
import dev.waymark.engine.schedule.Schedules;
import dev.waymark.engine.spi.IdSource;
import dev.waymark.engine.store.Load;
import dev.waymark.engine.store.StoredSchedules;
import dev.waymark.engine.store.StoredSchedules.ScheduleRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Makes, changes and triggers schedules as rows of the store. */
public final class EngineSchedules implements Schedules {

  private final ThisNode node;
  private final StoreCalls calls;
  private final DeployedDefinitions definitions;
  private final UnreadableRows unreadable;
  private final IdSource ids;
  private final ScheduleRows rows;
  private final ScheduleChanges changes;

  public EngineSchedules(
      ThisNode node,
      StoreCalls calls,
      DeployedDefinitions definitions,
      UnreadableRows unreadable,
      IdSource ids,
      ScheduleRows rows,
      ScheduleChanges changes) {
    this.node = node;
    this.calls = calls;
    this.definitions = definitions;
    this.unreadable = unreadable;
    this.ids = ids;
    this.rows = rows;
    this.changes = changes;
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
        changes.untilItStands(
            schedule.name(), patience, () -> putOnce(schedule, caller, patience)));
  }

  private @Nullable KnownSchedule putOnce(Schedule schedule, Caller caller, Patience patience) {
    KnownSchedule known = changes.settled(schedule.name(), caller, patience);
    if (known == null) {
      return changes.create(schedule, caller, patience);
    }
    ScheduleState state =
        known.state().paused() ? known.state() : known.state().resumedAt(schedule, node.now());
    return changes.change(known, schedule, state, caller, patience);
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
        changes.untilItStands(
            name,
            patience,
            () -> {
              KnownSchedule known = changes.existing(name, caller, patience);
              ScheduleState resumed = known.state().resumedAt(known.schedule(), node.now());
              return known.state().paused()
                  ? changes.change(known, known.schedule(), resumed, caller, patience)
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
    PendingStart start = new PendingStart(node.now(), command);
    Triggered triggered =
        changes.untilItStands(name, patience, () -> triggerOnce(name, start, caller, patience));
    if (triggered.run() != null) {
      return Optional.of(triggered.run());
    }
    KnownSchedule known = triggered.known();
    boolean goes = known.state().pending().contains(start);
    StartsResult result = changes.settle(known, patience);
    if (!goes) {
      return Optional.empty();
    }
    InstanceId run = startedBy(command, caller, patience);
    if (run == null && !result.settled.contains(start)) {
      // The start is pending still and happens later, so it was not refused.
      throw EngineException.unwrap(result.fault);
    }
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
  private record Triggered(KnownSchedule known, @Nullable InstanceId run) {}

  /**
   * Another trigger of the same command may have come first, up to the moment at which this try
   * reads the schedule. So the run is looked for after that: a start that comes later changes the
   * schedule, and this try fails.
   */
  private @Nullable Triggered triggerOnce(
      String name, PendingStart start, Caller caller, Patience patience) {
    KnownSchedule known = changes.existing(name, caller, patience);
    if (caller.commandId() != null) {
      InstanceId run = startedBy(start.command(), caller, patience);
      if (run != null || known.state().buffers(start.command())) {
        return new Triggered(known, run);
      }
    }
    Set<InstanceId> live = patience.read(() -> ScheduleDuty.live(store(), List.of(known)));
    ScheduleState state = known.state().triggered(known.schedule(), start, live);
    KnownSchedule changed = changes.change(known, known.schedule(), state, caller, patience);
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
    KnownSchedule changed =
        changes.untilItStands(
            name,
            patience,
            () -> {
              KnownSchedule known = changes.existing(name, caller, patience);
              List<Instant> wanted = occurrences(known.schedule(), begin, end);
              return changes.change(
                  known,
                  known.schedule(),
                  known.state().backfilled(known.schedule(), wanted),
                  caller,
                  patience);
            });
    var unused = changes.settle(changed, patience);
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
    return changes.untilItStands(
        name,
        patience,
        () -> {
          KnownSchedule known = changes.settled(name, caller, patience);
          if (known == null) {
            return false;
          }
          return changes.delete(known, patience) ? true : null;
        });
  }

  // ---- changes

  private ScheduleInfo change(String name, UnaryOperator<ScheduleState> how, Caller caller) {
    Patience patience = calls.patience(caller);
    return ScheduleRows.info(
        changes.untilItStands(
            name,
            patience,
            () -> {
              KnownSchedule known = changes.existing(name, caller, patience);
              return changes.change(
                  known, known.schedule(), how.apply(known.state()), caller, patience);
            }));
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
}
