package dev.waymark.core.definition.read;

import dev.waymark.core.Limits;
import dev.waymark.core.definition.ActivityType;
import dev.waymark.core.definition.RetryPolicy;
import dev.waymark.core.definition.schema.Shape;
import dev.waymark.core.definition.schema.Shapes;
import java.time.DayOfWeek;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The objects that a definition is made of, and their fields in the order in which they are
 * written.
 *
 * <p>The parser knows no fields but these, and the JSON Schema for editors is made of them: a field
 * cannot be in the one and not in the other.
 */
public final class Format {
  public static final Format DEFINITION =
      new Format(
          new Field("waymark", Shape.exactly(1).describe("The version of the format."), true),
          new Field("key", Shapes.KEY.describe("The name under which runs are started."), true),
          new Field("name", Shapes.NAME.describe("What people call it; without it, the key.")),
          new Field("description", Shape.text()),
          new Field(
              "input", Shape.open().describe("JSON Schema: a start with other data is refused.")),
          new Field(
              "variables", Shape.open().describe("What every run starts with, below its input.")),
          new Field("labels", Shapes.LABELS),
          new Field(
              "output",
              Shape.open()
                  .describe("The run's result; without it, all its variables are the result.")),
          new Field("timeout", Shapes.RUN_TIMEOUT),
          new Field("on", Shape.ref("on")),
          new Field(
              "calendars",
              Shape.byName(Shape.ref("calendar"))
                  .with("maxProperties", Limits.CALENDARS)
                  .describe("Working hours by name, for timers and due dates.")),
          new Field("startOn", Shapes.STARTS),
          new Field(
              "maxVisits",
              Shape.integer(1, Limits.VISITS_CEILING)
                  .describe(
                      "Visits to one activity without a wait, before it parks instead of spinning."
                          + " Default %d.".formatted(Limits.MAX_VISITS))),
          new Field("start", Shapes.ID.describe("The activity that every run begins with."), true),
          new Field("activities", Shape.ref("activities"), true));

  public static final Format MESSAGE_START =
      new Format(
          new Field("name", Shape.name().describe("The name of the message."), true),
          new Field(
              "match",
              Shapes.CONDITION.describe("Sees the message as Output; without it, all of them.")),
          new Field(
              "businessKey",
              Shape.text()
                  .describe(
                      "The run's business key, so that one of a key lives at a time. Sees the"
                          + " message as Output, and Context.correlationId.")));

  public static final Format CALENDAR =
      new Format(
          new Field("zone", Shape.name().told("a time zone such as Europe/Berlin"), true),
          new Field("hours", Shape.ref("hours"), true),
          new Field(
              "holidays",
              Shape.list(Shape.text().with("format", "date").told("a date such as 2026-12-25"))
                  .with("maxItems", Limits.HOLIDAYS)
                  .describe("Days on which nobody works.")));

  public static final Format HOURS =
      new Format(
          Stream.of(DayOfWeek.values())
              .map(day -> new Field(day.name().toLowerCase(Locale.ROOT), Shapes.SPANS))
              .toArray(Field[]::new));

  public static final Format ACTIVITY =
      new Format(
          new Field(
              "type",
              Shape.name().describe("A built-in type, or one that the application registers."),
              true),
          new Field("description", Shape.text()),
          new Field(
              "with",
              Shape.open().describe("Its input, by name; evaluated when the activity is entered.")),
          new Field("item", Shapes.VARIABLE.describe("The variable that holds the item."))
              .of(ActivityType.Inside.ITEMS),
          new Field(
                  "index", Shapes.VARIABLE.describe("The variable that holds its number, from 0."))
              .of(ActivityType.Inside.ITEMS),
          new Field(
                  "variables",
                  Shape.open().describe("Its own variables; evaluated when the scope is entered."))
              .of(ActivityType.Inside.BLOCK),
          new Field("start", Shapes.ID.describe("The activity inside that it begins with."))
              .of(ActivityType.Inside.BLOCK),
          new Field("activities", Shape.ref("activities")).of(ActivityType.Inside.BLOCK),
          new Field(
                  "collect",
                  Shape.anything().describe("Each item's result, evaluated when the item is done."))
              .of(ActivityType.Inside.ITEMS),
          new Field(
                  "until",
                  Shapes.CONDITION.describe(
                      "Asked after each item: if it holds, the rest is cancelled."))
              .of(ActivityType.Inside.ITEMS),
          new Field(
              "output",
              Shape.open()
                  .describe(
                      "What its result puts into the variables; without it, all of the result.")),
          new Field("next", Shapes.NEXT),
          new Field("retry", Shape.ref("retry")),
          new Field("timeout", Shape.duration().describe("Of one attempt of its body.")),
          new Field(
              "repeatable",
              Shape.truth().describe("false: not run again by itself when its node died.")),
          new Field("guard", Shape.ref("guard")),
          new Field("on", Shape.ref("on")),
          new Field("compensate", Shapes.ID.describe("What undoes it once it is completed.")));

