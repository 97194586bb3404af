package dev.waymark.core.step;

import static dev.waymark.core.step.Decision.Rejection.Code.ALREADY_CLOSED;
import static dev.waymark.core.step.Decision.Rejection.Code.BAD_INPUT;
import static dev.waymark.core.step.Decision.Rejection.Code.COMMAND_REUSED;
import static dev.waymark.core.step.Decision.Rejection.Code.ENDED;
import static dev.waymark.core.step.Decision.Rejection.Code.KEY_TAKEN;
import static dev.waymark.core.step.Decision.Rejection.Code.LEASED;
import static dev.waymark.core.step.Decision.Rejection.Code.NOT_DUE;
import static dev.waymark.core.step.Decision.Rejection.Code.NOT_FOUND;
import static dev.waymark.core.step.Decision.Rejection.Code.STALE_FENCE;
import static dev.waymark.core.step.Decision.Rejection.Code.SUPERSEDED;
import static dev.waymark.core.step.Decision.Rejection.Code.SUSPENDED;
import static dev.waymark.core.step.Decision.Rejection.Code.WRONG_STATE;

import dev.waymark.core.Ids;
import dev.waymark.core.Limits;
import dev.waymark.core.definition.Activity;
import dev.waymark.core.definition.Definition;
import dev.waymark.core.definition.InputSchema.Violation;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Hold;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.Lease;
import dev.waymark.core.instance.NodeId;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Decision.NoChange;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.Step.Spend.Guard;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a command does to an instance. A total, pure function: no clock, no I/O, no random
 * number, no log. Deciding twice on the same state gives the same step with the same ids.
 *
 * <p>What it decides is not yet true: the step is, once the store has committed it on the version
 * it stands on.
 */
public final class Decider {

  private Decider() {}

  /**
   * What the command does to the instance as it is.
   *
   * @param instance the state to decide on; absent if the instance does not exist
   * @param prior what the store knew about the command, read with the instance
   */
  public static Decision decide(
      Definition definition, @Nullable Instance instance, Prior prior, Command command) {
    if (prior.command() != null) {
      return repeated(prior.command(), command);
    }
    if (command instanceof Command.Start start) {
      return start(definition, instance, prior, start);
    }
    if (instance == null) {
      return decideWithoutInstance(prior, command);
    }
    return switch (command) {
      case Command.Start start -> start(definition, instance, prior, start);
      case Command.Complete complete -> complete(definition, instance, complete);
      case Command.Await await -> await(definition, instance, await);
      case Command.Fail fail -> fail(definition, instance, fail);
      case Command.Take take -> take(definition, instance, take);
      case Command.Release release -> release(definition, instance, release);
      case Command.Recover recover -> recover(definition, instance, recover);
      case Command.Resume resume -> resume(definition, instance, prior, resume);
      case Command.Fire fire -> fire(definition, instance, fire);
      case Command.Deliver deliver -> deliver(definition, instance, deliver);
      case Command.Cancel cancel -> cancel(definition, instance, cancel);
      case Command.Suspend suspend -> suspend(definition, instance, suspend);
      case Command.Continue go -> letGo(definition, instance, go);
      case Command.Intervene intervene -> intervene(definition, instance, prior, intervene);
    };
  }

  /** What becomes of a command, other than a start, whose instance does not exist. */
  public static Decision decideWithoutInstance(Prior prior, Command command) {
    return prior.command() != null
        ? repeated(prior.command(), command)
        : Rejection.of(NOT_FOUND, "Expected an instance, but there is none with this id");
  }

  private static Decision repeated(Prior.CommandRecord earlier, Command command) {
    if (earlier.fingerprint().equals(command.meta().fingerprint())) {
      return new NoChange("This command was already carried out", earlier.version());
    }
    return Rejection.of(
        COMMAND_REUSED,
        "Expected a new command id, but '%s' was already used for another request, on instance %s"
            .formatted(earlier.id(), earlier.instance()));
  }

  // ---- start

  private static Decision start(
      Definition definition, @Nullable Instance existing, Prior prior, Command.Start start) {
    if (existing != null) {
      return new NoChange("This instance was already started", existing.version());
    }
    if (prior.keyHolder() != null) {
      return Rejection.of(
          KEY_TAKEN,
          "Expected business key '%s' to be free, but instance %s has it"
              .formatted(String.valueOf(start.businessKey()), prior.keyHolder()));
    }
    if (definition.input() != null) {
      List<Violation> violations = definition.input().check(start.input());
      if (!violations.isEmpty()) {
        return new Rejection(BAD_INPUT, badInput(definition, violations), violations);
      }
    }
    Walk walk = new Walk(definition, unborn(definition, start), start);
    walk.start(start);
    return walk.finish();
  }

