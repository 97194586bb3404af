package dev.waymark.core.definition.read;

import dev.waymark.core.Json;
import dev.waymark.core.definition.ActivityType;
import dev.waymark.core.definition.ActivityType.Inside;
import dev.waymark.core.definition.schema.ExpressionsAllowed;
import dev.waymark.core.definition.schema.Shape;
import dev.waymark.core.definition.schema.Shapes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The whole format as one JSON Schema of draft-07, which editors understand: they complete and
 * check while the author types.
 *
 * <p>It is made of the fields that the parser reads, and of the schemas that the types declare. It
 * checks less than deploying: not that targets exist, and not the meaning of expressions.
 */
public final class FormatSchema {

  private static final String DRAFT_07 = "http://json-schema.org/draft-07/schema#";

  private final List<ActivityType> types;

  private FormatSchema(Collection<? extends ActivityType> types) {
    this.types = new ArrayList<>(types);
    this.types.sort(Comparator.comparing(ActivityType::name));
  }

  /**
   * Makes the schema; the same types give the same, down to the order of its fields.
   *
   * @param types whose {@code with} it describes; others stay allowed, with anything
   */
  public static Map<String, @Nullable Object> of(Collection<? extends ActivityType> types) {
    Map<String, @Nullable Object> schema = new LinkedHashMap<>();
    schema.put("$schema", DRAFT_07);
    schema.put("title", "A Waymark definition");
    schema.putAll(Format.DEFINITION.shape().document());
    schema.put("definitions", new FormatSchema(types).definitions());
    return Json.objectOf(schema);
  }

  private Map<String, @Nullable Object> definitions() {
    Map<String, Shape> shapes = new LinkedHashMap<>();
    shapes.put(
        "activities",
        Shape.byName(Shape.ref("activity"))
            .with("propertyNames", Shapes.ID.document())
            .with("minProperties", 1)
            .describe("The activities by id. Ids are unique in the whole definition."));
    shapes.put("activity", activity());
    shapes.put("messageStart", Format.MESSAGE_START.shape());
    shapes.put("calendar", Format.CALENDAR.shape());
    shapes.put(
        "hours",
        Format.HOURS
            .shape()
            .with("minProperties", 1)
            .describe("Working hours by weekday; a day that is not there is free."));
    shapes.put("transition", Format.TRANSITION.shape());
    shapes.put("retry", Format.RETRY.shape().describe("How often its body is tried."));
    shapes.put(
        "guard",
        Format.GUARD
            .shape()
            .with("minProperties", 1)
            .describe("Who may answer its waits, and with what."));
    shapes.put("on", Format.ON.shape().describe("Reactions to what happens while it is alive."));
    shapes.put("onError", leading(Format.ON_ERROR.shape()));
    shapes.put(
        "onTimeout",
        leading(Format.ON_TIMEOUT.shape())
            .with("allOf", List.of(Shape.anything().exactlyOne("after", "until").document())));
    shapes.put("onMessage", Format.ON_MESSAGE.shape());
    shapes.put("onSignal", Format.ON_SIGNAL.shape());
    Map<String, @Nullable Object> documents = new LinkedHashMap<>();
    shapes.forEach((name, shape) -> documents.put(name, shape.document()));
    return documents;
  }

  /** Either to an activity, or to the end of the run. */
  private static Shape leading(Shape reaction) {
    Shape to = Shape.anything().with("required", List.of("to"));
    Shape fail =
        Shape.anything()
            .with("required", List.of("fail"))
            .field("fail", Shape.anything().with("const", true));
    return reaction
        .with("oneOf", List.of(to.document(), fail.document()))
        .told("exactly one of 'to' and 'fail: true'");
  }

  private Shape activity() {
    List<Object> rules = new ArrayList<>();
    rules.add(
        onlyFor(
            type -> type.inside() != Inside.NOTHING,
            Inside.BLOCK,
            Shape.anything().with("required", List.of("start", "activities"))));
    rules.add(onlyFor(type -> type.inside() == Inside.ITEMS, Inside.ITEMS, Shape.anything()));
    rules.add(
        ifType(names(ActivityType::ends))
            .with("then", Shape.anything().field("next", Shape.NOTHING).document())
            .document());
    for (ActivityType type : types) {
      if (ExpressionsAllowed.canBeIn(type.schema())) {
        rules.add(
            ifType(List.of(type.name())).with("then", with(type.schema()).document()).document());
      }
    }
    Shape type =
        Shape.anyOf(
                "the type of the activity",
                Shape.oneOf(names(any -> true).toArray(String[]::new)),
                Shape.name())
            .describe("A built-in type, or one that the application registers.");
    return Format.ACTIVITY.shape().field("type", type).with("allOf", rules);
  }

  /** Fields that only activities of these types have, and what else these must have. */
  private Object onlyFor(Predicate<ActivityType> having, Inside inside, Shape then) {
    Shape otherwise = Shape.anything();
    for (String field : Format.ACTIVITY.fields(inside)) {
      otherwise = otherwise.field(field, Shape.NOTHING);
    }
    return ifType(names(having))
        .with("then", then.document())
        .with("else", otherwise.document())
        .document();
  }

  private static Shape ifType(List<String> names) {
    return Shape.anything()
        .with(
            "if",
            Shape.anything()
                .required("type", Shape.oneOf(names.toArray(String[]::new)))
                .document());
  }

  private static Shape with(Map<String, @Nullable Object> schema) {
    Shape then = Shape.anything();
    boolean needed = schema.containsKey("required") || schema.containsKey("oneOf");
    return (needed ? then.with("required", List.of("with")) : then)
        .with("properties", Map.of("with", ExpressionsAllowed.in(schema)));
  }

  private List<String> names(Predicate<ActivityType> having) {
    return types.stream().filter(having).map(ActivityType::name).toList();
  }
}
