package dev.waymark.core.definition.schema;

import dev.waymark.core.Limits;
import dev.waymark.core.time.Due;

/** Shapes that several parts of the format have in common. */
public final class Shapes {

  /** Patterns that ECMAScript and RE2 both understand: editors and the parser use the same ones. */
  public static final String KEY_PATTERN = "^[a-z0-9][a-z0-9._-]{0,127}$";

  public static final String ID_PATTERN = "^[A-Za-z][A-Za-z0-9_-]{0,127}$";
  public static final String VARIABLE_PATTERN = "^[A-Za-z_][A-Za-z0-9_]{0,127}$";

  public static final Shape KEY =
      Shape.text()
          .with("pattern", KEY_PATTERN)
          .told("a key of a-z, 0-9, '.', '_', '-', at most 128 characters");

  public static final Shape ID =
      Shape.text().with("pattern", ID_PATTERN).told("the id of an activity");

  public static final Shape NAME = Shape.name().with("maxLength", Limits.NAME_BYTES);

  public static final Shape NAMES = Shape.list(Shape.name()).with("minItems", 1);

  public static final Shape VARIABLE =
      Shape.text()
          .with("pattern", VARIABLE_PATTERN)
          .told("the name of a variable: letters, digits and '_'");

  public static final Shape CONDITION = Shape.name().told("a condition in CEL, without ${ }");

  static final Shape EXPRESSION =
      Shape.text().with("pattern", "\\$\\{").told("an expression in ${ }");

  public static final Shape LABELS =
      Shape.byName(Shape.text())
          .with("maxProperties", Limits.LABELS)
          .describe("Search labels: texts with expressions.");

  public static final Shape NEXT =
      Shape.anyOf(
              "the id of an activity, or a list of {when, to}",
              ID,
              Shape.list(Shape.ref("transition")).size(1, Limits.TRANSITIONS))
          .describe("Where the run goes from here; without it, this branch ends.");

  public static final Shape RUN_TIMEOUT =
      Shape.anyOf("a duration such as P30D, or an object", Shape.duration(), Shape.ref("onTimeout"))
          .describe("A duration after which the run fails, or a reaction.");

  private static final Shape MESSAGE_START =
      Shape.anyOf(
          "the name of a message, or an object with 'name'",
          Shape.name(),
          Shape.ref("messageStart"));

  public static final Shape STARTS =
      Shape.anyOf(
              "the name of a message, an object with 'name', or a list of them",
              Shape.name(),
              Shape.ref("messageStart"),
              Shape.list(MESSAGE_START).size(1, Limits.MESSAGE_STARTS))
          .describe("Messages that begin a run, if no run waits for them.");

  public static final Shape SPANS =
      Shape.list(
              Shape.text()
                  .with("pattern", "^[0-9]{2}:[0-9]{2} *- *[0-9]{2}:[0-9]{2}$")
                  .told("working hours such as 09:00-17:30"))
          .with("maxItems", Limits.SPANS_PER_DAY);

  /** A due value whose parts may be expressions, too. */
  public static final Shape DUE =
      Shape.anyOf(
          Shape.due().document().get("title") + ", or an expression",
          Shape.duration(),
          EXPRESSION,
          Shape.object()
              .required(Due.WORKING, orExpression(Shape.duration()))
              .required(Due.CALENDAR, Shape.name()));

  private Shapes() {}

  public static Shape orExpression(Shape shape) {
    return Shape.anyOf(shape.document().get("title") + ", or an expression", shape, EXPRESSION);
  }

  public static Shape oneOrMore(String reaction) {
    return Shape.anyOf(
        "an object, or a list of objects", Shape.ref(reaction), Shape.list(Shape.ref(reaction)));
  }
}
