package dev.waymark.engine.flow;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A piece of work for one of its candidates. */
public final class UserTask extends ForPeople<UserTask> {

  UserTask(Sketch sketch) {
    super(sketch);
  }

  @Override
  UserTask changed(Sketch changed) {
    return new UserTask(changed);
  }

  /** The only user who does it. */
  public UserTask assignee(String user) {
    return changed(sketch.with("assignee", user));
  }

  public UserTask assignee(Expr user) {
    return changed(sketch.with("assignee", user));
  }

  /** Users, and groups as {@code group:name}, one of whom does it. */
  public UserTask candidates(String... users) {
    return changed(sketch.with("candidates", Arrays.asList(users)));
  }

  /** The members of a group get such tasks by turns. */
  public UserTask roundRobin(String group) {
    return assign(group, "round-robin");
  }

  /** Assigns it to the member of a group who has the fewest tasks. */
  public UserTask leastLoaded(String group) {
    return assign(group, "least-loaded");
  }

  private UserTask assign(String group, String by) {
    return changed(
        sketch.with("assign", PlainData.plus(PlainData.plus(null, "group", group), "by", by)));
  }

  /** The JSON Schema of the answer. */
  public UserTask form(Map<String, ? extends @Nullable Object> schema) {
    return changed(sketch.with("form", schema));
  }

  /** The time after which its assignee wants to look at it again. */
  public UserTask followUp(Duration after) {
    return changed(sketch.with("followUp", after));
  }

  /** The same in working time. */
  public UserTask followUp(Working time) {
    return changed(sketch.with("followUp", time.fields));
  }

  public UserTask followUp(Expr moment) {
    return changed(sketch.with("followUp", moment));
  }

  /** The time after which it ends by itself, with this outcome. */
  public UserTask completeAfter(Duration after, String outcome) {
    return autoComplete(after, outcome);
  }

  /** The same in working time. */
  public UserTask completeAfter(Working after, String outcome) {
    return autoComplete(after.fields, outcome);
  }

  private UserTask autoComplete(Object after, String outcome) {
    return changed(
        sketch.with(
            "autoComplete",
            PlainData.plus(PlainData.plus(null, "after", after), "outcome", outcome)));
  }
}
