package dev.waymark.core.step.decide;

import static dev.waymark.core.step.Decision.Rejection.Code.ENDED;
import static dev.waymark.core.step.Decision.Rejection.Code.NOT_YOURS;
import static dev.waymark.core.step.Decision.Rejection.Code.WRONG_STATE;
import static java.util.Objects.requireNonNull;

import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Candidates;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Hold;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.Lease;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Decision.NoChange;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.Operators;
import dev.waymark.core.step.Step.Spend.Guard;
import dev.waymark.core.step.StoredFacts;
import dev.waymark.core.step.walk.Compensation;
import dev.waymark.core.step.walk.Outcome;
import dev.waymark.core.step.walk.PutOff;
import dev.waymark.core.step.walk.Walk;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Decides the commands of operators about a run: cancel, hold, let go, and resolve a parked visit.
 */
final class Interventions {

  private Interventions() {}

  static Decision cancel(Definition definition, Instance instance, Command.Cancel cancel) {
    if (instance.status() == Status.CANCELLED) {
      return new NoChange("The instance is already cancelled", instance.version());
    }
    if (instance.status().isTerminal()) {
      return ended(instance);
    }
    Walk walk = Decider.walk(definition, instance, cancel);
    if (cancel.compensate()) {
      Compensation.beginCancel(walk, cancel.reason());
    } else {
      walk.end(Status.CANCELLED, null, Map.of("reason", cancel.reason()));
    }
    return walk.finish();
  }

  static Rejection ended(Instance instance) {
    return Rejection.of(
        ENDED,
        "Expected a running instance, but it ended as %s at %s"
            .formatted(instance.status(), String.valueOf(instance.ended())));
  }

  static Decision suspend(Definition definition, Instance instance, Command.Suspend suspend) {
    if (instance.status().isTerminal()) {
      return ended(instance);
    }
    if (instance.hold() != null) {
      return new NoChange("The instance is already suspended", instance.version());
    }
    Walk walk = Decider.walk(definition, instance, suspend);
    walk.noteInstance(HistoryEntry.Type.INSTANCE_SUSPENDED, Map.of("reason", suspend.reason()));
    hold(walk, new Hold(suspend.meta().actor().id(), suspend.reason(), suspend.meta().at()));
    return walk.finish();
  }

  private static void hold(Walk walk, Hold hold) {
    walk.draft().hold = hold;
    for (ActivityInstance visit : ready(walk)) {
      walk.put(visit.ready(null));
    }
  }

  // A visit that goes on may end others, so each is looked at only while it is still there.
  private static void letGo(Walk walk) {
    walk.draft().hold = null;
    endPauses(walk);
    List.copyOf(walk.draft().activities.values()).forEach(visit -> PutOff.restore(walk, visit));
    for (ActivityInstance was : ready(walk)) {
      ActivityInstance visit = walk.activity(was.visit());
      if (visit != null && visit.state() == State.READY) {
        if (Outcome.isKept(visit)) {
          Outcome.release(walk, visit);
        } else {
          walk.run(visit);
        }
      }
    }
  }

  // Workers leave the waits of a held run alone for a while. A change of a wait, even into itself,
  // ends such a pause and tells the workers; a live lease stays.
  private static void endPauses(Walk walk) {
    for (Bookmark wait : List.copyOf(walk.bookmarks().open().values())) {
      if (wait.kind() != BookmarkKind.TIMER && !Message.isEnded(wait.key())) {
        walk.bookmarks().amend(wait, false);
      }
    }
  }

  private static List<ActivityInstance> ready(Walk walk) {
    return walk.draft().activities.values().stream()
        .filter(visit -> visit.state() == State.READY)
        .toList();
  }

