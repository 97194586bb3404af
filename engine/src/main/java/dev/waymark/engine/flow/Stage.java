package dev.waymark.engine.flow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One level of an approval; levels are decided one after another. */
public final class Stage {

  final Map<String, @Nullable Object> fields;

  private Stage(Map<String, @Nullable Object> fields) {
    this.fields = fields;
  }

  static Stage named(String name) {
    return new Stage(PlainData.plus(null, "name", name));
  }

  /** Users, and groups as {@code group:name}; expressions are written with braces. */
  public Stage approvers(String... approvers) {
    return put("approvers", Arrays.asList(approvers));
  }

  public Stage approvers(Expr list) {
    return put("approvers", list);
  }

  /** All voices must approve; without this verb, one approval is enough. */
  public Stage all() {
    return put("mode", "all");
  }

  public Stage atLeast(int count) {
    return put("mode", Map.of("atLeast", count));
  }

  /** If it is false, this level is left out. */
  public Stage when(Expr condition) {
    return put("when", condition);
  }

  public Stage due(Duration after) {
    return put("due", after);
  }

  /** The same in working time. */
  public Stage due(Working time) {
    return put("due", time.fields);
  }

  /**
   * The users and groups that are asked as well after this time; a second call adds the next rung
   * of the ladder.
   */
  public Stage escalate(Duration after, String... to) {
    return new Stage(escalated(fields, after, to));
  }

  /** The same in working time. */
  public Stage escalate(Working after, String... to) {
    return new Stage(escalated(fields, after.fields, to));
  }

  public Stage remind(Duration after, Duration every, int times) {
    return put("remind", reminders(after, every, times));
  }

  private Stage put(String field, @Nullable Object value) {
    return new Stage(PlainData.plus(fields, field, value));
  }

  static Map<String, @Nullable Object> escalated(
      @Nullable Object before, Object after, String... to) {
    List<@Nullable Object> ladder = new ArrayList<>();
    if (before instanceof Map<?, ?> fields && fields.get("escalate") instanceof List<?> rungs) {
      ladder.addAll(rungs);
    }
    ladder.add(PlainData.plus(PlainData.plus(null, "after", after), "to", Arrays.asList(to)));
    return PlainData.plus(before, "escalate", ladder);
  }

  static Map<String, @Nullable Object> reminders(Duration after, Duration every, int times) {
    return PlainData.plus(
        PlainData.plus(PlainData.plus(null, "after", after), "every", every), "times", times);
  }
}
