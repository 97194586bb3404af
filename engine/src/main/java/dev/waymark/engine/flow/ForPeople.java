package dev.waymark.engine.flow;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An activity at which a run waits for people: its title, data and form, and the excluded people.
 */
public abstract sealed class ForPeople<S extends ForPeople<S>> extends Guarded<S>
    permits UserTask, Approval {

  ForPeople(Sketch sketch) {
    super(sketch);
  }

  /** The title that people see in their inbox. */
  public final S title(String text) {
    return changed(sketch.with("title", text));
  }

  /** The text that tells people what they are to do. */
  public final S instructions(String text) {
    return changed(sketch.with("description", text));
  }

  /** The data that people are shown to decide on. */
  public final S data(Map<String, ? extends @Nullable Object> shown) {
    return changed(sketch.with("data", shown));
  }

  public final S data(Expr shown) {
    return changed(sketch.with("data", shown));
  }

  /** Under which name it is found; without it, the activity's id. */
  public final S key(String name) {
    return changed(sketch.with("key", name));
  }

  public final S key(Expr name) {
    return changed(sketch.with("key", name));
  }

  /** The higher, the sooner it is claimed; 0 is normal. */
  public final S priority(int priority) {
    return changed(sketch.with("priority", priority));
  }

  /** {@code low}, {@code normal}, {@code high} or {@code urgent}, or a number. */
  public final S priority(Expr priority) {
    return changed(sketch.with("priority", priority));
  }

  /**
   * The users who may never act, as the requester under four eyes; expressions are written with
   * braces.
   */
  public final S exclude(String... users) {
    return changed(sketch.with("exclude", Arrays.asList(users)));
  }

  /** The text of the notification that the candidates get when it begins. */
  public final S notifying(String text) {
    return changed(sketch.with("notify", text));
  }

  /** The time by which it should be done, counted from its beginning. */
  public final S due(Duration after) {
    return changed(sketch.with("due", after));
  }

  /** The same in working time. */
  public final S due(Working time) {
    return changed(sketch.with("due", time.fields));
  }

  public final S due(Instant moment) {
    return changed(sketch.with("due", moment));
  }

  /** An expression for a duration or an instant. */
  public final S due(Expr moment) {
    return changed(sketch.with("due", moment));
  }

  /**
   * The users and groups that are asked as well after this time; a second call adds the next rung
   * of the ladder.
   */
  public final S escalate(Duration after, String... to) {
    return changed(sketch.put("with", Stage.escalated(sketch.fields().get("with"), after, to)));
  }

  /** The same in working time. */
  public final S escalate(Working after, String... to) {
    return changed(
        sketch.put("with", Stage.escalated(sketch.fields().get("with"), after.fields, to)));
  }

  /** The reminders to the people who have not acted yet. */
  public final S remind(Duration after, Duration every, int times) {
    return changed(sketch.with("remind", Stage.reminders(after, every, times)));
  }
}
