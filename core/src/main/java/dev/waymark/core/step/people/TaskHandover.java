package dev.waymark.core.step.people;

import static dev.waymark.core.step.Decision.Rejection.Code.NOT_YOURS;
import static dev.waymark.core.step.Decision.Rejection.Code.WRONG_STATE;

import dev.waymark.core.Limits;
import dev.waymark.core.approval.Party;
import dev.waymark.core.approval.Reminders;
import dev.waymark.core.approval.Rung;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.Candidates;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.step.Assignment;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.TaskAction;
import dev.waymark.core.step.TimerPurpose;
import dev.waymark.core.step.walk.Permissions;
import dev.waymark.core.step.walk.Walk;
import dev.waymark.core.step.walk.WithReader;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The owner of a task, and how it goes from hand to hand. */
public final class TaskHandover {

  /** The person who has delegated the task, and gets it back. */
  private static final String OWNER = "owner";

  private TaskHandover() {}

  public static @Nullable String owner(ActivityInstance visit) {
    return visit.data().get(OWNER) instanceof String owner ? owner : null;
  }

  static Candidates candidates(Map<String, @Nullable Object> input) {
    Set<String> users = new LinkedHashSet<>();
    Set<String> groups = new LinkedHashSet<>();
    for (String name : names(input.get("candidates"))) {
      Party party = Party.of(name);
      (party.group() ? groups : users).add(party.name());
    }
    if (input.get("assign") instanceof Map<?, ?> assign) {
      groups.add(String.valueOf(assign.get("group")));
    }
    Set<String> excluded = new LinkedHashSet<>();
    names(input.get("exclude")).forEach(name -> excluded.add(Party.person(name)));
    Object given = input.get("assignee");
    String assignee = given == null ? null : Party.person(String.valueOf(given));
    if (assignee != null && excluded.contains(assignee)) {
      throw new IllegalArgumentException(
          "Expected an assignee who may act, but %s is excluded".formatted(assignee));
    }
    if (groups.isEmpty() && !users.isEmpty() && excluded.containsAll(users)) {
      throw new IllegalArgumentException(
          "Expected a candidate who may act, but all of %s are excluded".formatted(users));
    }
    return new Candidates(assignee, users, groups, excluded);
  }

  private static List<String> names(@Nullable Object given) {
    return switch (given) {
      case null -> List.of();
      case List<?> list -> list.stream().map(String::valueOf).toList();
      default -> List.of(String.valueOf(given));
    };
  }

  /** The parties that are asked, as definitions name them. */
  static List<Party> parties(Bookmark bookmark) {
    Candidates candidates = bookmark.terms().candidates();
    if (candidates.assignee() != null) {
      return List.of(Party.user(candidates.assignee()));
    }
    List<Party> parties = new ArrayList<>();
    new TreeSet<>(candidates.users()).forEach(user -> parties.add(Party.user(user)));
    new TreeSet<>(candidates.groups()).forEach(group -> parties.add(Party.group(group)));
    return parties;
  }

  // ---- from hand to hand

  static @Nullable Rejection assign(
      Walk walk, ActivityInstance visit, Bookmark bookmark, TaskAction.Assign assign) {
    Candidates candidates = bookmark.terms().candidates();
    if (assign.onlyIfFree() && candidates.assignee() != null) {
      return Rejection.of(
          WRONG_STATE,
          "Expected '%s' to be nobody's, but it is %s's"
              .formatted(bookmark.key(), candidates.assignee()));
    }
    Rejection excluded = excluded(candidates, assign.to());
    if (excluded != null) {
      return excluded;
    }
    hand(walk, visit.with(OWNER, null), bookmark, candidates.assignedTo(assign.to()), assign);
    return null;
  }

  static @Nullable Rejection giveBack(
      Walk walk, ActivityInstance visit, Bookmark bookmark, TaskAction.Return back) {
    Candidates candidates = bookmark.terms().candidates();
    if (candidates.assignee() == null) {
      return Rejection.of(
          WRONG_STATE,
          "Expected '%s' to be somebody's, but it is nobody's".formatted(bookmark.key()));
    }
    if (candidates.users().isEmpty() && candidates.groups().isEmpty()) {
      return Rejection.of(
          WRONG_STATE,
          "Expected others who could do '%s', but only %s is named: assign it to somebody"
              .formatted(bookmark.key(), candidates.assignee()));
    }
    hand(walk, visit.with(OWNER, null), bookmark, candidates.assignedTo(null), back);
    return null;
  }

  static @Nullable Rejection delegate(
      Walk walk, ActivityInstance visit, Bookmark bookmark, TaskAction.Delegate delegate) {
    Candidates candidates = bookmark.terms().candidates();
    Rejection excluded = excluded(candidates, delegate.to());
    if (excluded != null) {
      return excluded;
    }
    if (delegate.from() != null || delegate.until() != null) {
      return Rejection.of(WRONG_STATE, "Expected a task to be delegated at once, but got dates");
    }
    String owner = owner(visit);
    String assignee = candidates.assignee();
    String back = owner != null ? owner : assignee != null ? assignee : walk.actor();
    hand(walk, visit.with(OWNER, back), bookmark, candidates.assignedTo(delegate.to()), delegate);
    return null;
  }

  static @Nullable Rejection resolve(
      Walk walk, ActivityInstance visit, Bookmark bookmark, TaskAction.Resolve resolve) {
    String owner = owner(visit);
    if (owner == null) {
      return Rejection.of(
          WRONG_STATE, "Expected '%s' to be delegated, but it is not".formatted(bookmark.key()));
    }
    hand(
        walk,
        visit.with(OWNER, null),
        bookmark,
        bookmark.terms().candidates().assignedTo(owner),
        resolve);
    return null;
  }

