package dev.waymark.core.step;

import dev.waymark.core.definition.Shape;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.BookmarkKind;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code timer}: waits {@code after} a duration or {@code until} an instant. Never early. */
final class TimerKind implements Kind {

  private static final Map<String, @Nullable Object> SCHEMA =
      Shape.object()
          .field("after", Shape.duration())
          .field("until", Shape.instant())
          .exactlyOne("after", "until")
          .document();

  @Override
  public String name() {
    return "timer";
  }

  @Override
  public boolean waits() {
    return true;
  }

  @Override
  public Map<String, @Nullable Object> schema() {
    return SCHEMA;
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
