package dev.waymark.core.step.walk;

import dev.waymark.core.Json;
import dev.waymark.core.definition.Definition;
import dev.waymark.core.definition.Reaction;
import dev.waymark.core.expression.Condition;
import dev.waymark.core.expression.ExpressionException;
import dev.waymark.core.expression.value.EvaluationScope;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Wait;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The reactions of a live visit to things that happen to it. Reactions to time and to what comes
 * from outside are bookmarks of the visit beside its own; which reaction each stands for is in the
 * visit's data.
 */
public final class Reactions {

  private static final String ARMED = "armed";

  /** On the whole run: one of its reactions has interrupted it, and it takes no more errors. */
  private static final String REACTED = "reacted";

  private Reactions() {}

  // ---- bookmarks

  /** Creates the bookmarks of a visit that has begun and is still alive. */
  static void arm(Walk walk, long number) {
    ActivityInstance visit = walk.activity(number);
    if (visit == null || !visit.isLive() || visit.data().containsKey(ARMED)) {
      return;
    }
    Map<String, @Nullable Object> armed;
    try {
      armed = create(walk, visit);
    } catch (ExpressionException e) {
      walk.fault(visit, Fault.permanent(Fault.EXPRESSION, String.valueOf(e.getMessage())));
      return;
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
      walk.badInput(visit, e);
      return;
    }
    if (!armed.isEmpty()) {
      walk.put(visit.with(ARMED, armed));
    }
  }

  /** The bookmarks of all reactions that wait for something, and which stands for which. */
  private static Map<String, @Nullable Object> create(Walk walk, ActivityInstance visit) {
    List<Reaction> reactions = walk.activityOf(visit).reactions();
    Map<String, @Nullable Object> armed = new LinkedHashMap<>();
    for (int i = 0; i < reactions.size(); i++) {
      if (reactions.get(i).on() != Reaction.On.ERROR) {
        Wait wait = wait(walk, visit, reactions.get(i));
        Bookmark bookmark = walk.bookmarks().create(visit, wait);
        armed.put(name(bookmark), (long) i);
      }
    }
    return armed;
  }

  /**
   * Gives a visit that was migrated the reactions of its activity in the new version. A reaction
   * that both versions have keeps its bookmark with its due time: reactions are matched by kind and
   * number, so the first timeout stays the first timeout. Removed reactions are withdrawn, and new
   * ones are armed.
   *
   * @throws RuntimeException if the new reactions make no sense with the run's data; nothing is
   *     decided then
   */
  public static void rearm(Walk walk, long number, List<Reaction> before) {
    ActivityInstance visit = walk.activity(number);
    if (visit == null
        || (Outcome.isKept(visit) && !visit.data().containsKey(ARMED))
        || visit.data().containsKey(REACTED)
        || Compensation.isUnderWay(walk, visit)) {
      return;
    }
    Map<String, @Nullable Object> old = Json.object(visit.data().get(ARMED));
    List<Reaction> now = walk.activityOf(visit).reactions();
    Map<String, @Nullable Object> armed = new LinkedHashMap<>();
    Map<String, @Nullable Object> created = create(walk, visit);
    for (Bookmark bookmark : walk.bookmarks().of(number)) {
      String tag = name(bookmark);
      if (old.get(tag) instanceof Long was) {
        int is = counterpart(before, was.intValue(), now);
        Bookmark twin = is < 0 ? null : twin(walk, number, created, is);
        if (twin != null && (bookmark.due() != null || twin.key().equals(bookmark.key()))) {
          walk.bookmarks().withdraw(twin);
          armed.put(tag, (long) is);
        } else {
          walk.bookmarks().withdraw(bookmark);
        }
      }
    }
    created.forEach(
        (tag, index) -> {
          if (!armed.containsValue(index)) {
            armed.put(tag, index);
          }
        });
    walk.put(visit.with(ARMED, armed.isEmpty() ? null : armed));
  }

  /** The reaction that is the n-th of its kind in both lists, or -1. */
  private static int counterpart(List<Reaction> before, int index, List<Reaction> now) {
    Reaction.On on = before.get(index).on();
    long ordinal = before.subList(0, index).stream().filter(r -> r.on() == on).count();
    for (int i = 0; i < now.size(); i++) {
      if (now.get(i).on() == on && ordinal-- == 0) {
        return i;
      }
    }
    return -1;
  }

