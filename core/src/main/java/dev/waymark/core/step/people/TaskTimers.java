package dev.waymark.core.step.people;

import dev.waymark.core.approval.Party;
import dev.waymark.core.approval.Reminders;
import dev.waymark.core.approval.Rung;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Candidates;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.Emission;
import dev.waymark.core.step.TaskAction;
import dev.waymark.core.step.TimerPurpose;
import dev.waymark.core.step.Wait;
import dev.waymark.core.step.walk.Permissions;
import dev.waymark.core.step.walk.PutOff;
import dev.waymark.core.step.walk.Reactions;
import dev.waymark.core.step.walk.Walk;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Timers beside a wait for people: one escalates, one reminds, one ends the wait by itself. The
 * purpose of a timer stands in its payload, so that it needs no table.
 */
final class TaskTimers {

  private static final String NUMBER = "number";

  private TaskTimers() {}

  static void set(
      Walk walk, ActivityInstance visit, TimerPurpose purpose, int number, @Nullable Instant due) {
    if (due != null) {
      Map<String, @Nullable Object> payload = new LinkedHashMap<>();
      purpose.writeTo(payload);
      payload.put(NUMBER, (long) number);
      // A name of its own: who looks for the wait by its key must not find its timers.
      String key = visit.activity() + ":" + purpose.name().toLowerCase(Locale.ROOT);
      Wait timer = new Wait(BookmarkKind.TIMER, key, payload, due);
      var unused = walk.bookmarks().create(visit, timer);
    }
  }

  /** The next rung of a ladder, if there is one. */
  static void climb(
      Walk walk, ActivityInstance visit, List<Rung> ladder, int number, Instant begun) {
    if (number < ladder.size()) {
      Instant due =
          ladder.get(number).after().knownTo(walk.calendars()).after(begun, walk.calendars());
      set(walk, visit, TimerPurpose.ESCALATE, number, due);
    }
  }

  static void remind(
      Walk walk, ActivityInstance visit, Reminders reminders, int number, Instant begun) {
    set(walk, visit, TimerPurpose.REMIND, number, reminders.due(number, begun));
  }

  static int number(Bookmark timer) {
    return timer.payload().get(NUMBER) instanceof Long number ? number.intValue() : 0;
  }

  /** The visit's wait for people, beside which the timers run. */
  static @Nullable Bookmark main(Walk walk, ActivityInstance visit) {
    return walk.bookmarks().of(visit.visit()).stream()
        .filter(b -> b.kind() == BookmarkKind.USER_ACTION || b.kind() == BookmarkKind.APPROVAL)
        .findFirst()
        .orElse(null);
  }

  /** Takes the visit's timers of one purpose back. */
  static void stop(Walk walk, ActivityInstance visit, TimerPurpose purpose) {
    walk.bookmarks().of(visit.visit()).stream()
        .filter(purpose::isOf)
        .forEach(walk.bookmarks()::withdraw);
  }

  /** Takes the visit's own timers back; those of its reactions stay. */
  static void stop(Walk walk, ActivityInstance visit) {
    walk.bookmarks().of(visit.visit()).stream()
        .filter(b -> b.kind() == BookmarkKind.TIMER && !Reactions.isArmed(visit, b))
        .forEach(walk.bookmarks()::withdraw);
  }

  /**
   * Gives a task or an approval another due date. Its reminders and escalations are timers of their
   * own and stay as they are.
   */
  static @Nullable Rejection reschedule(
      Walk walk, ActivityInstance visit, Bookmark bookmark, TaskAction.Reschedule change) {
    Rejection notYours = Permissions.operatorsOnly(walk, change);
    if (notYours == null) {
      walk.note(visit, change);
      walk.bookmarks()
          .amend(bookmark.with(bookmark.payload(), change.due(), bookmark.terms()), false);
      PutOff.forget(walk, bookmark);
    }
    return notYours;
  }

  static void noteEscalated(Walk walk, ActivityInstance visit, int number, List<Party> to) {
    Map<String, @Nullable Object> detail = new LinkedHashMap<>();
    detail.put("rung", number + 1L);
    detail.put("to", words(to));
    walk.note(HistoryEntry.Type.WAIT_ESCALATED, visit, detail);
  }

  static void noteReminded(Walk walk, ActivityInstance visit, int number, Collection<Party> whom) {
    Map<String, @Nullable Object> detail = new LinkedHashMap<>();
    detail.put("reminder", number + 1L);
    detail.put("to", words(whom));
    walk.note(HistoryEntry.Type.WAIT_REMINDED, visit, detail);
  }

  /** Tells people something, with the step. */
  static void tell(Walk walk, Bookmark wait, Collection<Party> whom, String text) {
    Map<String, @Nullable Object> data = new LinkedHashMap<>();
    data.put("to", whom.stream().map(TaskTimers::address).toList());
    data.put("priority", (long) wait.terms().priority());
    data.put("text", text);
    data.put("bookmark", wait.id().toString());
    walk.emit(new Emission("notification", data));
  }

  /** The kind comes first, as a user's id may contain a colon. */
  private static String address(Party party) {
    return party.group() ? Candidates.group(party.name()) : Candidates.user(party.name());
  }

  private static List<String> words(Collection<Party> parties) {
    return new ArrayList<>(parties).stream().map(Party::toString).toList();
  }
}