  /**
   * Puts one person in another's place: as assignee, as candidate, or as the owner who gets it back
   * once it is resolved. A task that the first one has only claimed is assigned to the second.
   */
  static @Nullable Rejection handOver(
      Walk walk, ActivityInstance visit, Bookmark bookmark, TaskAction.HandOver handOver) {
    Candidates before = bookmark.terms().candidates();
    Rejection refusal = Permissions.operatorsOnly(walk, handOver);
    if (refusal == null) {
      refusal = excluded(before, handOver.to());
    }
    if (refusal != null) {
      return refusal;
    }
    String from = handOver.from();
    boolean owned = from.equals(owner(visit));
    boolean claimed =
        before.assignee() == null
            && bookmark.lease() != null
            && bookmark.lease().isLiveAt(walk.at())
            && bookmark.lease().holder().equals(from);
    if (!owned && !claimed && !from.equals(before.assignee()) && !before.users().contains(from)) {
      return Rejection.of(
          WRONG_STATE,
          "Expected '%s' to be %s's, or to name %s, but it does not"
              .formatted(bookmark.key(), from, from));
    }
    Set<String> users = new LinkedHashSet<>(before.users());
    if (users.remove(from)) {
      users.add(handOver.to());
    }
    String assignee = claimed || from.equals(before.assignee()) ? handOver.to() : before.assignee();
    hand(
        walk,
        owned ? visit.with(OWNER, handOver.to()) : visit,
        bookmark,
        new Candidates(assignee, users, before.groups(), before.excluded()),
        handOver);
    return null;
  }

  private static @Nullable Rejection excluded(Candidates candidates, String user) {
    return candidates.excluded().contains(user)
        ? Rejection.of(
            NOT_YOURS, "Expected somebody who may act, but %s is excluded".formatted(user))
        : null;
  }

  /**
   * Asks for an assignee: the node that commits this step makes the assignment (see {@link
   * Assignment}), and if that node dies before it is done, the timer asks again.
   */
  static void wantAssignee(Walk walk, ActivityInstance visit, int number) {
    Bookmark bookmark = TaskTimers.main(walk, visit);
    if (bookmark == null || bookmark.terms().candidates().assignee() != null) {
      return;
    }
    if (number == Limits.ASSIGN_TRIES) {
      walk.fault(
          visit,
          Fault.permanent(
              Fault.NO_ASSIGNEE,
              "Expected a member of group '%s' to be assigned, but the directory names nobody"
                  .formatted(WithReader.object(bookmark.payload(), "assign").get("group"))));
      return;
    }
    TaskTimers.set(walk, visit, TimerPurpose.ASSIGN, number, walk.at().plus(Limits.ASSIGN_AGAIN));
  }

  /** The task belongs to another person now: the holder of a claim loses the claim. */
  private static void hand(
      Walk walk, ActivityInstance visit, Bookmark bookmark, Candidates to, TaskAction act) {
    walk.put(visit);
    TaskTimers.stop(walk, visit, TimerPurpose.ASSIGN);
    walk.note(visit, act);
    walk.bookmarks()
        .amend(bookmark.with(bookmark.payload(), bookmark.due(), bookmark.terms().with(to)), true);
  }

  // ---- time passes

  /** Others are asked too; an assignee is no longer the only one. */
  static void escalate(Walk walk, ActivityInstance visit, int number) {
    Bookmark bookmark = TaskTimers.main(walk, visit);
    List<Rung> ladder = Rung.ladder(walk.input(visit).get("escalate"));
    if (bookmark == null || number >= ladder.size()) {
      return;
    }
    List<Party> to = ladder.get(number).to();
    Candidates wider = wider(bookmark.terms().candidates(), to);
    walk.put(visit.with(OWNER, null));
    TaskTimers.noteEscalated(walk, visit, number, to);
    walk.bookmarks()
        .amend(
            bookmark.with(bookmark.payload(), bookmark.due(), bookmark.terms().with(wider)), false);
    TaskTimers.tell(walk, bookmark, to, "Escalated: " + title(bookmark));
    TaskTimers.climb(walk, visit.with(OWNER, null), ladder, number + 1, bookmark.created());
  }

  /**
   * The candidates together with the people that it is escalated to. If every user may act, every
   * user still may.
   */
  private static Candidates wider(Candidates before, List<Party> to) {
    if (before.isOpen()) {
      return before;
    }
    Set<String> users = new LinkedHashSet<>(before.users());
    Set<String> groups = new LinkedHashSet<>(before.groups());
    if (before.assignee() != null) {
      users.add(before.assignee());
    }
    for (Party party : to) {
      Set<String> named = party.group() ? groups : users;
      if (named.size() < Limits.CANDIDATES_IN_ALL) {
        named.add(party.name());
      }
    }
    return new Candidates(null, users, groups, before.excluded());
  }

  static void remind(Walk walk, ActivityInstance visit, int number) {
    Bookmark bookmark = TaskTimers.main(walk, visit);
    if (bookmark != null) {
      List<Party> whom = parties(bookmark);
      TaskTimers.noteReminded(walk, visit, number, whom);
      TaskTimers.tell(walk, bookmark, whom, "Reminder: " + title(bookmark));
      Reminders reminders = Reminders.of(walk.input(visit).get("remind"));
      TaskTimers.remind(walk, visit, reminders, number + 1, bookmark.created());
    }
  }

  private static String title(Bookmark bookmark) {
    return bookmark.payload().get("title") instanceof String title ? title : bookmark.key();
  }
}