  private static @Nullable Bookmark twin(
      Walk walk, long number, Map<String, @Nullable Object> created, int index) {
    return walk.bookmarks().of(number).stream()
        .filter(b -> Long.valueOf(index).equals(created.get(name(b))))
        .findFirst()
        .orElse(null);
  }

  private static Wait wait(Walk walk, ActivityInstance visit, Reaction reaction) {
    Map<String, @Nullable Object> trigger =
        Json.object(reaction.trigger().evaluate(walk.before(visit)));
    String name = WithReader.text(trigger, "name", visit.activity());
    return switch (reaction.on()) {
      case TIMEOUT -> new Wait(BookmarkKind.TIMER, visit.activity(), Map.of(), due(walk, trigger));
      case MESSAGE ->
          new Wait(
              BookmarkKind.EXTERNAL_MESSAGE,
              Message.given(name),
              Map.of(),
              null,
              WithReader.correlation(trigger.get("correlate")));
      case SIGNAL -> new Wait(BookmarkKind.EXTERNAL_MESSAGE, Message.signal(name), Map.of(), null);
      case ERROR -> throw new IllegalStateException("Expected something to wait for, but got none");
    };
  }

  private static Instant due(Walk walk, Map<String, @Nullable Object> trigger) {
    return trigger.containsKey("after")
        ? walk.due(trigger.get("after"))
        : WithReader.instant(trigger.get("until"));
  }

  public static boolean isArmed(ActivityInstance visit, Bookmark bookmark) {
    return visit.data().get(ARMED) instanceof Map<?, ?> armed && armed.containsKey(name(bookmark));
  }

  /** The reason why a reaction does not take this message; absent if it does. */
  public static @Nullable String refusal(
      Walk walk, ActivityInstance visit, Bookmark bookmark, Map<String, @Nullable Object> payload) {
    Object index = Json.object(visit.data().get(ARMED)).get(name(bookmark));
    Condition match =
        index instanceof Long number
            ? walk.activityOf(visit).reactions().get(number.intValue()).match()
            : null;
    try {
      return match == null || match.holds(walk.after(visit, payload))
          ? null
          : "Expected 'match' of message '%s' to hold, but it does not: %s"
              .formatted(bookmark.key(), match.source());
    } catch (ExpressionException e) {
      return "Expected 'match' of message '%s' to hold, but it has no value: %s"
          .formatted(bookmark.key(), e.getMessage());
    }
  }

  private static String name(Bookmark bookmark) {
    return Long.toHexString(bookmark.id().tag());
  }

  // ---- something happened

  /** One of a visit's reactions has come true. */
  static void triggered(
      Walk walk, ActivityInstance visit, Bookmark bookmark, Map<String, @Nullable Object> payload) {
    Map<String, @Nullable Object> armed = new LinkedHashMap<>(Json.object(visit.data().get(ARMED)));
    int index = armed.remove(name(bookmark)) instanceof Long n ? n.intValue() : -1;
    Reaction reaction = walk.activityOf(visit).reactions().get(index);
    ActivityInstance disarmed = visit.with(ARMED, armed);
    walk.put(disarmed);
    if (!reaction.interrupt() && reaction.on() != Reaction.On.TIMEOUT) {
      Bookmark next = walk.bookmarks().createAgain(disarmed, bookmark);
      armed.put(name(next), (long) index);
      disarmed = visit.with(ARMED, armed);
      walk.put(disarmed);
    }
    Fault late =
        reaction.on() == Reaction.On.TIMEOUT
            ? Fault.permanent(
                Fault.TIMEOUT,
                "Expected '%s' to end by %s, but it did not"
                    .formatted(shown(visit), String.valueOf(bookmark.due())))
            : null;
    react(walk, disarmed, index, walk.after(disarmed, payload), payload, late);
  }

  private static String shown(ActivityInstance visit) {
    return visit.activity().equals(Definition.ROOT) ? "the run" : visit.activity();
  }

  /**
   * Looks for a reaction to a fault: at the visit itself, then at those around it.
   *
   * @return false if there is no reaction to it
   */
  static boolean take(Walk walk, ActivityInstance visit, Fault fault) {
    ActivityInstance at = visit;
    while (at != null && !Compensation.isUnderWay(walk, at)) {
      if (!VisitData.isItem(at)) {
        int index;
        try {
          index = matching(walk, at, fault);
        } catch (ExpressionException e) {
          walk.park(visit, Fault.permanent(Fault.EXPRESSION, String.valueOf(e.getMessage())));
          return true;
        }
        if (index >= 0) {
          walk.put(visit);
          walk.note(HistoryEntry.Type.ACTIVITY_FAULTED, visit, fault.toDocument());
          if (at.visit() != visit.visit()) {
            discard(walk, visit, walk.activityOf(at).reactions().get(index));
          }
          react(
              walk,
              at,
              index,
              Scopes.failed(walk.definition(), walk.draft(), at, fault),
              Map.of(),
              fault);
          return true;
        }
      }
      at = walk.activity(at.parent());
    }
    return false;
  }

