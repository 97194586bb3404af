package dev.waymark.core.step;

import static dev.waymark.core.step.Decision.Rejection.Code.NOT_YOURS;
import static java.util.Objects.requireNonNull;

import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.Lease;
import dev.waymark.core.step.Decision.Rejection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What people do about their work without ending it. None of it moves a token. */
final class People {

  private People() {}

  static Decision attend(
      Definition definition, Instance instance, Prior prior, Command.Attend attend) {
    Bookmark bookmark = instance.bookmarks().get(attend.bookmark());
    if (bookmark == null) {
      return Waits.closed(prior, attend.bookmark());
    }
    Actor actor = attend.meta().actor();
    // A claim moves no version, so the lease that was read with the command is the newer one.
    Lease lease = prior.bookmark() == null ? bookmark.lease() : prior.bookmark().lease();
    if (bookmark.kind() != BookmarkKind.APPROVAL
        && moves(attend.act())
        && lease != null
        && lease.isLiveAt(attend.meta().at())
        && !lease.holder().equals(actor.id())
        && !isOperator(attend.meta())) {
      return Rejection.taskLeased(bookmark, lease);
    }
    Walk walk = new Walk(definition, instance, attend);
    ActivityInstance visit = requireNonNull(walk.activity(bookmark.visit()), "visit");
    Rejection refusal =
        Reactions.isArmed(visit, bookmark)
            ? Rejection.of(NOT_YOURS, "Expected a task or an approval, but this is a reaction")
            : walk.kindOf(visit).attend(walk, visit, held(bookmark, lease), attend.act());
    return refusal == null ? walk.finish() : refusal;
  }

  private static Bookmark held(Bookmark bookmark, @Nullable Lease lease) {
    return lease == null ? bookmark : bookmark.heldBy(lease);
  }

  /**
   * True if the act gives the work to another person, which a claim on a task forbids. An approval
   * is for all who may decide, and a claim locks none of them out.
   */
  private static boolean moves(Act act) {
    return switch (act) {
      case Act.Assign assign -> true;
      case Act.Return back -> true;
      case Act.Delegate delegate -> true;
      case Act.Resolve resolve -> true;
      case Act.HandOver handOver -> true;
      case Act.Reschedule reschedule -> false;
      case Act.Comment comment -> false;
      case Act.Attach attach -> false;
    };
  }

  /** True if the actor may act on work of other people, such as one on holiday. */
  static boolean isOperator(Command.Meta meta) {
    return meta.operators().include(meta.actor());
  }

  /** Why the actor may not do what only operators may; absent if they may. */
  static @Nullable Rejection operatorsOnly(Walk walk, Act act) {
    Command.Meta meta = walk.draft().command.meta();
    return isOperator(meta)
        ? null
        : Rejection.of(
            NOT_YOURS,
            "Expected an operator (role %s) for '%s', but %s is none"
                .formatted(
                    String.join(" or ", meta.operators().roles()), act.word(), meta.actor().id()));
  }

  /**
   * Gives a task or an approval another due date. Its reminders and escalations are timers of their
   * own and stay as they are.
   */
  static @Nullable Rejection reschedule(
      Walk walk, ActivityInstance visit, Bookmark bookmark, Act.Reschedule change) {
    Rejection notYours = operatorsOnly(walk, change);
    if (notYours == null) {
      note(walk, visit, change);
      walk.bookmarks()
          .amend(bookmark.with(bookmark.payload(), change.due(), bookmark.terms()), false);
      PutOff.forget(walk, bookmark);
    }
    return notYours;
  }

  /** Why the actor may not act on this wait; absent if they may. */
  static @Nullable Rejection mayAct(Walk walk, Bookmark bookmark) {
    Command command = walk.draft().command;
    Actor actor = command.meta().actor();
    Set<String> standsFor =
        command instanceof Command.Attend attend ? attend.standsFor() : Set.of();
    return bookmark.terms().candidates().allow(actor, standsFor) || isOperator(command.meta())
        ? null
        : Rejection.notYours(bookmark, actor);
  }

  static void note(Walk walk, ActivityInstance visit, Act act) {
    Map<String, @Nullable Object> detail = new LinkedHashMap<>();
    detail.put("act", act.word());
    detail.putAll(act.toDocument());
    walk.note(HistoryEntry.Type.TASK_CHANGED, visit, detail);
  }
}
