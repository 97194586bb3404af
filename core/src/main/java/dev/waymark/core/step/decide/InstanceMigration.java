package dev.waymark.core.step.decide;

import static dev.waymark.core.step.Decision.Rejection.Code.CANNOT_MIGRATE;

import dev.waymark.core.definition.Activity;
import dev.waymark.core.definition.Definition;
import dev.waymark.core.expression.ExpressionException;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Decision.NoChange;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.MigrationPlan;
import dev.waymark.core.step.Resumption;
import dev.waymark.core.step.Step;
import dev.waymark.core.step.kind.Kinds;
import dev.waymark.core.step.walk.InstanceDraft;
import dev.waymark.core.step.walk.Reactions;
import dev.waymark.core.step.walk.VisitData;
import dev.waymark.core.step.walk.Walk;
import java.time.DateTimeException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Moves a run to another version of its definition, in one step, or refuses with the reason.
 *
 * <p>Every visit keeps its number, its bookmarks with their leases and due times, its attempt and
 * its data; only its activity may get another name. The new version must have an activity for every
 * live visit: of the same kind, in the same scope. A dry run is deciding without committing, so it
 * cannot differ from the real one.
 */
final class InstanceMigration {

  private final Definition from;
  private final Definition to;
  private final MigrationPlan plan;
  private final Instance instance;

  private InstanceMigration(Instance instance, Command.Migrate migrate) {
    this.from = migrate.from();
    this.to = migrate.to();
    this.plan = migrate.plan();
    this.instance = instance;
  }

  static Decision migrate(Definition current, Instance instance, Command.Migrate migrate) {
    if (instance.status().isTerminal()) {
      return new NoChange("The instance has ended; it stays where it is", instance.version());
    }
    if (current.id() != migrate.from().id()) {
      return new NoChange("The instance is on " + current + " already", instance.version());
    }
    InstanceMigration migration = new InstanceMigration(instance, migrate);
    String obstacle = migration.obstacle();
    if (obstacle != null) {
      return Rejection.of(CANNOT_MIGRATE, obstacle);
    }
    try {
      return migration.step(migrate);
    } catch (ExpressionException | IllegalArgumentException | DateTimeException e) {
      return Rejection.of(
          CANNOT_MIGRATE,
          "Expected the reactions of %s to make sense with the run's data, but: %s"
              .formatted(migrate.to(), e.getMessage()));
    }
  }

  // ---- may it move

  /**
   * The reason why the run cannot move; the same text for the same reason, so that reasons can be
   * counted.
   */
  private @Nullable String obstacle() {
    if (!from.key().equals(to.key())) {
      return "Expected a version of '%s', but got one of '%s'".formatted(from.key(), to.key());
    }
    for (ActivityInstance visit : instance.activities().values()) {
      String obstacle = obstacle(visit);
      if (obstacle != null) {
        return obstacle;
      }
    }
    return null;
  }

  private @Nullable String obstacle(ActivityInstance visit) {
    Activity before = from.activity(visit.activity());
    String id = plan.targetOf(before.id());
    if (!id.equals(Definition.ROOT) && !to.activities().containsKey(id)) {
      return "Expected an activity for '%s' in %s, but there is no '%s'"
          .formatted(before.id(), to, id);
    }
    Activity after = to.activity(id);
    if (!isSameKind(visit, before, after)) {
      return "Expected '%s' in %s to be of type '%s' like '%s' where a visit is %s, but it is '%s'"
          .formatted(id, to, before.type(), before.id(), visit.state(), after.type());
    }
    String scope = before.scope() == null ? null : plan.targetOf(before.scope());
    if (!Objects.equals(scope, after.scope())) {
      return "Expected '%s' in %s to stand %s, but it stands %s"
          .formatted(id, to, where(scope), where(after.scope()));
    }
    if (before.block() != null && after.block() != null) {
      var was = before.block().items();
      var is = after.block().items();
      if (was != null
          && is != null
          && !(was.item().equals(is.item()) && was.index().equals(is.index()))) {
        return "Expected '%s' in %s to call its items '%s' and '%s', but it says '%s' and '%s'"
            .formatted(id, to, was.item(), was.index(), is.item(), is.index());
      }
    }
    if (!visit.isLive() && before.compensate() != null && after.compensate() == null) {
      return "Expected '%s' in %s to say what undoes it, but it does not".formatted(id, to);
    }
    return obstacleOfJoins(visit);
  }

  /** A fork remembers which of its joins have gone on: they must be known by name. */
  private @Nullable String obstacleOfJoins(ActivityInstance visit) {
    for (String join : VisitData.joined(visit)) {
      if (!to.activities().containsKey(plan.targetOf(join))) {
        return "Expected an activity for '%s' in %s, but there is no '%s'"
            .formatted(join, to, plan.targetOf(join));
      }
    }
    return null;
  }

  // A body that has not begun, or that a person will start again, may become another activity's
  // body.
  private static boolean isSameKind(ActivityInstance visit, Activity before, Activity after) {
    if (before.type().equals(after.type())) {
      return true;
    }
    boolean bodies = Kinds.of(before.type()).runsBody() && Kinds.of(after.type()).runsBody();
    boolean idle =
        visit.state() == ActivityInstance.State.READY
            || visit.state() == ActivityInstance.State.PARKED
            || visit.state() == ActivityInstance.State.KEPT;
    return bodies && idle && Resumption.documentsOf(visit).isEmpty();
  }

  private static String where(@Nullable String scope) {
    return scope == null ? "outside of any scope" : "inside of '" + scope + "'";
  }

  // ---- and how

  private Step step(Command.Migrate migrate) {
    Walk walk = Decider.walk(to, instance, migrate);
    InstanceDraft draft = walk.draft();
    draft.origin = instance.origin().on(to.id());
    draft.loops = Map.of();
    note(walk);
    draft.removeVariables(plan.remove());
    draft.merge(0, plan.set());
    long root = root(walk);
    for (ActivityInstance visit : instance.activities().values()) {
      ActivityInstance moved = visit.at(plan.targetOf(visit.activity()));
      if (root != 0 && visit.parent() == 0) {
        moved = moved.movedTo(root);
      }
      List<String> joins = VisitData.joined(visit).stream().map(plan::targetOf).sorted().toList();
      walk.put(joins.isEmpty() ? moved : VisitData.joined(moved, joins));
    }
    for (ActivityInstance visit : instance.activities().values()) {
      if (visit.isLive() && !VisitData.isItem(visit)) {
        Reactions.rearm(walk, visit.visit(), from.activity(visit.activity()).reactions());
      }
    }
    return walk.finish();
  }

  private void note(Walk walk) {
    Map<String, @Nullable Object> detail = new LinkedHashMap<>();
    detail.put("from", (long) from.version());
    detail.put("to", (long) to.version());
    walk.noteInstance(HistoryEntry.Type.INSTANCE_MIGRATED, detail);
  }

  /** The new version may react as a whole where the old one did not: then it needs its visit. */
  private long root(Walk walk) {
    boolean wanted = !to.root().reactions().isEmpty();
    boolean there = walk.childAt(0, Definition.ROOT) != null;
    if (!wanted || there) {
      return 0;
    }
    ActivityInstance root = walk.draft().newVisit(Definition.ROOT, 0);
    walk.put(root);
    Reactions.rearm(walk, root.visit(), List.of());
    return root.visit();
  }
}
