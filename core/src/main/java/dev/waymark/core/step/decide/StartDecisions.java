package dev.waymark.core.step.decide;

import static dev.waymark.core.step.Decision.Rejection.Code.BAD_INPUT;

import dev.waymark.core.definition.Definition;
import dev.waymark.core.definition.schema.InputSchema.Violation;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Decision.NoChange;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.StoredFacts;
import dev.waymark.core.step.walk.Walk;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Decides on starts. */
final class StartDecisions {

  private StartDecisions() {}

  static Decision start(
      Definition definition, @Nullable Instance existing, StoredFacts prior, Command.Start start) {
    if (existing != null) {
      return new NoChange("This instance was already started", existing.version());
    }
    if (prior.keyHolder() != null) {
      return Rejection.keyTaken(String.valueOf(start.businessKey()), prior.keyHolder());
    }
    Rejection refusal = refusal(definition, start.input());
    if (refusal != null) {
      return refusal;
    }
    Walk walk = Decider.walk(definition, unborn(definition, start), start);
    if (start.request() != null) {
      walk.received(start.request().message());
    }
    walk.draft().merge(0, definition.variables());
    walk.draft().merge(0, start.input());
    walk.noteInstance(HistoryEntry.Type.INSTANCE_STARTED, begunBy(start.request()));
    walk.enter(definition.root().reactions().isEmpty() ? definition.start() : Definition.ROOT, 0);
    return walk.finish();
  }

  /** The reason why a run cannot begin with this data; absent if it can. */
  static @Nullable Rejection refusal(Definition definition, Map<String, @Nullable Object> input) {
    List<Violation> violations =
        definition.input() == null ? List.of() : definition.input().check(input);
    return violations.isEmpty()
        ? null
        : new Rejection(BAD_INPUT, badInput(definition, violations), violations);
  }

  private static String badInput(Definition definition, List<Violation> violations) {
    StringBuilder text =
        new StringBuilder("Expected start data that fits ")
            .append(definition)
            .append(", but found ")
            .append(violations.size())
            .append(violations.size() == 1 ? " fault:" : " faults:");
    violations.forEach(
        v ->
            text.append("\n  ")
                .append(v.pointer().isEmpty() ? "/" : v.pointer())
                .append(": ")
                .append(v.message()));
    return text.toString();
  }

  /** The instance as it is before its first step. */
  private static Instance unborn(Definition definition, Command.Start start) {
    Command.Meta meta = start.meta();
    return new Instance(
        start.instance(),
        new Instance.Origin(
            meta.actor().tenant(),
            definition.id(),
            start.businessKey(),
            start.correlationId(),
            meta.traceParent(),
            meta.at(),
            start.request() == null ? null : start.request().parent()),
        0,
        Status.RUNNING,
        Map.of(),
        Map.of(),
        Collections.unmodifiableSortedMap(new TreeMap<>()),
        Collections.unmodifiableSortedMap(new TreeMap<>()),
        0,
        Map.of(),
        null,
        null,
        null);
  }

  private static Map<String, @Nullable Object> begunBy(Command.Start.@Nullable Request request) {
    if (request == null || request.parent() != null) {
      return Map.of();
    }
    Message message = request.message();
    return Map.of(
        "message", message.name(), "source", message.key().source(), "id", message.key().id());
  }
}
