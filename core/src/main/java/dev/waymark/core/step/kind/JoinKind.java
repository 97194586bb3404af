package dev.waymark.core.step.kind;

import dev.waymark.core.Limits;
import dev.waymark.core.definition.Activity;
import dev.waymark.core.definition.schema.Shape;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.step.walk.JoinArrivals;
import dev.waymark.core.step.walk.Kind;
import dev.waymark.core.step.walk.VisitData;
import dev.waymark.core.step.walk.Walk;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code join}: gathers the branches of a fork.
 *
 * <p>{@code wait: all} (the default) goes on when no branch that is still alive can arrive here any
 * more, so a branch that ended elsewhere is not waited for in vain; {@code any} with the first; a
 * number with so many. {@code rest} is the rule for branches that have not arrived: {@code
 * continue} (the default) lets them run and takes them in silently, {@code cancel} ends them in the
 * same step.
 */
final class JoinKind implements Kind {

  private static final Map<String, @Nullable Object> SCHEMA =
      Shape.object()
          .field(
              "wait",
              Shape.anyOf(
                  "'all', 'any' or a number of branches from 1",
                  Shape.oneOf("all", "any"),
                  Shape.integer(1, Limits.BRANCHES)))
          .field("rest", Shape.oneOf("continue", "cancel"))
          .document();

  private static final String ARRIVED = "arrived";

  @Override
  public String name() {
    return "join";
  }

  @Override
  public Map<String, @Nullable Object> schema() {
    return SCHEMA;
  }

  @Override
  public boolean absorbs(Walk walk, Activity activity, long parent) {
    ActivityInstance fork = walk.activity(parent);
    if (fork != null && VisitData.joined(fork).contains(activity.id())) {
      return true;
    }
    ActivityInstance waiting = walk.childAt(parent, activity.id());
    if (waiting == null) {
      return false;
    }
    // A join that was parked before it could count its first arrival has one arrival nevertheless.
    walk.put(waiting.with(ARRIVED, Math.max(1, arrived(waiting)) + 1));
    return true;
  }

  @Override
  public boolean joins() {
    return true;
  }

  @Override
  public void enter(Walk walk, ActivityInstance visit) {
    walk.put(visit.with(ARRIVED, Math.max(1, arrived(visit))));
  }

  @Override
  public boolean settles() {
    return true;
  }

  @Override
  public boolean settle(Walk walk, ActivityInstance join) {
    if (join.state() == ActivityInstance.State.PARKED) {
      return false;
    }
    Object wait = walk.input(join).getOrDefault("wait", "all");
    boolean moreCanCome = JoinArrivals.canStillCome(walk, join);
    boolean enough =
        switch (wait) {
          case Long n -> arrived(join) >= n;
          case null, default -> "any".equals(wait) || !moreCanCome;
        };
    if (enough) {
      fire(walk, join);
      return true;
    }
    if (!moreCanCome) {
      walk.fault(
          join,
          Fault.permanent(
              "NOT_ENOUGH_BRANCHES",
              "Expected %s branches to arrive at '%s', but only %d did and no other can"
                  .formatted(wait, join.activity(), arrived(join))));
      return true;
    }
    return false;
  }

  private static void fire(Walk walk, ActivityInstance join) {
    ActivityInstance fork = walk.activity(join.parent());
    long parent = join.parent();
    if (fork != null) {
      if ("cancel".equals(walk.input(join).get("rest"))) {
        walk.cancelChildren(fork.visit(), join.visit());
      }
      List<String> joins = new ArrayList<>(VisitData.joined(fork));
      joins.add(join.activity());
      walk.put(VisitData.joined(fork, joins));
      parent = fork.parent();
    }
    walk.complete(join.movedTo(parent), Map.of());
  }

  private static long arrived(ActivityInstance join) {
    return join.data().get(ARRIVED) instanceof Long n ? n : 0;
  }
}
