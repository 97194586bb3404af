package dev.waymark.core.step.decide;

import static dev.waymark.core.step.Decision.Rejection.Code.NOT_DUE;
import static dev.waymark.core.step.Decision.Rejection.Code.SUPERSEDED;

import dev.waymark.core.Ids;
import dev.waymark.core.Limits;
import dev.waymark.core.definition.Activity;
import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.NodeId;
import dev.waymark.core.step.Attempt;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Decision.NoChange;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.walk.Outcome;
import dev.waymark.core.step.walk.Walk;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decides on bodies: an attempt begins, ends, fails, is given back or taken over. */
final class Attempts {

  private Attempts() {}

  static Decision decide(Definition definition, Instance instance, Attempt attempt) {
    return switch (attempt) {
      case Attempt.Take take -> take(definition, instance, take);
      case Attempt.Complete complete -> complete(definition, instance, complete);
      case Attempt.Await await -> await(definition, instance, await);
      case Attempt.Fail fail -> fail(definition, instance, fail);
      case Attempt.Release release -> release(definition, instance, release);
      case Attempt.Recover recover -> recover(definition, instance, recover);
    };
  }

  private static Decision complete(
      Definition definition, Instance instance, Attempt.Complete complete) {
    ActivityInstance visit = running(instance, complete.visit(), complete.attempt());
    if (visit == null) {
      return superseded(instance, complete.visit(), complete.attempt());
    }
    return ended(
        Decider.walk(definition, instance, complete),
        visit,
        complete.duration(),
        new Outcome.Completed(complete.output(), complete.effects()));
  }

  private static Decision await(Definition definition, Instance instance, Attempt.Await await) {
    ActivityInstance visit = running(instance, await.visit(), await.attempt());
    if (visit == null) {
      return superseded(instance, await.visit(), await.attempt());
    }
    return ended(
        Decider.walk(definition, instance, await),
        visit,
        await.duration(),
        new Outcome.Awaited(await.waits(), await.output(), await.effects()));
  }

  /** A body came back: its attempt's end is an entry, whatever becomes of the visit then. */
  private static Decision ended(
      Walk walk, ActivityInstance visit, Duration duration, Outcome outcome) {
    walk.draft().notes.bodyEnded(visit.node(), duration);
    outcome.reach(walk, visit);
    return walk.finish();
  }

  private static Decision fail(Definition definition, Instance instance, Attempt.Fail fail) {
    ActivityInstance visit = running(instance, fail.visit(), fail.attempt());
    if (visit == null) {
      return superseded(instance, fail.visit(), fail.attempt());
    }
    Activity activity = definition.activity(visit.activity());
    Walk walk = Decider.walk(definition, instance, fail);
    walk.draft().notes.bodyEnded(visit.node(), fail.duration());
    ActivityInstance failed = visit.failed(fail.fault());
    if (fail.fault().retryable() && failed.failures() < activity.retry().attempts()) {
      long spread =
          Ids.derivedLong(instance.id().toString(), visit.visit() + "/" + failed.failures());
      Instant due = fail.meta().at().plus(activity.retry().delayAfter(failed.failures(), spread));
      retryLater(walk, failed, fail.fault(), due);
    } else {
      new Outcome.Failed(fail.fault()).reach(walk, failed);
    }
    return walk.finish();
  }

  private static void retryLater(Walk walk, ActivityInstance visit, Fault fault, Instant due) {
    ActivityInstance ready = visit.ready(walk.isHeld() ? null : due);
    walk.put(ready);
    Map<String, @Nullable Object> detail = new LinkedHashMap<>(fault.toDocument());
    detail.put("due", due.toString());
    walk.note(HistoryEntry.Type.ACTIVITY_RETRY_SCHEDULED, ready, detail);
  }

  private static @Nullable ActivityInstance running(Instance instance, long visit, int attempt) {
    ActivityInstance activity = instance.activity(visit);
    boolean current =
        activity != null && activity.state() == State.RUNNING && activity.attempt() == attempt;
    return current ? activity : null;
  }

  private static Rejection superseded(Instance instance, long visit, int attempt) {
    ActivityInstance now = instance.activity(visit);
    return Rejection.of(
        SUPERSEDED,
        "Expected attempt %d of visit %d to be running, but %s"
            .formatted(
                attempt,
                visit,
                now == null
                    ? "the visit has ended, the instance is " + instance.status()
                    : "it is " + now.state() + " at attempt " + now.attempt()));
  }

  private static Decision take(Definition definition, Instance instance, Attempt.Take take) {
    ActivityInstance visit = instance.activity(take.visit());
    if (visit == null || visit.state() != State.READY) {
      return new NoChange("The visit is no longer ready", instance.version());
    }
    if (visit.due() == null || visit.due().isAfter(take.meta().at())) {
      return Rejection.of(
          NOT_DUE,
          "Expected visit %d to be due, but it is %s"
              .formatted(
                  take.visit(), visit.due() == null ? "held back" : "due at " + visit.due()));
    }
    NodeId runner = take.meta().runner();
    if (runner == null) {
      return new NoChange(
          "The node that wanted to run the visit no longer can", instance.version());
    }
    Walk walk = Decider.walk(definition, instance, take);
    ActivityInstance started = visit.running(runner);
    walk.put(started);
    walk.note(HistoryEntry.Type.ACTIVITY_STARTED, started);
    return walk.finish();
  }

  private static Decision release(
      Definition definition, Instance instance, Attempt.Release release) {
    ActivityInstance visit = running(instance, release.visit(), release.attempt());
    if (visit == null) {
      return new NoChange("The attempt is no longer current", instance.version());
    }
    Walk walk = Decider.walk(definition, instance, release);
    Instant due = release.notBefore() == null ? release.meta().at() : release.notBefore();
    ActivityInstance ready = visit.ready(instance.hold() == null ? due : null);
    walk.put(ready);
    walk.note(HistoryEntry.Type.ACTIVITY_RELEASED, ready);
    return walk.finish();
  }

  private static Decision recover(
      Definition definition, Instance instance, Attempt.Recover recover) {
    ActivityInstance stranded = running(instance, recover.visit(), recover.attempt());
    if (stranded == null) {
      return new NoChange("The attempt is no longer current", instance.version());
    }
    ActivityInstance visit = recover.crashed() ? stranded.crashed() : stranded;
    Walk walk = Decider.walk(definition, instance, recover);
    Map<String, @Nullable Object> detail = new LinkedHashMap<>();
    detail.put("from", String.valueOf(stranded.node()));
    detail.put("crashed", recover.crashed());
    walk.note(HistoryEntry.Type.ACTIVITY_RECOVERED, visit, detail);
    Fault fatal = fatal(definition.activity(visit.activity()), visit);
    if (fatal != null) {
      new Outcome.Failed(fatal).reach(walk, visit);
    } else {
      walk.run(visit.ready(null));
    }
    return walk.finish();
  }

  /** The reason why a stranded body may not run again without a person having looked, or absent. */
  private static @Nullable Fault fatal(Activity activity, ActivityInstance visit) {
    if (!activity.repeatable()) {
      return Fault.permanent(
          Fault.CRASHED,
          "The node that ran '%s' is gone, and the activity is declared not repeatable: find out"
                  .formatted(activity.id())
              + " how far it came before you retry it");
    }
    return visit.crashes() < Limits.CRASHES
        ? null
        : Fault.permanent(
            Fault.CRASHED,
            "The node that ran '%s' died %d times while it did"
                .formatted(activity.id(), visit.crashes()));
  }
}