  private static String badInput(Definition definition, List<Violation> violations) {
    StringBuilder text =
        new StringBuilder("Expected start data that fits ")
            .append(definition)
            .append(", but found ")
            .append(violations.size())
            .append(violations.size() == 1 ? " fault:" : " faults:");
    violations.forEach(
        v ->
            text.append("\n  ")
                .append(v.pointer().isEmpty() ? "/" : v.pointer())
                .append(": ")
                .append(v.message()));
    return text.toString();
  }

  private static Instance unborn(Definition definition, Command.Start start) {
    Command.Meta meta = start.meta();
    return new Instance(
        start.instance(),
        new Instance.Origin(
            meta.actor().tenant(),
            definition.id(),
            start.businessKey(),
            start.correlationId(),
            meta.traceParent(),
            meta.at()),
        0,
        Status.RUNNING,
        Map.of(),
        Map.of(),
        Collections.unmodifiableSortedMap(new TreeMap<>()),
        Collections.unmodifiableSortedMap(new TreeMap<>()),
        0,
        Map.of(),
        null,
        null,
        null);
  }

  // ---- bodies

  private static Decision complete(
      Definition definition, Instance instance, Command.Complete complete) {
    ActivityInstance visit = running(instance, complete.visit(), complete.attempt());
    if (visit == null) {
      return superseded(instance, complete.visit(), complete.attempt());
    }
    Walk walk = new Walk(definition, instance, complete);
    walk.bodyEnded(visit, complete.duration(), complete.effects());
    walk.complete(visit.waiting().with(Resumption.DATA, null), complete.output());
    return walk.finish();
  }

  private static Decision await(Definition definition, Instance instance, Command.Await await) {
    ActivityInstance visit = running(instance, await.visit(), await.attempt());
    if (visit == null) {
      return superseded(instance, await.visit(), await.attempt());
    }
    Walk walk = new Walk(definition, instance, await);
    walk.bodyEnded(visit, await.duration(), await.effects());
    walk.merge(await.output());
    List<?> resumptions = Resumption.documentsOf(visit);
    List<?> left = resumptions.isEmpty() ? resumptions : resumptions.subList(1, resumptions.size());
    ActivityInstance waiting = visit.with(Resumption.DATA, left.isEmpty() ? null : left);
    walk.await(waiting, await.waits());
    if (!left.isEmpty()) {
      walk.run(waiting.waiting());
    }
    return walk.finish();
  }

