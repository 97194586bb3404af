package dev.waymark.core.step.kind;

import dev.waymark.core.definition.schema.Shape;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.step.walk.Kind;
import dev.waymark.core.step.walk.Walk;
import dev.waymark.core.step.walk.WithReader;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code raise}: is a fault, with {@code code} and {@code message}, for who reacts to it. */
final class RaiseKind implements Kind {

  private static final Map<String, @Nullable Object> SCHEMA =
      Shape.object()
          .required("code", Shape.word().told("a code that programs can recognise"))
          .field("message", Shape.word().orNull())
          .document();

  @Override
  public String name() {
    return "raise";
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
    Fault fault;
    try {
      String code = WithReader.text(input, "code", "");
      fault = Fault.permanent(code, WithReader.text(input, "message", code));
    } catch (IllegalArgumentException e) {
      walk.badInput(visit, e);
      return;
    }
    walk.fault(visit, fault);
  }
}
