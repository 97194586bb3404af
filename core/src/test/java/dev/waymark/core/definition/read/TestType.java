package dev.waymark.core.definition.read;

import dev.waymark.core.definition.ActivityType;
import dev.waymark.core.definition.text.Faults;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An activity type as a definition sees it, without anything that runs. */
record TestType(String name, boolean waits, boolean ends) implements ActivityType {

  static final List<TestType> ALL =
      List.of(
          new TestType("set", false, false),
          new TestType("charge", false, false),
          new TestType("wait", true, false),
          new TestType("timer", true, false),
          new TestType("fork", false, true),
          new TestType("join", false, false),
          new TestType("end", false, true));

  @Override
  public void check(Map<String, @Nullable Object> with, Faults faults) {
    if (name.equals("fork")) {
      if (!(with.get("branches") instanceof List<?>)) {
        faults.add("branches", "a list of activities", Faults.shown(with.get("branches")));
      }
      with.keySet().stream()
          .filter(key -> !key.equals("branches"))
          .forEach(key -> faults.add(key, "one of [branches]", Faults.shown(key)));
    }
  }

  @Override
  public boolean forks() {
    return name.equals("fork");
  }

  @Override
  public List<String> targets(Map<String, @Nullable Object> with) {
    return with.get("branches") instanceof List<?> branches
        ? branches.stream().map(String::valueOf).toList()
        : List.of();
  }
}
