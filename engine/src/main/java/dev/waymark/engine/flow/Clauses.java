package dev.waymark.engine.flow;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The clauses about the activities of a flow, to be imported statically. */
public final class Clauses {

  private Clauses() {}

  // ---- values

  /** A value that is evaluated in the run: a CEL expression without braces. */
  public static Expr expr(String cel) {
    return new Expr(cel);
  }

  /** A text that is taken as it is, even where it looks like an expression. */
  public static String literal(String text) {
    return text.replace("${", "$${");
  }

  /** Time that passes only while a calendar of the flow is open. */
  public static Working working(Duration time, String calendar) {
    return new Working(time, calendar);
  }

  public static Working working(Expr time, String calendar) {
    return new Working(time, calendar);
  }

  // ---- ways on

  /** A condition in CEL; {@code to} says where it leads. */
  public static Way.When when(String cel) {
    return new Way.When(cel);
  }

  public static Way otherwise(String activity) {
    return Way.to(activity);
  }

  // ---- reactions

  /** Errors for which this condition in CEL holds; it sees {@code Error}. */
  public static ErrorReaction.Matched match(String cel) {
    return new ErrorReaction.Matched(PlainData.plus(null, "match", cel));
  }

  public static ErrorReaction.Matched anyError() {
    return new ErrorReaction.Matched(Map.of());
  }

  public static TimeoutReaction.Deadline after(Duration duration) {
    return deadline("after", duration);
  }

  public static TimeoutReaction.Deadline after(Expr duration) {
    return deadline("after", duration);
  }

  /** Working time from now. */
  public static TimeoutReaction.Deadline after(Working time) {
    return deadline("after", time.fields);
  }

  public static TimeoutReaction.Deadline until(Instant moment) {
    return deadline("until", moment);
  }

  public static TimeoutReaction.Deadline until(Expr moment) {
    return deadline("until", moment);
  }

  private static TimeoutReaction.Deadline deadline(String field, @Nullable Object value) {
    return new TimeoutReaction.Deadline(PlainData.plus(null, field, value));
  }

  /** A message or signal of this name. */
  public static NamedReaction.Name named(String name) {
    return new NamedReaction.Name(PlainData.plus(null, "name", name));
  }

  public static NamedReaction.Name named(Expr name) {
    return new NamedReaction.Name(PlainData.plus(null, "name", name));
  }

  // ---- waits of a race

  public static Rival.Open rival(String name) {
    return new Rival.Open(name);
  }

  // ---- levels of an approval

  public static Stage level(String name) {
    return Stage.named(name);
  }

  // ---- retries and guards

  public static Retry attempts(int atMost) {
    return new Retry(PlainData.plus(null, "attempts", atMost));
  }

  /** The actor has one of these roles. */
  public static Guard roles(String... anyOf) {
    return Guard.NONE.roles(anyOf);
  }

  /** The actor is in one of these groups. */
  public static Guard groups(String... anyOf) {
    return Guard.NONE.groups(anyOf);
  }

  /** A condition in CEL; the answer is its {@code Output}. */
  public static Guard condition(String cel) {
    return Guard.NONE.condition(cel);
  }

  /** The JSON Schema of the answer, or of a body's result. */
  public static Guard result(Map<String, ? extends @Nullable Object> schema) {
    return Guard.NONE.result(schema);
  }
}