  public static final Format TRANSITION =
      new Format(
          new Field(
              "when", Shapes.CONDITION.describe("Without it, the transition is always taken.")),
          new Field("to", Shapes.ID, true));

  public static final Format RETRY =
      new Format(
          new Field("attempts", Shape.integer(1, RetryPolicy.MAX_ATTEMPTS)),
          new Field("backoff", Shape.duration().describe("Before the second attempt; it doubles.")),
          new Field("maxBackoff", Shape.duration()),
          new Field("jitter", Shape.number(0, 1).describe("The share that is left to chance.")));

  public static final Format GUARD =
      new Format(
          new Field("roles", Shapes.NAMES.describe("The actor has one of them.")),
          new Field("groups", Shapes.NAMES.describe("The actor is in one of them.")),
          new Field("when", Shapes.CONDITION.describe("Sees the answer as Output.")),
          new Field(
              "message", Shape.name().describe("What a refused caller is told about 'when'.")),
          new Field("result", Shape.open().describe("JSON Schema of the answer or result.")));

  public static final Format ON =
      new Format(
          new Field("error", Shapes.oneOrMore("onError")),
          new Field("timeout", Shapes.oneOrMore("onTimeout")),
          new Field("message", Shapes.oneOrMore("onMessage")),
          new Field("signal", Shapes.oneOrMore("onSignal")));

  public static final Format ON_ERROR =
      new Format(
          new Field("match", Shapes.CONDITION.describe("Sees Error; without it, every error.")),
          Field.TO,
          Field.FAIL,
          Field.REACTION_OUTPUT,
          Field.UNDO);

  public static final Format ON_TIMEOUT =
      new Format(
          new Field("after", Shapes.DUE),
          new Field("until", Shapes.orExpression(Shape.instant())),
          Field.TO,
          Field.FAIL,
          Field.INTERRUPT,
          Field.REACTION_OUTPUT,
          Field.UNDO);

  public static final Format ON_MESSAGE =
      new Format(
          new Field("name", Shape.name().describe("The name of the message."), true),
          new Field(
              "correlate",
              Shape.anything()
                  .describe("What a message must name to be for this run; text or a number.")),
          new Field(
              "match",
              Shapes.CONDITION.describe("Sees the message as Output; without it, all of them.")),
          Field.TO.obligatory(),
          Field.INTERRUPT,
          Field.REACTION_OUTPUT,
          Field.UNDO);

  public static final Format ON_SIGNAL =
      new Format(
          new Field("name", Shape.name().describe("The name of the signal."), true),
          Field.TO.obligatory(),
          Field.INTERRUPT,
          Field.REACTION_OUTPUT,
          Field.UNDO);

  /**
   * One field of an object.
   *
   * @param inside only activities with such an inside have it; absent if all have
   */
  record Field(String name, Shape shape, boolean required, ActivityType.@Nullable Inside inside) {

    static final Field TO =
        new Field("to", Shapes.ID.describe("An activity of the scope of the one that reacts."));
    static final Field FAIL =
        new Field("fail", Shape.truth().describe("Instead of 'to': the run ends as failed."));
    static final Field INTERRUPT =
        new Field(
            "interrupt",
            Shape.truth().describe("false: 'to' starts beside the activity, which goes on."));
    static final Field REACTION_OUTPUT =
        new Field("output", Shape.open().describe("What it puts into the variables."));
    static final Field UNDO =
        new Field(
            "compensate",
            Shape.truth().describe("First undoes what is completed inside the scope or run."));

    Field(String name, Shape shape) {
      this(name, shape, false, null);
    }

    Field(String name, Shape shape, boolean required) {
      this(name, shape, required, null);
    }

    Field of(ActivityType.Inside only) {
      return new Field(name, shape, required, only);
    }

    Field obligatory() {
      return new Field(name, shape, true, inside);
    }
  }

  private final List<Field> list;
  private final List<String> names;

  private Format(Field... fields) {
    this.list = List.of(fields);
    this.names = list.stream().map(Field::name).toList();
  }

  /** The names of all fields, in their order. */
  public List<String> fields() {
    return names;
  }

  /** The names of the fields that only activities with such an inside have. */
  List<String> fields(ActivityType.Inside inside) {
    return list.stream().filter(f -> f.inside() == inside).map(Field::name).toList();
  }

  /** An object with these fields and no others. */
  Shape shape() {
    Shape shape = Shape.object();
    for (Field field : list) {
      shape =
          field.required()
              ? shape.required(field.name(), field.shape())
              : shape.field(field.name(), field.shape());
    }
    return shape;
  }

  /** The same entries in the order of the format. */
  public Map<String, @Nullable Object> ordered(Map<String, @Nullable Object> entries) {
    Map<String, @Nullable Object> ordered = new LinkedHashMap<>();
    for (String name : names) {
      if (entries.containsKey(name)) {
        ordered.put(name, entries.get(name));
      }
    }
    entries.forEach(ordered::putIfAbsent);
    return ordered;
  }
}
