package dev.waymark.core.step;

import dev.waymark.core.definition.Faults;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.Status;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code terminate}: ends the whole run at once, whatever else is alive in it. {@code status:
 * failed} makes it a failure, with {@code code} and {@code message}.
 */
final class TerminateKind implements Kind {

  @Override
  public String name() {
    return "terminate";
  }

  @Override
  public boolean ends() {
    return true;
  }

  @Override
  public void check(Map<String, @Nullable Object> with, Faults faults) {
    Object status = with.getOrDefault("status", "completed");
    if (!"completed".equals(status) && !"failed".equals(status)) {
      faults.add("status", "'completed' or 'failed'", Faults.shown(status));
    }
    With.onlyKeys(with, faults, "status", "code", "message");
  }

  @Override
  public void enter(Walk walk, ActivityInstance visit) {
    Map<String, @Nullable Object> input = walk.input(visit);
    if ("failed".equals(input.get("status"))) {
      String code = With.text(input, "code", "TERMINATED");
      String message = With.text(input, "message", "The run was ended as failed by its definition");
      Fault fault;
      try {
        fault = Fault.permanent(code, message);
      } catch (IllegalArgumentException e) {
        walk.badInput(visit, e);
        return;
      }
      walk.terminate(visit, Status.FAILED, fault);
    } else {
      walk.terminate(visit, Status.COMPLETED, null);
    }
  }
}
