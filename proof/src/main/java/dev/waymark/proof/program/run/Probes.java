package dev.waymark.proof.program.run;

import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.activity.Activity;
import dev.waymark.engine.activity.ActivityContext;
import dev.waymark.engine.activity.ActivityResult;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The bodies of programs: they do what their input says, and remember when they did. */
final class Probes implements Activity {

  private static final Caller OPERATOR = Caller.of("operator");

  record Visit(InstanceId instance, long number) {}

  /** When a visit's body ran first and last, counted over all bodies. */
  record Runs(String label, int first, int last) {}

  private final Map<Visit, Runs> runs = new HashMap<>();
  private int count;
  private @Nullable Engine operator;

  /** The engine on which bodies suspend their own run, if their input says so. */
  void holdBy(Engine engine) {
    operator = engine;
  }

  @Override
  public ActivityResult execute(ActivityContext context) {
    String label = context.input("label", String.class);
    int now = ++count;
    runs.merge(
        new Visit(context.instance(), context.visit()),
        new Runs(label, now, now),
        (before, again) -> new Runs(label, before.first(), again.last()));
    if (context.attempt() == 1 && context.input("holds", Boolean.class, false)) {
      hold(context);
    }
    String fatal = context.input("fatal", String.class, "");
    if (!fatal.isEmpty()) {
      return ActivityResult.failedForGood(fatal, "as told");
    }
    if (context.attempt() <= context.input("failures", Long.class, 0L)) {
      return ActivityResult.failed("WEAK", "as told");
    }
    return ActivityResult.completed(result(context.input().get("result")));
  }

  // A body whose visit has been cancelled may still come to its turn; it does nothing then.
  private void hold(ActivityContext context) {
    Engine engine = Objects.requireNonNull(operator);
    Instance run = engine.instances().find(context.instance(), OPERATOR).orElseThrow();
    if (run.activity(context.visit()) != null) {
      var unused = engine.operations().suspend(context.instance(), "while a body runs", OPERATOR);
    }
  }

  @SuppressWarnings("unchecked") // every map in a JSON value has string keys
  private static Map<String, @Nullable Object> result(@Nullable Object value) {
    return value == null ? Map.of() : (Map<String, @Nullable Object>) value;
  }

  @Nullable Runs of(InstanceId instance, long visit) {
    return runs.get(new Visit(instance, visit));
  }

  void forget() {
    runs.clear();
    count = 0;
  }
}