  private static Decision fail(Definition definition, Instance instance, Command.Fail fail) {
    ActivityInstance visit = running(instance, fail.visit(), fail.attempt());
    if (visit == null) {
      return superseded(instance, fail.visit(), fail.attempt());
    }
    Activity activity = definition.activity(visit.activity());
    Walk walk = new Walk(definition, instance, fail);
    walk.bodyEnded(visit, fail.duration(), Command.Effects.NONE);
    ActivityInstance failed = visit.failed(fail.fault());
    if (fail.fault().retryable() && failed.failures() < activity.retry().attempts()) {
      long spread =
          Ids.derivedLong(instance.id().toString(), visit.visit() + "/" + failed.failures());
      Instant due = fail.meta().at().plus(activity.retry().delayAfter(failed.failures(), spread));
      walk.retryLater(failed, fail.fault(), due);
    } else {
      walk.fault(failed, fail.fault());
    }
    return walk.finish();
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

  private static Decision take(Definition definition, Instance instance, Command.Take take) {
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
    Walk walk = new Walk(definition, instance, take);
    ActivityInstance started = visit.running(runner);
    walk.put(started);
    walk.note(HistoryEntry.Type.ACTIVITY_STARTED, started);
    return walk.finish();
  }

  private static Decision release(
      Definition definition, Instance instance, Command.Release release) {
    ActivityInstance visit = running(instance, release.visit(), release.attempt());
    if (visit == null) {
      return new NoChange("The attempt is no longer current", instance.version());
    }
    Walk walk = new Walk(definition, instance, release);
    ActivityInstance ready = visit.ready(instance.hold() == null ? release.meta().at() : null);
    walk.put(ready);
    walk.note(HistoryEntry.Type.ACTIVITY_RELEASED, ready);
    return walk.finish();
  }

  private static Decision recover(
      Definition definition, Instance instance, Command.Recover recover) {
    ActivityInstance stranded = running(instance, recover.visit(), recover.attempt());
    if (stranded == null) {
      return new NoChange("The attempt is no longer current", instance.version());
    }
    ActivityInstance visit = recover.crashed() ? stranded.crashed() : stranded;
    Walk walk = new Walk(definition, instance, recover);
    Map<String, @Nullable Object> detail = new LinkedHashMap<>();
    detail.put("from", String.valueOf(stranded.node()));
    detail.put("crashed", recover.crashed());
    walk.note(HistoryEntry.Type.ACTIVITY_RECOVERED, visit, detail);
    Fault fatal = fatal(definition.activity(visit.activity()), visit);
    if (fatal != null) {
      walk.fault(visit, fatal);
    } else {
      walk.run(visit.ready(null));
    }
    return walk.finish();
  }

  /** Why a stranded body may not run again without a person having looked, or absent. */
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

  // ---- waits

  private static Decision resume(
      Definition definition, Instance instance, Prior prior, Command.Resume resume) {
    Bookmark bookmark = instance.bookmarks().get(resume.bookmark());
    if (bookmark == null || !instance.tenant().equals(resume.meta().actor().tenant())) {
      return closed(instance, prior, resume.bookmark(), resume);
    }
    if (bookmark.kind() == BookmarkKind.TIMER
        || bookmark.kind() == BookmarkKind.MANUAL_INTERVENTION) {
      return Rejection.of(
          WRONG_STATE,
          "Expected a bookmark that can be resumed, but '%s' is a %s: %s"
              .formatted(
                  bookmark.key(),
                  bookmark.kind(),
                  bookmark.kind() == BookmarkKind.TIMER
                      ? "it fires by itself at " + bookmark.due()
                      : "resolve it with one of its actions"));
    }
    if (instance.hold() != null) {
      return held(instance.hold());
    }
    // A claim moves no version, so the lease that was read with the command is the newer one.
    Lease lease = prior.bookmark() == null ? bookmark.lease() : prior.bookmark().lease();
    Rejection notYours = checkLease(bookmark, lease, resume);
    if (notYours != null) {
      return notYours;
    }
    Walk walk = new Walk(definition, instance, resume);
    Long fence = resume.fence();
    walk.consume(
        bookmark,
        fence == null ? Guard.FREE : Guard.FENCE,
        fence == null ? 0 : fence,
        resume.payload());
    walk.resumed(bookmark, resume.payload());
    return walk.finish();
  }

  private static Decision closed(Instance instance, Prior prior, BookmarkId id, Command command) {
    Bookmark known = prior.bookmark();
    if (known == null
        || known.closing() == null
        || !instance.tenant().equals(command.meta().actor().tenant())) {
      return Rejection.of(
          NOT_FOUND, "Expected an open bookmark, but there is none with id %s".formatted(id));
    }
    return Rejection.of(
        ALREADY_CLOSED,
        "Expected bookmark '%s' to be open, but it was %s by %s at %s"
            .formatted(
                known.key(),
                known.closing().end() == Bookmark.End.CONSUMED ? "consumed" : "withdrawn",
                known.closing().by(),
                known.closing().at()));
  }

  private static Rejection held(Hold hold) {
    return Rejection.of(
        SUSPENDED,
        "Expected a running instance, but %s suspended it at %s: %s"
            .formatted(hold.by(), hold.since(), hold.reason()));
  }

  /** A live lease is its holder's alone; a lapsed one counts only for who still has its fence. */
  private static @Nullable Rejection checkLease(
      Bookmark bookmark, @Nullable Lease lease, Command.Resume resume) {
    if (resume.fence() == null) {
      return lease == null || !lease.isLiveAt(resume.meta().at())
          ? null
          : Rejection.of(
              LEASED,
              "Expected bookmark '%s' to be free, but %s holds it until %s"
                  .formatted(bookmark.key(), lease.holder(), lease.until()));
    }
    return lease != null && lease.fence() == resume.fence()
        ? null
        : Rejection.of(
            STALE_FENCE,
            "Expected fence %s on bookmark '%s', but you hold %d: %s"
                .formatted(
                    lease == null ? "none" : lease.fence(),
                    bookmark.key(),
                    resume.fence(),
                    lease == null
                        ? "the claim was given back"
                        : lease.holder() + " claimed it since"));
  }

  // A timer fires on a held instance too: what follows it is held back, and nothing is re-read.
  private static Decision fire(Definition definition, Instance instance, Command.Fire fire) {
    Bookmark timer = instance.bookmarks().get(fire.bookmark());
    if (timer == null || timer.due() == null) {
      return new NoChange("The timer is no longer open", instance.version());
    }
    if (fire.meta().at().isBefore(timer.due())) {
      return Rejection.of(
          NOT_DUE,
          "Expected timer '%s' to be due, but it is due at %s".formatted(timer.key(), timer.due()));
    }
    Walk walk = new Walk(definition, instance, fire);
    walk.consume(timer, Guard.DUE, 0, Map.of());
    walk.resumed(timer, Map.of());
    return walk.finish();
  }

  private static Decision deliver(
      Definition definition, Instance instance, Command.Deliver deliver) {
    Bookmark bookmark =
        instance.bookmarks().values().stream()
            .filter(b -> b.kind() == BookmarkKind.EXTERNAL_MESSAGE)
            .filter(b -> b.key().equals(deliver.message().name()))
            .findFirst()
            .orElse(null);
    if (bookmark == null || instance.hold() != null) {
      return new NoChange("Nobody waits for this message now; it is kept", instance.version());
    }
    Walk walk = new Walk(definition, instance, deliver);
    walk.received(deliver.message());
    walk.consume(bookmark, Guard.ANY, 0, deliver.message().payload());
    walk.resumed(bookmark, deliver.message().payload());
    return walk.finish();
  }

  // ---- operators

  private static Decision cancel(Definition definition, Instance instance, Command.Cancel cancel) {
    if (instance.status() == Status.CANCELLED) {
      return new NoChange("The instance is already cancelled", instance.version());
    }
    if (instance.status().isTerminal()) {
      return ended(instance);
    }
    Walk walk = new Walk(definition, instance, cancel);
    walk.end(Status.CANCELLED, null, Map.of("reason", cancel.reason()));
    return walk.finish();
  }

  private static Rejection ended(Instance instance) {
    return Rejection.of(
        ENDED,
        "Expected a running instance, but it ended as %s at %s"
            .formatted(instance.status(), String.valueOf(instance.ended())));
  }

  private static Decision suspend(
      Definition definition, Instance instance, Command.Suspend suspend) {
    if (instance.status().isTerminal()) {
      return ended(instance);
    }
    if (instance.hold() != null) {
      return new NoChange("The instance is already suspended", instance.version());
    }
    Walk walk = new Walk(definition, instance, suspend);
    walk.noteInstance(HistoryEntry.Type.INSTANCE_SUSPENDED, Map.of("reason", suspend.reason()));
    walk.hold(new Hold(suspend.meta().actor().id(), suspend.reason(), suspend.meta().at()));
    return walk.finish();
  }

  private static Decision letGo(Definition definition, Instance instance, Command.Continue go) {
    if (instance.status().isTerminal()) {
      return ended(instance);
    }
    if (instance.hold() == null) {
      return new NoChange("The instance is not suspended by anybody", instance.version());
    }
    Walk walk = new Walk(definition, instance, go);
    walk.noteInstance(HistoryEntry.Type.INSTANCE_CONTINUED, Map.of("reason", go.reason()));
    walk.letGo();
    return walk.finish();
  }

  private static Decision intervene(
      Definition definition, Instance instance, Prior prior, Command.Intervene intervene) {
    Bookmark bookmark = instance.bookmarks().get(intervene.bookmark());
    if (bookmark == null || !instance.tenant().equals(intervene.meta().actor().tenant())) {
      return closed(instance, prior, intervene.bookmark(), intervene);
    }
    if (bookmark.kind() != BookmarkKind.MANUAL_INTERVENTION) {
      return Rejection.of(
          WRONG_STATE,
          "Expected an intervention, but '%s' is a %s".formatted(bookmark.key(), bookmark.kind()));
    }
    Map<String, @Nullable Object> answer = new LinkedHashMap<>();
    answer.put("action", intervene.action().name());
    answer.put("reason", intervene.reason());
    Walk walk = new Walk(definition, instance, intervene);
    walk.consume(bookmark, Guard.ANY, 0, answer);
    switch (intervene.action()) {
      case RETRY_ACTIVITY -> {
        ActivityInstance parked = walk.activity(bookmark.visit());
        if (parked != null) {
          walk.retry(parked);
        }
      }
      case CANCEL_WORKFLOW -> walk.end(Status.CANCELLED, null, answer);
    }
    return walk.finish();
  }
}
