package dev.waymark.core.step.decide;

import static dev.waymark.core.step.Decision.Rejection.Code.NOT_YOURS;
import static java.util.Objects.requireNonNull;

import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.Lease;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.StoredFacts;
import dev.waymark.core.step.TaskAction;
import dev.waymark.core.step.walk.Permissions;
import dev.waymark.core.step.walk.Reactions;
import dev.waymark.core.step.walk.Walk;
import org.jspecify.annotations.Nullable;

/** Decides on what people do about their work without ending it. None of it moves a token. */
final class TaskDecisions {

  private TaskDecisions() {}

  static Decision attend(
      Definition definition, Instance instance, StoredFacts prior, Command.Attend attend) {
    Bookmark bookmark = instance.bookmarks().get(attend.bookmark());
    if (bookmark == null) {
      return WaitDecisions.closed(prior, attend.bookmark());
    }
    Actor actor = attend.meta().actor();
    // A claim moves no version, so the lease that was read with the command is the newer one.
    Lease lease = prior.bookmark() == null ? bookmark.lease() : prior.bookmark().lease();
    if (bookmark.kind() != BookmarkKind.APPROVAL
        && moves(attend.act())
        && lease != null
        && lease.isLiveAt(attend.meta().at())
        && !lease.holder().equals(actor.id())
        && !Permissions.isOperator(attend.meta())) {
      return Rejection.taskLeased(bookmark, lease);
    }
    Walk walk = Decider.walk(definition, instance, attend);
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
  private static boolean moves(TaskAction act) {
    return switch (act) {
      case TaskAction.Assign assign -> true;
      case TaskAction.Return back -> true;
      case TaskAction.Delegate delegate -> true;
      case TaskAction.Resolve resolve -> true;
      case TaskAction.HandOver handOver -> true;
      case TaskAction.Reschedule reschedule -> false;
      case TaskAction.Comment comment -> false;
      case TaskAction.Attach attach -> false;
    };
  }
}
