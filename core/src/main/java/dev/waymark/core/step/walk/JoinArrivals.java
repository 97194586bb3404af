package dev.waymark.core.step.walk;

import dev.waymark.core.definition.Activity;
import dev.waymark.core.definition.Graph;
import dev.waymark.core.definition.Reaction;
import dev.waymark.core.instance.ActivityInstance;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds out whether anything can still come to a join: what its {@code wait: all} means. */
public final class JoinArrivals {

  private final Walk walk;
  private final ActivityInstance join;
  private final @Nullable String scope;

  private JoinArrivals(Walk walk, ActivityInstance join) {
    this.walk = walk;
    this.join = join;
    this.scope = walk.activityOf(join).scope();
  }

  /** True if anything alive in the join's group can still come to it. */
  public static boolean canStillCome(Walk walk, ActivityInstance join) {
    JoinArrivals arrivals = new JoinArrivals(walk, join);
    for (ActivityInstance other : walk.draft().activities.values()) {
      if (other.visit() != join.visit() && other.isLive() && arrivals.canCome(other)) {
        return true;
      }
    }
    return false;
  }

  // Visits inside a scope need no look: the scope itself is alive as long as they are.
  private boolean canCome(ActivityInstance other) {
    Activity activity = walk.activityOf(other);
    if (!Objects.equals(activity.scope(), scope)) {
      return false;
    }
    Set<String> taken = joinsOnTheWayUp(other);
    if (taken == null) {
      return false;
    }
    Graph graph = walk.definition().graph();
    if (!walk.kindOf(other).forks()) {
      return graph.reaches(activity.id(), join.activity(), taken);
    }
    // A fork's branches speak for themselves, but it may react to something itself.
    for (Reaction reaction : activity.reactions()) {
      String to = reaction.to();
      if (to != null && (to.equals(join.activity()) || graph.reaches(to, join.activity(), taken))) {
        return true;
      }
    }
    return false;
  }

  /** The fired joins between a visit and the join's group; absent if it is not in that group. */
  private @Nullable Set<String> joinsOnTheWayUp(ActivityInstance visit) {
    Set<String> joins = new HashSet<>();
    long parent = visit.parent();
    while (true) {
      ActivityInstance enclosing = walk.activity(parent);
      if (enclosing != null) {
        joins.addAll(VisitData.joined(enclosing));
      }
      if (parent == join.parent()) {
        return joins;
      }
      if (enclosing == null) {
        return null;
      }
      parent = enclosing.parent();
    }
  }
}
