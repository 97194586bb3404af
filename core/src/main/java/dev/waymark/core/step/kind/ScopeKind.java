package dev.waymark.core.step.kind;

import dev.waymark.core.Json;
import dev.waymark.core.definition.Block;
import dev.waymark.core.definition.schema.Shape;
import dev.waymark.core.expression.ExpressionException;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Locals;
import dev.waymark.core.step.walk.Compensation;
import dev.waymark.core.step.walk.Kind;
import dev.waymark.core.step.walk.Walk;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@code scope}: activities with variables of their own, which live and end together. Its result is
 * its own variables; nothing of them goes out unless an {@code output} takes it.
 */
final class ScopeKind implements Kind {

  private static final Map<String, @Nullable Object> SCHEMA = Shape.object().document();

  private static final String BEGUN = "begun";

  @Override
  public String name() {
    return "scope";
  }

  @Override
  public Inside inside() {
    return Inside.BLOCK;
  }

  @Override
  public boolean merges() {
    return false;
  }

  @Override
  public Map<String, @Nullable Object> schema() {
    return SCHEMA;
  }

  @Override
  public void enter(Walk walk, ActivityInstance visit) {
    Block block = Objects.requireNonNull(walk.activityOf(visit).block(), "block");
    Map<String, @Nullable Object> locals = new LinkedHashMap<>(Locals.of(visit));
    try {
      locals.putAll(Json.object(block.variables().evaluate(walk.before(visit))));
    } catch (ExpressionException e) {
      walk.fault(visit, Fault.permanent(Fault.EXPRESSION, String.valueOf(e.getMessage())));
      return;
    }
    walk.note(HistoryEntry.Type.ACTIVITY_STARTED, visit);
    ActivityInstance begun = visit.with(BEGUN, true);
    walk.put(locals.isEmpty() ? begun : Locals.of(begun, locals));
    walk.enter(block.start(), visit.visit());
  }

  /** Visits inside go on by themselves; only a scope that never came that far begins again. */
  @Override
  public void retried(Walk walk, ActivityInstance visit) {
    if (!visit.data().containsKey(BEGUN)) {
      walk.begin(visit);
    }
  }

  @Override
  public boolean settles() {
    return true;
  }

  @Override
  public boolean settle(Walk walk, ActivityInstance scope) {
    if (Compensation.isDriver(scope)) {
      return Compensation.settle(walk, scope);
    }
    if (scope.state() == ActivityInstance.State.PARKED || walk.hasChildren(scope.visit())) {
      return false;
    }
    walk.complete(scope, Locals.of(scope));
    return true;
  }
}
