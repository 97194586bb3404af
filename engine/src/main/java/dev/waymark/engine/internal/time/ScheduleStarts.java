package dev.waymark.engine.internal.time;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.engine.Caller;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.node.Trace;
import dev.waymark.engine.internal.request.Requests;
import dev.waymark.engine.internal.step.EngineCommands;
import dev.waymark.engine.internal.step.PendingCommand;
import dev.waymark.engine.internal.time.ScheduleRows.KnownSchedule;
import dev.waymark.engine.internal.time.ScheduleState.PendingStart;
import dev.waymark.engine.schedule.Overlap;
import dev.waymark.engine.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts what schedules have pending: those of one schedule one after another, in order. Safe to be
 * done twice, and by two nodes at once, because each start has a name.
 */
public final class ScheduleStarts {

  private static final Logger log = LoggerFactory.getLogger(ScheduleStarts.class);

  private final ThisNode node;
  private final EngineCommands commands;
  private final Requests requests;

  public ScheduleStarts(ThisNode node, EngineCommands commands, Requests requests) {
    this.node = node;
    this.commands = commands;
    this.requests = requests;
  }

  /** The outcome of the pending starts of one schedule. */
  static final class StartsResult {
    final KnownSchedule known;
    final List<PendingStart> settled = new ArrayList<>();
    final List<InstanceId> begun = new ArrayList<>();
    @Nullable String refusal;

    /** The fault that has left the next start pending; absent if none is left. */
    @Nullable Throwable fault;

    int started;

    private StartsResult(KnownSchedule known) {
      this.known = known;
    }

    ScheduleState state() {
      return known.state().settled(known.schedule(), settled, begun, started, refusal);
    }
  }

  /**
   * Starts them all, and returns the outcomes. A start with a transient fault stays pending, and so
   * do the starts behind it.
   */
  void run(KnownSchedule known, Consumer<StartsResult> done) {
    next(new StartsResult(known), 0, done);
  }

  /** Goes on with the start that a fault has left pending, and with those that come after it. */
  void goOn(StartsResult result, Consumer<StartsResult> done) {
    result.fault = null;
    next(result, result.settled.size(), done);
  }

  private void next(StartsResult result, int index, Consumer<StartsResult> done) {
    List<PendingStart> pending = result.known.state().pending();
    if (index == pending.size()) {
      done.accept(result);
      return;
    }
    PendingStart start = pending.get(index);
    Runnable proceed =
        () ->
            start(
                result.known,
                start,
                outcome -> {
                  if (took(result, start, outcome)) {
                    next(result, index + 1, done);
                  } else {
                    done.accept(result);
                  }
                });
    if (result.known.schedule().overlap() == Overlap.CANCEL_OTHER && !start.spares()) {
      List<InstanceId> others = new ArrayList<>(result.known.state().running());
      others.addAll(result.begun);
      // A start that is made again may find its own run among them.
      others.remove(run(result.known, start.command()));
      cancel(result.known, others, start, 0, proceed);
    } else {
      proceed.run();
    }
  }

  private boolean took(StartsResult result, PendingStart start, PendingCommand.Outcome outcome) {
    Decision decision = outcome.decision();
    if (decision == null) {
      return failed(result, start, outcome.fault());
    }
    result.settled.add(start);
    if (decision instanceof Rejection rejection
        // The same name with another body: the occurrence was started before the schedule was
        // changed.
        && rejection.code() != Rejection.Code.COMMAND_REUSED) {
      result.refusal = rejection.message();
      log.warn(
          "Schedule {}: the start of {} was refused: {}",
          result.known.row().name(),
          start.occurrence(),
          rejection.message());
    } else if (!(decision instanceof Rejection)) {
      // Repeats count, too, not only steps: a start whose reply was lost is there already when it
      // is made again, and was not counted.
      result.started++;
      result.begun.add(run(result.known, start.command()));
    }
    return true;
  }

  /**
   * A fault that does not pass ends this start: all that waits for it would else wait for ever.
   *
   * @return whether the next one may follow
   */
  private static boolean failed(
      StartsResult result, PendingStart start, @Nullable Throwable fault) {
    String name = result.known.row().name();
    if (!(fault instanceof StoreException lasting)
        || lasting.kind() != StoreException.Kind.PERMANENT) {
      log.warn("Schedule {}: a start failed; trying again", name, fault);
      result.fault = fault;
      return false;
    }
    log.warn("Schedule {}: the start of {} cannot be stored", name, start.occurrence(), fault);
    result.settled.add(start);
    result.refusal = "The run cannot be stored: " + Trace.message(lasting);
    return true;
  }

  private void start(
      KnownSchedule known, PendingStart start, Consumer<PendingCommand.Outcome> then) {
    Requests.Prepared prepared;
    try {
      prepared =
          requests
              .own()
              .start(
                  run(known, start.command()),
                  request(known, start),
                  caller(known, start.command()));
    } catch (CommandRefused refused) {
      then.accept(new PendingCommand.Outcome(refused.rejection(), null));
      return;
    } catch (IllegalArgumentException refused) {
      // It will be no better next time: all that waits for this start would wait for ever.
      String why = String.valueOf(refused.getMessage());
      then.accept(
          new PendingCommand.Outcome(
              new Rejection(Rejection.Code.BAD_INPUT, why, List.of()), null));
      return;
    } catch (RuntimeException trouble) {
      then.accept(new PendingCommand.Outcome(null, trouble));
      return;
    }
    commands.post(prepared.instance(), prepared.pending(apart(then)));
  }

  /**
   * One after another: a cancelled run gives its business key back before the next one takes it.
   */
  private void cancel(
      KnownSchedule known, List<InstanceId> others, PendingStart start, int index, Runnable then) {
    if (index == others.size()) {
      then.run();
      return;
    }
    InstanceId other = others.get(index);
    String reason = "Schedule '%s' starts another".formatted(known.row().name());
    Requests.Prepared prepared =
        requests
            .own()
            .plain(
                other,
                caller(known, ScheduleState.ownName("cancel", other.toString(), start.command())),
                meta -> new Command.Cancel(meta, reason, false),
                Requests.RequestDocument.of("cancel", reason));
    commands.post(
        other, prepared.pending(apart(outcome -> cancel(known, others, start, index + 1, then))));
  }

  /**
   * A consumer that runs in a task of its own: it does I/O, and must not do it in front of a
   * mailbox.
   */
  private Consumer<PendingCommand.Outcome> apart(Consumer<PendingCommand.Outcome> then) {
    return outcome -> node.scheduler().execute(() -> then.accept(outcome));
  }

  /**
   * The run of a start. The moment of the occurrence, which is its correlation if the schedule says
   * none, does not route it: who triggers a run again under the same name does not know it.
   */
  static InstanceId run(KnownSchedule known, String command) {
    return Requests.named(known.row().tenant(), command, known.schedule().start());
  }

  private static StartRequest request(KnownSchedule known, PendingStart start) {
    StartRequest wanted = known.schedule().start();
    return wanted.correlationId() == null
        ? wanted.correlationId(start.occurrence().toString())
        : wanted;
  }

  private static Caller caller(KnownSchedule known, String command) {
    return new Caller(
        Actor.of("schedule:" + known.row().name()).in(known.row().tenant()),
        command,
        null,
        Duration.ofMinutes(1));
  }
}
