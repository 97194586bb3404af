package dev.waymark.core.step.walk;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import dev.waymark.core.definition.Activity;
import dev.waymark.core.definition.Definition;
import dev.waymark.core.expression.ExpressionException;
import dev.waymark.core.expression.Template;
import dev.waymark.core.expression.value.EvaluationScope;
import dev.waymark.core.expression.value.Root;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.Locals;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The values that expressions see at each place of a walk, and the data of a visit that they are
 * kept in.
 */
public final class Scopes {

  public static final String INPUT = "input";

  /** The result of a visit that could not go on; kept until a person has looked. */
  static final String OUTPUT = "output";

  /** True if that result has already gone into the variables. */
  static final String MERGED = "merged";

  /** The activity that the result leads to, if not where the transitions do. */
  static final String TO = "to";

  private Scopes() {}

  static ActivityInstance withInput(
      Activity activity, Definition definition, InstanceDraft draft, ActivityInstance visit) {
    if (activity.with().isEmpty()) {
      return visit;
    }
    EvaluationScope scope = before(definition, draft, visit);
    if (visit.data().get(Locals.UNDOES) instanceof Map<?, ?> undone) {
      scope =
          scope
              .with(Root.INPUT, Json.object(undone.get(INPUT)))
              .with(Root.OUTPUT, Json.object(undone.get(OUTPUT)));
    }
    return visit.with(INPUT, activity.with().evaluate(scope));
  }

  /** The scope of a visit before it has done anything. */
  static EvaluationScope before(
      Definition definition, InstanceDraft draft, ActivityInstance visit) {
    return EvaluationScope.of(draft.seenFrom(Locals.placeOf(visit)))
        .with(Root.CONTEXT, context(definition, draft, visit));
  }

  /** The scope inside a visit. */
  static EvaluationScope inside(
      Definition definition, InstanceDraft draft, ActivityInstance visit) {
    return EvaluationScope.of(draft.seenFrom(visit.visit()))
        .with(Root.CONTEXT, context(definition, draft, visit));
  }

  public static Map<String, @Nullable Object> input(ActivityInstance visit) {
    return Json.object(visit.data().getOrDefault(INPUT, Map.of()));
  }

  /** The scope of a visit that has come to a result. */
  static EvaluationScope after(
      Definition definition,
      InstanceDraft draft,
      ActivityInstance visit,
      Map<String, @Nullable Object> output) {
    return before(definition, draft, visit)
        .with(Root.INPUT, input(visit))
        .with(Root.OUTPUT, output);
  }

  /** The scope of a reaction to an error. */
  static EvaluationScope failed(
      Definition definition, InstanceDraft draft, ActivityInstance visit, Fault fault) {
    return before(definition, draft, visit)
        .with(Root.INPUT, input(visit))
        .with(Root.ERROR, fault.summary());
  }

  private static Map<String, @Nullable Object> context(
      Definition definition, InstanceDraft draft, ActivityInstance visit) {
    Map<String, @Nullable Object> context = context(definition, draft);
    context.put("activity", visit.activity());
    context.put("visit", visit.visit());
    context.put("attempt", (long) visit.attempt());
    return context;
  }

  private static Map<String, @Nullable Object> context(Definition definition, InstanceDraft draft) {
    Map<String, @Nullable Object> context = new LinkedHashMap<>();
    context.put("instance", draft.before.id().toString());
    context.put("definition", definition.key());
    context.put("version", (long) definition.version());
    context.put("tenant", draft.before.tenant());
    context.put("businessKey", draft.before.origin().businessKey());
    context.put("correlationId", draft.before.origin().correlationId());
    context.put("actor", draft.command.meta().actor().id());
    context.put("roles", sorted(draft.command.meta().actor().roles()));
    context.put("groups", sorted(draft.command.meta().actor().groups()));
    context.put("time", draft.at().toString());
    return context;
  }

  private static List<String> sorted(Set<String> names) {
    return names.isEmpty() ? List.of() : names.stream().sorted().toList();
  }

  /** The result of a run that completes: what its definition says, or all its variables. */
  static Map<String, @Nullable Object> result(Definition definition, InstanceDraft draft) {
    if (definition.output() == null) {
      return draft.variables();
    }
    EvaluationScope scope =
        EvaluationScope.of(draft.variables()).with(Root.CONTEXT, context(definition, draft));
    return Json.object(definition.output().evaluate(scope));
  }

  /**
   * The labels a run has now: those it was started with, and those its definition computes. A label
   * whose expression has no value yet, because a variable is not there, is simply absent.
   */
  static Map<String, String> labels(Definition definition, InstanceDraft draft) {
    if (definition.labels().isEmpty()) {
      return draft.givenLabels();
    }
    Map<String, String> labels = new LinkedHashMap<>(draft.givenLabels());
    EvaluationScope scope =
        EvaluationScope.of(draft.variables()).with(Root.CONTEXT, context(definition, draft));
    definition
        .labels()
        .forEach(
            (name, template) -> {
              String value = label(template, scope);
              if (value == null) {
                labels.remove(name);
              } else {
                labels.put(name, value);
              }
            });
    return Collections.unmodifiableMap(labels);
  }

  private static @Nullable String label(Template template, EvaluationScope scope) {
    try {
      Object value = template.evaluate(scope);
      return value == null ? null : Limits.name("a label's value", Objects.toString(value));
    } catch (ExpressionException | IllegalArgumentException e) {
      return null;
    }
  }

  public static List<String> conditions(Activity activity) {
    return activity.next().stream()
        .map(t -> t.when() == null ? "always" : t.when().source())
        .collect(Collectors.toList());
  }
}