  /** The visit that failed is over; completed activities inside it may still have to be undone. */
  private static void discard(Walk walk, ActivityInstance visit, Reaction reaction) {
    if (reaction.compensate()) {
      Compensation.cancelInside(walk, visit);
      Compensation.handUp(walk, visit);
    } else {
      walk.cancelChildren(visit.visit(), 0);
    }
    walk.discard(visit);
  }

  private static int matching(Walk walk, ActivityInstance at, Fault fault) {
    List<Reaction> reactions =
        at.data().containsKey(REACTED) ? List.of() : walk.activityOf(at).reactions();
    for (int i = 0; i < reactions.size(); i++) {
      Reaction reaction = reactions.get(i);
      if (reaction.on() == Reaction.On.ERROR
          && (reaction.match() == null
              || reaction
                  .match()
                  .holds(Scopes.failed(walk.definition(), walk.draft(), at, fault)))) {
        return i;
      }
    }
    return -1;
  }

  // ---- carrying a reaction out

  /**
   * @param seen the values that the reaction's mapping can read
   * @param payload the values for the variables if there is no mapping
   * @param fault the fault of the run, if the reaction fails it
   */
  private static void react(
      Walk walk,
      ActivityInstance visit,
      int index,
      EvaluationScope seen,
      Map<String, @Nullable Object> payload,
      @Nullable Fault fault) {
    Reaction reaction = walk.activityOf(visit).reactions().get(index);
    note(walk, visit, reaction);
    try {
      walk.draft()
          .merge(
              visit.parent(),
              reaction.output() == null ? payload : Json.object(reaction.output().evaluate(seen)));
    } catch (ExpressionException e) {
      walk.park(visit, Fault.permanent(Fault.EXPRESSION, String.valueOf(e.getMessage())));
      return;
    }
    if (!reaction.interrupt()) {
      walk.enter(String.valueOf(reaction.to()), beside(visit));
      return;
    }
    // The children go first: they may look up to the visit while they are taken back.
    if (reaction.compensate()) {
      Compensation.cancelInside(walk, visit);
      Compensation.begin(walk, visit.with(ARMED, null), index, fault);
      return;
    }
    walk.cancelChildren(visit.visit(), 0);
    // If the run fails, its end cancels the visit and writes that into history.
    if (reaction.to() != null
        && reaction.on() != Reaction.On.ERROR
        && !visit.activity().equals(Definition.ROOT)) {
      walk.note(HistoryEntry.Type.ACTIVITY_CANCELLED, visit);
    }
    go(walk, visit, reaction, fault);
  }

  private static void note(Walk walk, ActivityInstance visit, Reaction reaction) {
    Map<String, @Nullable Object> detail = new LinkedHashMap<>();
    detail.put("on", reaction.on().name().toLowerCase(Locale.ROOT));
    detail.put("to", reaction.to());
    detail.put("interrupt", reaction.interrupt());
    walk.note(HistoryEntry.Type.ACTIVITY_REACTED, visit, detail);
  }

  /**
   * The container in which the targets of a visit's reactions run: beside it; those of the whole
   * run inside.
   */
  private static long beside(ActivityInstance visit) {
    return visit.activity().equals(Definition.ROOT) ? visit.visit() : visit.parent();
  }

  /** The end of an interrupting reaction: the visit is over, and the run goes on elsewhere. */
  static void go(Walk walk, ActivityInstance visit, Reaction reaction, @Nullable Fault fault) {
    String to = reaction.to();
    if (to == null) {
      walk.end(Status.FAILED, fault, Map.of());
      return;
    }
    if (visit.activity().equals(Definition.ROOT)) {
      walk.bookmarks().withdrawAll(visit.visit());
      // The target of the reaction is inside again: an error there must not lead there once more.
      walk.put(visit.with(ARMED, null).with(REACTED, true).waiting());
    } else {
      walk.discard(visit);
    }
    walk.enter(to, beside(visit));
  }
}
