package dev.waymark.core.step.decide;

import static dev.waymark.core.step.Decision.Rejection.Code.GUARD;
import static dev.waymark.core.step.Decision.Rejection.Code.NOT_DUE;
import static dev.waymark.core.step.Decision.Rejection.Code.NOT_FOUND;
import static dev.waymark.core.step.Decision.Rejection.Code.SUSPENDED;
import static dev.waymark.core.step.Decision.Rejection.Code.WRONG_STATE;
import static java.util.Objects.requireNonNull;

import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Hold;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.Lease;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Decision.NoChange;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.Step.Spend.Guard;
import dev.waymark.core.step.StoredFacts;
import dev.waymark.core.step.walk.Guards;
import dev.waymark.core.step.walk.PutOff;
import dev.waymark.core.step.walk.Reactions;
import dev.waymark.core.step.walk.Walk;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decides on waits: answers from people, timers that come due, messages that arrive. */
final class WaitDecisions {

  private WaitDecisions() {}

  static Decision resume(
      Definition definition, Instance instance, StoredFacts prior, Command.Resume resume) {
    Bookmark bookmark = instance.bookmarks().get(resume.bookmark());
    if (bookmark == null) {
      return closed(prior, resume.bookmark());
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
    if (Message.isEnded(bookmark.key())) {
      return Rejection.of(
          WRONG_STATE,
          "Expected a bookmark that can be resumed, but this one waits for a child: it ends with"
              + " it");
    }
    if (instance.hold() != null) {
      return held(instance.hold());
    }
    Walk walk = Decider.walk(definition, instance, resume);
    ActivityInstance visit = requireNonNull(walk.activity(bookmark.visit()), "visit");
    Decision own =
        Reactions.isArmed(visit, bookmark)
            ? null
            : walk.kindOf(visit).answer(walk, visit, bookmark, resume);
    if (own != null) {
      return own;
    }
    // A claim moves no version, so the lease that was read with the command is the newer one.
    Lease lease = prior.bookmark() == null ? bookmark.lease() : prior.bookmark().lease();
    Rejection notYours = checkLease(bookmark, lease, resume.fence(), resume.meta());
    if (notYours == null) {
      notYours = WaitExpiry.refusal(bookmark, resume);
    }
    if (notYours != null) {
      return notYours;
    }
    Rejection refusal = refusal(walk, visit, bookmark, resume);
    if (refusal != null) {
      return refusal;
    }
    Long fence = spent(lease, resume.fence(), resume.meta());
    walk.consume(
        bookmark,
        fence == null ? Guard.FREE : Guard.FENCE,
        fence == null ? 0 : fence,
        resume.payload());
    walk.resumed(bookmark, resume.payload());
    return walk.finish();
  }

  private static @Nullable Rejection refusal(
      Walk walk, ActivityInstance visit, Bookmark bookmark, Command.Resume resume) {
    if (Reactions.isArmed(visit, bookmark)) {
      String unmatched = Reactions.refusal(walk, visit, bookmark, resume.payload());
      return unmatched == null ? null : Rejection.of(GUARD, unmatched);
    }
    Rejection own = walk.kindOf(visit).refusal(walk, visit, bookmark, resume);
    return own == null ? Guards.rejection(walk, visit, resume) : own;
  }

  static Decision closed(StoredFacts prior, BookmarkId id) {
    Bookmark known = prior.bookmark();
    if (known == null || known.closing() == null) {
      return Rejection.of(
          NOT_FOUND, "Expected an open bookmark, but there is none with id %s".formatted(id));
    }
    return Rejection.alreadyClosed(known);
  }

  private static Rejection held(Hold hold) {
    return Rejection.of(
        SUSPENDED,
        "Expected a running instance, but %s suspended it at %s: %s"
            .formatted(hold.by(), hold.since(), hold.reason()));
  }

  /** A live lease is its holder's alone; a lapsed one counts only for who still has its fence. */
  static @Nullable Rejection checkLease(
      Bookmark bookmark, @Nullable Lease lease, @Nullable Long fence, Command.Meta meta) {
    boolean live = lease != null && lease.isLiveAt(meta.at());
    if (fence == null) {
      if (lease == null || !live || lease.holder().equals(meta.actor().id())) {
        return null;
      }
      return lease.isHeldBy(meta.actor())
          ? Rejection.leasedWithFence(bookmark, lease)
          : Rejection.leased(bookmark, lease);
    }
    boolean current =
        lease != null && lease.fence() == fence && (!live || lease.isHeldBy(meta.actor()));
    return current ? null : Rejection.staleFence(bookmark, lease);
  }

  /** The fence that a step spends: the one that was said, or that of the actor's own claim. */
  static @Nullable Long spent(@Nullable Lease lease, @Nullable Long fence, Command.Meta meta) {
    return fence == null && lease != null && lease.holder().equals(meta.actor().id())
        ? (Long) lease.fence()
        : fence;
  }

  static Decision fire(Definition definition, Instance instance, Command.Fire fire) {
    Bookmark timer = instance.bookmarks().get(fire.bookmark());
    if (timer != null && timer.kind() != BookmarkKind.TIMER) {
      return WaitExpiry.decide(definition, instance, timer, fire);
    }
    if (timer == null || timer.due() == null) {
      return new NoChange("The timer is no longer open", instance.version());
    }
    if (fire.meta().at().isBefore(timer.due())) {
      return Rejection.of(
          NOT_DUE,
          "Expected timer '%s' to be due, but it is due at %s".formatted(timer.key(), timer.due()));
    }
    Walk walk = Decider.walk(definition, instance, fire);
    if (walk.isHeld()) {
      return PutOff.decide(walk, timer, requireNonNull(walk.activity(timer.visit()), "visit"));
    }
    walk.consume(timer, Guard.DUE, 0, Map.of());
    walk.resumed(timer, Map.of());
    return walk.finish();
  }

  static Decision deliver(Definition definition, Instance instance, Command.Deliver deliver) {
    Message message = deliver.message();
    if (message.name().equals(Message.CANCEL)) {
      return cancelled(definition, instance, deliver);
    }
    if (instance.hold() != null) {
      return kept(instance);
    }
    if (message.isReport()) {
      return ProgressReports.deliver(definition, instance, deliver);
    }
    Walk walk = Decider.walk(definition, instance, deliver);
    List<Bookmark> open = takers(walk, instance, message);
    if (open.isEmpty()) {
      return kept(instance);
    }
    walk.received(message);
    for (Bookmark bookmark : Message.isSignal(message.name()) ? open : open.subList(0, 1)) {
      // An answer may have withdrawn others that stood for the same signal.
      if (walk.bookmarks().isOpen(bookmark)) {
        walk.consume(bookmark, Guard.ANY, 0, message.payload());
        walk.resumed(bookmark, message.payload());
      }
    }
    return walk.finish();
  }

  /**
   * The open waits that take this message: the waits of a visit before those of the scopes around
   * it.
   */
  static List<Bookmark> takers(Walk walk, Instance instance, Message message) {
    return instance.bookmarks().values().stream()
        .filter(message::isFor)
        .filter(bookmark -> isAccepted(walk, bookmark, message))
        .sorted(Comparator.comparingLong(Bookmark::visit).reversed())
        .toList();
  }

  static NoChange kept(Instance instance) {
    return new NoChange("Nobody waits for this message now; it is kept", instance.version());
  }

  private static boolean isAccepted(Walk walk, Bookmark bookmark, Message message) {
    ActivityInstance visit = requireNonNull(walk.activity(bookmark.visit()), "visit");
    if (Reactions.isArmed(visit, bookmark)) {
      return Reactions.refusal(walk, visit, bookmark, message.payload()) == null;
    }
    return walk.kindOf(visit).takesEveryMessage()
        || Guards.refusal(walk, visit, message.payload()) == null;
  }

  /** A parent that no longer wants its child; also where an operator holds it back. */
  private static Decision cancelled(
      Definition definition, Instance instance, Command.Deliver deliver) {
    if (instance.status().isTerminal()) {
      return new NoChange("The instance has already ended", instance.version());
    }
    Walk walk = Decider.walk(definition, instance, deliver);
    walk.received(deliver.message());
    Object reason = deliver.message().payload().get("reason");
    walk.end(Status.CANCELLED, null, Map.of("reason", String.valueOf(reason)));
    return walk.finish();
  }
}
