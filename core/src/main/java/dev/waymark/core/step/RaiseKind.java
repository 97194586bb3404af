package dev.waymark.core.step;

import dev.waymark.core.definition.Faults;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Fault;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code raise}: is a fault, with {@code code} and {@code message}, for who reacts to it. */
final class RaiseKind implements Kind {

  @Override
  public String name() {
    return "raise";
  }

  @Override
  public boolean ends() {
    return true;
  }

  @Override
  public void check(Map<String, @Nullable Object> with, Faults faults) {
    With.onlyKeys(with, faults, "code", "message");
    if (!(with.get("code") instanceof String code) || code.isBlank()) {
      faults.add("code", "a code that programs can recognise", Faults.shown(with.get("code")));
    }
  }

  @Override
  public void enter(Walk walk, ActivityInstance visit) {
    Map<String, @Nullable Object> input = walk.input(visit);
    Fault fault;
    try {
      String code = With.text(input, "code", "");
      fault = Fault.permanent(code, With.text(input, "message", code));
    } catch (IllegalArgumentException e) {
      walk.badInput(visit, e);
      return;
    }
    walk.fault(visit, fault);
  }
}