  static Decision letGo(Definition definition, Instance instance, Command.Continue go) {
    if (instance.status().isTerminal()) {
      return ended(instance);
    }
    if (instance.hold() == null) {
      return new NoChange("The instance is not suspended by anybody", instance.version());
    }
    Walk walk = Decider.walk(definition, instance, go);
    walk.noteInstance(HistoryEntry.Type.INSTANCE_CONTINUED, Map.of("reason", go.reason()));
    letGo(walk);
    return walk.finish();
  }

  static Decision intervene(
      Definition definition, Instance instance, StoredFacts prior, Command.Intervene intervene) {
    Bookmark bookmark = instance.bookmarks().get(intervene.bookmark());
    if (bookmark == null) {
      return WaitDecisions.closed(prior, intervene.bookmark());
    }
    if (bookmark.kind() != BookmarkKind.MANUAL_INTERVENTION) {
      return Rejection.of(
          WRONG_STATE,
          "Expected an intervention, but '%s' is a %s".formatted(bookmark.key(), bookmark.kind()));
    }
    Rejection notYours = notYours(bookmark, intervene.meta());
    if (notYours != null) {
      return notYours;
    }
    boolean above = isAbove(bookmark, intervene.meta());
    Long fence = intervene.fence();
    Lease lease = prior.bookmark() == null ? bookmark.lease() : prior.bookmark().lease();
    Rejection held =
        above && fence == null
            ? null
            : WaitDecisions.checkLease(bookmark, lease, fence, intervene.meta());
    if (held != null) {
      return held;
    }
    Map<String, @Nullable Object> answer = new LinkedHashMap<>();
    answer.put("action", intervene.action().name());
    answer.put("reason", intervene.reason());
    Walk walk = Decider.walk(definition, instance, intervene);
    Long spent = WaitDecisions.spent(lease, fence, intervene.meta());
    walk.consume(
        bookmark,
        spent != null ? Guard.FENCE : above ? Guard.ANY : Guard.FREE,
        spent == null ? 0 : spent,
        answer);
    ActivityInstance parked = requireNonNull(walk.activity(bookmark.visit()), "visit");
    switch (intervene.action()) {
      case RETRY_ACTIVITY -> new Outcome.Retried().reach(walk, parked);
      case MODIFY_VARIABLES -> {
        walk.merge(parked, intervene.values());
        ActivityInstance merged = requireNonNull(walk.activity(bookmark.visit()), "visit");
        new Outcome.Retried().reach(walk, merged);
      }
      case SKIP_ACTIVITY -> new Outcome.Skipped(intervene.values()).reach(walk, parked);
      case CANCEL_WORKFLOW -> walk.end(Status.CANCELLED, null, answer);
    }
    return walk.finish();
  }

  /**
   * The reason why the actor may not resolve it; absent if they may. An intervention names a level,
   * which some applications know as a group and others as a role, so either is enough; and the
   * higher level may do all that the lower one may. Where there is no higher level, the first one
   * may resolve everything, also an intervention that once went higher.
   */
  private static @Nullable Rejection notYours(Bookmark bookmark, Command.Meta meta) {
    Actor actor = meta.actor();
    Operators operators = meta.operators();
    Candidates candidates = bookmark.terms().candidates();
    if (candidates.allow(actor)
        || candidates.groups().stream().anyMatch(actor.roles()::contains)
        || operators.isHighest(actor)
        || (operators.higherLevel() == null && operators.isFirst(actor))) {
      return null;
    }
    return Rejection.of(
        NOT_YOURS,
        "Expected %s to resolve '%s', but %s is neither in such a group nor has such a role"
            .formatted(
                String.join(" or ", new TreeSet<>(candidates.names())),
                bookmark.key(),
                actor.id()));
  }

  /**
   * True if the actor may act although another person has claimed it. Between people of the highest
   * level the claim counts.
   */
  private static boolean isAbove(Bookmark bookmark, Command.Meta meta) {
    String higher = meta.operators().higherLevel();
    return higher != null
        && meta.operators().isHighest(meta.actor())
        && !bookmark.terms().candidates().groups().contains(higher);
  }
}
