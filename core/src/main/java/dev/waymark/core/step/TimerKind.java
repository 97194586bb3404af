package dev.waymark.core.step;

import dev.waymark.core.definition.Faults;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.BookmarkKind;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code timer}: waits {@code after} a duration or {@code until} an instant. Never early. */
final class TimerKind implements Kind {

  @Override
  public String name() {
    return "timer";
  }

  @Override
  public boolean waits() {
    return true;
  }

  @Override
  public void check(Map<String, @Nullable Object> with, Faults faults) {
    checkTime(with, faults);
  }

  static void checkTime(Map<String, @Nullable Object> with, Faults faults) {
    With.onlyKeys(with, faults, "after", "until");
    if (with.containsKey("after") == with.containsKey("until")) {
      faults.add("", "exactly one of 'after' and 'until'", Faults.shown(with));
      return;
    }
    String key = with.containsKey("after") ? "after" : "until";
    if (!With.isExpression(with.get(key))) {
      try {
        var unused = due(with, Instant.EPOCH);
      } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
        faults.add(
            key,
            key.equals("after") ? "a duration such as PT30M" : "an instant",
            Faults.shown(with.get(key)));
      }
    }
  }

  @Override
  public void enter(Walk walk, ActivityInstance visit) {
    Command.Wait timer;
    try {
      timer = wait(walk.input(visit), visit.activity(), walk.at());
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
      walk.badInput(visit, e);
      return;
    }
    walk.await(visit, List.of(timer));
  }

  static Command.Wait wait(Map<String, @Nullable Object> input, String key, Instant now) {
    return new Command.Wait(BookmarkKind.TIMER, key, Map.of(), due(input, now));
  }

  private static Instant due(Map<String, @Nullable Object> input, Instant now) {
    return input.containsKey("after")
        ? now.plus(With.duration(input.get("after")))
        : With.instant(input.get("until"));
  }
}
