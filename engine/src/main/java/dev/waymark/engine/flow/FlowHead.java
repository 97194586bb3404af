package dev.waymark.engine.flow;

import dev.waymark.core.time.Calendar;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part of a flow that concerns the whole run; the activity that it starts with comes last. */
public final class FlowHead {

  private final String key;
  private final Map<String, @Nullable Object> fields;

  FlowHead(String key, Map<String, @Nullable Object> fields) {
    this.key = key;
    this.fields = fields;
  }

  public FlowHead name(String name) {
    return put("name", name);
  }

  public FlowHead description(String text) {
    return put("description", text);
  }

  /** The JSON Schema of the start data. */
  public FlowHead input(Map<String, ? extends @Nullable Object> schema) {
    return put("input", schema);
  }

  /** A variable that every run starts with, below its input. */
  public FlowHead variable(String name, @Nullable Object value) {
    return put("variables", PlainData.plus(fields.get("variables"), name, value));
  }

  public FlowHead variables(Map<String, ? extends @Nullable Object> variables) {
    return put("variables", variables);
  }

  /** A search label: a text, or an expression that comes to one. */
  public FlowHead label(String name, String text) {
    return put("labels", PlainData.plus(fields.get("labels"), name, text));
  }

  public FlowHead label(String name, Expr text) {
    return put("labels", PlainData.plus(fields.get("labels"), name, text));
  }

  /** A part of the run's result; without any, all its variables are. */
  public FlowHead output(String name, @Nullable Object value) {
    return put("output", PlainData.plus(fields.get("output"), name, value));
  }

  /** The run fails then. */
  public FlowHead timeout(Duration after) {
    return put("timeout", after);
  }

  public FlowHead timeout(TimeoutReaction reaction) {
    return put("timeout", reaction.fields);
  }

  public FlowHead onError(ErrorReaction first, ErrorReaction... more) {
    return on("error", Reactions.listed(first, more));
  }

  public FlowHead onTimeout(TimeoutReaction first, TimeoutReaction... more) {
    return on("timeout", Reactions.listed(first, more));
  }

  public FlowHead onMessage(NamedReaction first, NamedReaction... more) {
    return on("message", Reactions.listed(first, more));
  }

  public FlowHead onSignal(NamedReaction first, NamedReaction... more) {
    return on("signal", Reactions.listed(first, more));
  }

  /** A message begins a run, if no run waits for it. */
  public FlowHead startOn(String message) {
    return put("startOn", PlainData.appended(fields.get("startOn"), message));
  }

  /**
   * A message begins a run, if no run waits for it.
   *
   * @param match which of that name: a condition in CEL, which sees the message as Output
   */
  public FlowHead startOn(String message, String match) {
    return put(
        "startOn",
        PlainData.appended(
            fields.get("startOn"),
            PlainData.plus(PlainData.plus(null, "name", message), "match", match)));
  }

  /**
   * A message begins a run, if no run waits for it and none lives under its business key.
   *
   * @param businessKey sees the message as Output, and Context.correlationId
   */
  public FlowHead startOnce(String message, Expr businessKey) {
    return put(
        "startOn",
        PlainData.appended(
            fields.get("startOn"),
            PlainData.plus(PlainData.plus(null, "name", message), "businessKey", businessKey)));
  }

  /** The same for those of a name that match a condition in CEL. */
  public FlowHead startOnce(String message, String match, Expr businessKey) {
    return put(
        "startOn",
        PlainData.appended(
            fields.get("startOn"),
            PlainData.plus(
                PlainData.plus(PlainData.plus(null, "name", message), "match", match),
                "businessKey",
                businessKey)));
  }

  /** Working hours, for timers and due dates that name them. */
  public FlowHead calendar(String name, Calendar calendar) {
    return put("calendars", PlainData.plus(fields.get("calendars"), name, calendar.toDocument()));
  }

  /** Visits to one activity without a wait, before it parks instead of spinning. */
  public FlowHead maxVisits(int visits) {
    return put("maxVisits", visits);
  }

  public Flow start(String activity) {
    return new Flow(key, put("start", activity).fields, List.of());
  }

  private FlowHead on(String event, List<? extends Reaction<?>> reactions) {
    return put("on", Reactions.plus(fields.get("on"), event, reactions));
  }

  private FlowHead put(String field, @Nullable Object value) {
    return new FlowHead(key, PlainData.plus(fields, field, value));
  }
}
