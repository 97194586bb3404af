package dev.waymark.engine.internal.body;

import dev.waymark.core.Json;
import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.step.Attempt;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.Resumption;
import dev.waymark.engine.DeadlinePassed;
import dev.waymark.engine.activity.Activity;
import dev.waymark.engine.activity.ActivityContext;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.node.Trace;
import dev.waymark.engine.internal.payload.EnginePayloads;
import dev.waymark.engine.internal.payload.PayloadDoor;
import dev.waymark.engine.internal.step.EngineCommands;
import dev.waymark.engine.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One call of user code: its context, and the command that its end becomes. */
public final class BodyCall {

  private static final Logger log = LoggerFactory.getLogger(BodyCall.class);

  /**
   * The shortest and the longest pause before a visit that this process has no code for may be
   * taken by another node. The pause is half as long as the visit is old, between these two. The
   * first are short, because while a release is rolled out another node has the code; the later
   * ones grow, because each try is two steps in history.
   */
  private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);

  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);

  private final ThisNode node;
  private final EngineCommands commands;
  private final EnginePayloads payloads;
  private final Instance instance;
  private final ActivityInstance visit;
  private final Definition definition;
  private final Supplier<Instant> begins;
  private Instant begun;
  private Instant deadline;
  private @Nullable Throwable thrown;

  // Guarded by this.
  private @Nullable Runnable canceller;
  private boolean cancelled;

  BodyCall(
      ThisNode node,
      EngineCommands commands,
      EnginePayloads payloads,
      Instance instance,
      ActivityInstance visit,
      Definition definition,
      Supplier<Instant> begins) {
    this.node = node;
    this.commands = commands;
    this.payloads = payloads;
    this.instance = instance;
    this.visit = visit;
    this.definition = definition;
    this.begins = begins;
    this.begun = node.now();
    this.deadline = begun;
  }

  /** The body's time begins. */
  private void begin() {
    deadline = begins.get();
    begun = node.now();
  }

  /**
   * The call begins, on a connection.
   *
   * @param cancelling ends the statement that it executes on the connection
   * @return false if it was stopped before
   */
  synchronized boolean begin(Runnable cancelling) {
    if (cancelled) {
      return false;
    }
    canceller = cancelling;
    begin();
    return true;
  }

  /** The connection is the store's again. */
  synchronized void gaveBack() {
    canceller = null;
  }

  /**
   * Its result no longer counts: the statement that it executes on its connection is ended.
   *
   * @return true if it still has a connection
   */
  boolean cancel() {
    Runnable cancelling;
    synchronized (this) {
      cancelled = true;
      cancelling = canceller;
    }
    if (cancelling != null) {
      cancelling.run();
    }
    return cancelling != null;
  }

  Instance instance() {
    return instance;
  }

  ActivityInstance visit() {
    return visit;
  }

  /** The type of its activity. */
  String type() {
    return definition.activity(visit.activity()).type();
  }

  /** User code as the engine calls it. */
  interface UserCode {
    ActivityResult make() throws Exception;
  }

  /** The look at the payloads that a result names. */
  private interface PayloadLook {
    @Nullable Rejection refusal(Object named);
  }

  /** Calls code in a transaction of its step, in which the store is asked for payloads too. */
  Command callJoined(UserCode code, PayloadDoor.Keeping joined) {
    return call(code, named -> payloads.door().refusal(named, joined));
  }

  // Everything that user code throws is its failure. Errors too: a StackOverflowError of one body
  // is no reason to take the process down, and a process that cannot go on will end by itself.
  @SuppressWarnings("CatchingUnchecked")
  private Command call(UserCode call, PayloadLook look) {
    ActivityResult result;
    LogContext context = LogContext.of(instance.id(), visit);
    try {
      result = call.make();
    } catch (Throwable e) {
      thrown = e;
      return failure(fault(e));
    } finally {
      context.restore();
    }
    try {
      Object named = ResultPayloads.in(result);
      Rejection refusal = named == null ? null : look.refusal(named);
      return refusal == null ? command(result) : failure(unfit(refusal));
    } catch (StoreException | DeadlinePassed e) {
      // The store could not be asked for long: the next attempt may find it.
      thrown = e;
      return failure(fault(e));
    } catch (RuntimeException e) {
      return failure(Fault.permanent("BAD_RESULT", Trace.message(e)));
    }
  }

  /** The command that a call of this activity ends in. */
  Command call(Activity activity) {
    begin();
    return call(
        () -> execute(activity), named -> payloads.door().refusal(named, instance.tenant()));
  }

  /** A body may put its content again in its next attempt; what is no reference stays none. */
  private Fault unfit(Rejection refusal) {
    return refusal.code() == Rejection.Code.PAYLOAD_MISSING
        ? new Fault(type(visit), Fault.PAYLOAD_MISSING, refusal.message(), true)
        : Fault.permanent("BAD_RESULT", refusal.message());
  }

  private static Fault.Type type(ActivityInstance visit) {
    return Resumption.current(visit) == null ? Fault.Type.ACTIVITY : Fault.Type.RESUME;
  }

  private ActivityResult execute(Activity activity) throws Exception {
    Resumption resumption = Resumption.current(visit);
    return resumption == null
        ? activity.execute(context())
        : activity.resume(context(), resumption);
  }

  private Command command(@Nullable ActivityResult result) {
    return switch (result) {
      case null ->
          failure(Fault.permanent("BAD_RESULT", "Expected a result, but the activity gave null"));
      case ActivityResult.Completed c ->
          new Attempt.Complete(
              meta("done"), visit.visit(), visit.attempt(), c.output(), c.effects(), took());
      case ActivityResult.Suspended s ->
          new Attempt.Await(
              meta("wait"),
              visit.visit(),
              visit.attempt(),
              s.waits(),
              s.output(),
              s.effects(),
              took());
      case ActivityResult.Failed f -> failure(f.fault());
    };
  }

  /**
   * Another node may know the type: while versions are rolled out, not all are alike.
   *
   * @param visits where this node notes that it leaves the visit to others
   */
  Command unknown(UnknownVisits visits) {
    begin();
    log.warn(
        "Expected an activity registered as '{}' in this process, but there is none: instance {}"
            + " waits for a node that has it",
        type(),
        instance.id());
    Instant due = node.now().plus(pause());
    visits.leave(instance.id(), visit.visit(), due);
    return new Attempt.Release(meta("release"), visit.visit(), visit.attempt(), due);
  }

  private Duration pause() {
    Duration half = Duration.between(visit.entered(), node.now()).dividedBy(2);
    if (half.compareTo(SHORTEST_PAUSE) < 0) {
      return SHORTEST_PAUSE;
    }
    return half.compareTo(LONGEST_PAUSE) < 0 ? half : LONGEST_PAUSE;
  }

  /** Tells the log what user code has thrown; with its trace once it is not tried again. */
  void report() {
    Throwable fault = thrown;
    if (fault == null) {
      return;
    }
    String what =
        "Instance %s: '%s' failed (visit %d, attempt %d): %s"
            .formatted(
                instance.id(), visit.activity(), visit.visit(), visit.attempt(), described(fault));
    int attempts = definition.activity(visit.activity()).retry().attempts();
    LogContext context = LogContext.of(instance.id(), visit);
    try {
      log(what, fault, visit.failures() + 1 >= attempts);
    } finally {
      context.restore();
    }
  }

  private static String described(Throwable fault) {
    String name = fault.getClass().getName();
    String message = Trace.message(fault);
    return message.startsWith(name) ? message : name + ": " + message;
  }

  private static void log(String what, Throwable fault, boolean last) {
    if (fault instanceof Error) {
      Trace.log(fault, thrown -> log.error(what, thrown));
    } else if (last) {
      Trace.log(fault, thrown -> log.warn(what, thrown));
    } else {
      log.warn(what);
    }
  }

  private Fault fault(Throwable e) {
    String message = Trace.message(e);
    String code = e.getClass().getSimpleName();
    return new Fault(type(visit), code.isEmpty() ? "Exception" : code, message, true, Trace.of(e));
  }

  Command failure(Fault fault) {
    return new Attempt.Fail(meta("fail"), visit.visit(), visit.attempt(), fault, took());
  }

  private Command.Meta meta(String what) {
    return commands.meta(what + ":" + visit.visit() + "/" + visit.attempt());
  }

  private Duration took() {
    return Duration.between(begun, node.now());
  }

  ActivityContext context() {
    Object input = visit.data().get("input");
    return new ActivityContext(
        instance.id(),
        instance.tenant(),
        visit.activity(),
        visit.visit(),
        visit.attempt(),
        instance.variablesAt(visit),
        Json.object(input),
        instance.origin().businessKey(),
        instance.origin().correlationId(),
        instance.id() + ":" + visit.visit(),
        begun,
        deadline,
        instance.origin().traceParent(),
        payloads.of(instance.tenant()));
  }
}
