package dev.waymark.core.step.kind;

import dev.waymark.core.definition.schema.Shape;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.walk.Kind;
import dev.waymark.core.step.walk.Walk;
import dev.waymark.core.step.walk.WithReader;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code terminate}: ends the whole run at once, whatever else is alive in it. {@code status:
 * failed} makes it a failure, with {@code code} and {@code message}; {@code status: cancelled} ends
 * it as an operator's cancel does, with {@code message} as the reason.
 */
final class TerminateKind implements Kind {

  private static final Map<String, @Nullable Object> SCHEMA =
      Shape.object()
          .field("status", Shape.oneOf("completed", "failed", "cancelled"))
          .field("code", Shape.word().orNull())
          .field("message", Shape.word().orNull())
          .document();

  @Override
  public String name() {
    return "terminate";
  }

  @Override
  public boolean ends() {
    return true;
  }

  @Override
  public Map<String, @Nullable Object> schema() {
    return SCHEMA;
  }

  @Override
  public void enter(Walk walk, ActivityInstance visit) {
    Map<String, @Nullable Object> input = walk.input(visit);
    switch (WithReader.text(input, "status", "completed")) {
      case "failed" -> fail(walk, visit, input);
      case "cancelled" -> {
        String reason =
            WithReader.text(input, "message", "The run was cancelled by its definition");
        walk.terminate(visit, Status.CANCELLED, null, Map.of("reason", reason));
      }
      default -> walk.terminate(visit, Status.COMPLETED, null, Map.of());
    }
  }

  private static void fail(Walk walk, ActivityInstance visit, Map<String, @Nullable Object> input) {
    String code = WithReader.text(input, "code", "TERMINATED");
    String message =
        WithReader.text(input, "message", "The run was ended as failed by its definition");
    Fault fault;
    try {
      fault = Fault.permanent(code, message);
    } catch (IllegalArgumentException e) {
      walk.badInput(visit, e);
      return;
    }
    walk.terminate(visit, Status.FAILED, fault, Map.of());
  }
}
