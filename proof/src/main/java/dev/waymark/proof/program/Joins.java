package dev.waymark.proof.program;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Joins: when enough branches of a group have come, one of them goes on. */
final class Joins {

  private final World world;
  private final Moves moves;

  Joins(World world, Moves moves) {
    this.world = world;
    this.moves = moves;
  }

  /** Whether a token is taken in by a join that others have come to before. */
  boolean takesIn(Visit.Token token, String join) {
    if (token.parent().joined.contains(join)) {
      rememberLate(token, join);
      return true;
    }
    for (Visit visit : token.parent().children) {
      if (visit.activity != null && visit.activity.id().equals(join)) {
        visit.arrivals.add(token.cause());
        return true;
      }
    }
    return false;
  }

  // Who came too late in this order of things might have been in time in another, unless it came
  // because the join had gone on.
  private void rememberLate(Visit.Token token, String join) {
    world.visits.stream()
        .filter(v -> v.parent == token.parent())
        .filter(v -> v.activity != null && v.activity.id().equals(join))
        .filter(v -> !v.begun.precedes(token.cause()))
        .forEach(v -> v.arrivals.add(token.cause()));
  }

  /** Goes on if it can; returns whether anything changed. */
  boolean settle(Visit join, Kind.Join kind) {
    Visit group = Objects.requireNonNull(join.parent);
    String id = Objects.requireNonNull(join.activity).id();
    boolean more = canCome(group, id);
    int came = join.arrivals.size();
    if (kind.many() == 0 ? more : came < kind.many()) {
      if (more) {
        return false;
      }
      moves.fault(join, "NOT_ENOUGH_BRANCHES", world.eventAfter(join.arrivals));
      return true;
    }
    Event enough =
        kind.many() == 0
            ? world.eventAfter(allThatCouldHaveCome(join, group, id))
            : world.eventAfterSome(join.arrivals, kind.many());
    if (group.isGroup()) {
      if (kind.cancelRest()) {
        cancelOthers(group, join, enough);
      }
      group.joined.add(id);
    }
    moves.complete(join, Map.of(), enough);
    return true;
  }

  private static List<Event> allThatCouldHaveCome(Visit join, Visit group, String id) {
    List<Event> all = new ArrayList<>(join.arrivals);
    for (Visit lost : group.lost) {
      Activity last = Objects.requireNonNull(lost.activity);
      if (lost.course.reaches(last.id(), id, Set.of())) {
        all.add(Objects.requireNonNull(lost.ended));
      }
    }
    return all;
  }

  private void cancelOthers(Visit group, Visit join, Event cause) {
    group.tokens.clear();
    for (Visit child : List.copyOf(group.children)) {
      if (child != join) {
        moves.cancel(child, cause);
      }
    }
  }

  /** Whether anything alive in a group can still come to a join of it. */
  private static boolean canCome(Visit group, String join) {
    for (Visit.Token token : group.tokens) {
      if (token.to().equals(join) || leads(group, token.to(), join)) {
        return true;
      }
    }
    for (Visit child : group.children) {
      if (child.activity == null || child.activity.id().equals(join)) {
        continue;
      }
      if (child.isGroup()
          ? comesOutOf(child, group, join)
          : leads(group, child.activity.id(), join)) {
        return true;
      }
    }
    return false;
  }

  /** A way through a join that has gone on leads nowhere. */
  private static boolean leads(Visit group, String from, String join) {
    return group.course.reaches(from, join, group.joined);
  }

  /** A group inside the group lets something out by its own join, or by a reaction. */
  private static boolean comesOutOf(Visit inner, Visit group, String join) {
    Course course = inner.course;
    Activity activity = Objects.requireNonNull(inner.activity);
    for (Reaction reaction : activity.on()) {
      String to = reaction.to();
      if (to != null && (to.equals(join) || leads(group, to, join))) {
        return true;
      }
    }
    return course
        .joins()
        .filter(other -> !other.equals(join) && !inner.joined.contains(other))
        .filter(other -> course.reaches(other, join, gone(inner, group)))
        .anyMatch(other -> standsAt(inner, other) || canCome(inner, other));
  }

  private static Set<String> gone(Visit inner, Visit group) {
    Set<String> gone = new HashSet<>(inner.joined);
    gone.addAll(group.joined);
    return gone;
  }

  private static boolean standsAt(Visit group, String join) {
    return group.children.stream()
        .anyMatch(v -> v.activity != null && v.activity.id().equals(join));
  }
}
