package dev.waymark.core.step.decide;

import static dev.waymark.core.step.Decision.Rejection.Code.EXPIRED;
import static dev.waymark.core.step.Decision.Rejection.Code.NOT_DUE;
import static java.util.Objects.requireNonNull;

import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Candidates;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.Operators;
import dev.waymark.core.step.Step.Spend.Guard;
import dev.waymark.core.step.walk.BookmarkDraft;
import dev.waymark.core.step.walk.PutOff;
import dev.waymark.core.step.walk.Walk;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides on waits that were not answered in time. One that has expired is closed and its activity
 * goes on; an intervention that was not resolved goes to a higher level.
 */
final class WaitExpiry {

  /** In the output of an activity whose wait has expired. */
  static final String EXPIRED_OUTPUT = "expired";

  private WaitExpiry() {}

  static @Nullable Rejection refusal(Bookmark bookmark, Command.Resume resume) {
    return bookmark.isExpiredAt(resume.meta().at())
        ? Rejection.of(
            EXPIRED,
            "Expected an answer to '%s' before %s, but it has expired"
                .formatted(bookmark.key(), String.valueOf(bookmark.terms().expires())))
        : null;
  }

  static Decision decide(
      Definition definition, Instance instance, Bookmark bookmark, Command.Fire fire) {
    Instant now = fire.meta().at();
    if (bookmark.isExpiredAt(now)) {
      Walk walk = Decider.walk(definition, instance, fire);
      ActivityInstance visit = requireNonNull(walk.activity(bookmark.visit()), "visit");
      return walk.isHeld() ? PutOff.decide(walk, bookmark, visit) : expire(walk, bookmark, visit);
    }
    Instant due = bookmark.due();
    if (bookmark.kind() == BookmarkKind.MANUAL_INTERVENTION && due != null && !now.isBefore(due)) {
      return escalate(Decider.walk(definition, instance, fire), bookmark);
    }
    return Rejection.of(
        NOT_DUE,
        "Expected '%s' to be out of time, but it is due at %s and expires at %s"
            .formatted(bookmark.key(), due, bookmark.terms().expires()));
  }

  /**
   * No guard is asked, since there is no answer. The definition can check whether the wait has
   * expired.
   */
  private static Decision expire(Walk walk, Bookmark bookmark, ActivityInstance visit) {
    walk.bookmarks().close(bookmark, Bookmark.End.EXPIRED, Guard.ANY, 0);
    walk.note(
        HistoryEntry.Type.WAIT_EXPIRED,
        visit,
        Map.of("kind", bookmark.kind().name(), "key", bookmark.key()));
    if (!bookmark.isOverAtOnce()) {
      walk.draft().loops = Map.of();
    }
    walk.resumed(bookmark, Map.of(EXPIRED_OUTPUT, true));
    return walk.finish();
  }

  /**
   * Once: there is no level above the highest. The holder of a claim has not resolved it in time,
   * and loses it. Where there is no higher level any more, it stays with the first one and is due
   * no more.
   */
  private static Decision escalate(Walk walk, Bookmark bookmark) {
    ActivityInstance visit = requireNonNull(walk.activity(bookmark.visit()), "visit");
    Operators operators = walk.draft().command.meta().operators();
    String higher = operators.higherLevel();
    String to = higher == null ? operators.firstLevel() : higher;
    long level = higher == null ? 1 : 2;
    Map<String, @Nullable Object> payload = new LinkedHashMap<>(bookmark.payload());
    payload.put(BookmarkDraft.LEVEL, level);
    payload.put(BookmarkDraft.REQUIRED_ROLE, to);
    Candidates asked = new Candidates(null, Set.of(), Set.of(to), Set.of());
    walk.bookmarks().amend(bookmark.with(payload, null, bookmark.terms().with(asked)), true);
    walk.note(
        HistoryEntry.Type.WAIT_ESCALATED,
        visit,
        Map.of("key", bookmark.key(), BookmarkDraft.LEVEL, level, "to", to));
    return walk.finish();
  }
}
