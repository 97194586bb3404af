package dev.waymark.core.definition.schema;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import dev.waymark.core.time.Due;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A JSON Schema in the making, of what draft-07 and 2020-12 have in common: so one shape serves the
 * check on deploy, the check on entry, and the schema that editors use. Immutable.
 */
public final class Shape {

  /**
   * A keyword of ours: the value must stand in the text, because it is needed before a run gets
   * there. All other values may be expressions instead.
   */
  static final String CONSTANT = "x-constant";

  /** A format of ours: a duration of at most {@link Limits#DURATION}, which no pattern can say. */
  static final String BOUNDED_DURATION = "waymark-duration";

  private static final String TIME =
      "[Tt]([0-9]{1,7}[Hh]([0-9]{1,9}[Mm])?([0-9]{1,11}(\\.[0-9]{1,9})?[Ss])?"
          + "|[0-9]{1,9}[Mm]([0-9]{1,11}(\\.[0-9]{1,9})?[Ss])?"
          + "|[0-9]{1,11}(\\.[0-9]{1,9})?[Ss])";

  /**
   * As Java writes and reads durations: days, hours, minutes, seconds; nothing below zero. The
   * letters may be small, as Java takes them.
   */
  private static final String DURATION = "^[Pp]([0-9]{1,6}[Dd](%s)?|%s)$".formatted(TIME, TIME);

  private static final String A_DURATION =
      "a duration such as PT30M, 0 to %,d days".formatted(Limits.DURATION.toDays());

  /** The schema of a field that must not be there. */
  public static final Shape NOTHING = new Shape(Map.of("not", Map.of()));

  private final Map<String, @Nullable Object> document;

  private Shape(Map<String, @Nullable Object> document) {
    this.document = document;
  }

  public Map<String, @Nullable Object> document() {
    return Json.objectOf(document);
  }

  /** Editors tell a field of schema {@code false} apart, and do not offer it. */
  private Object schema() {
    return this == NOTHING ? false : document;
  }

  // ---- kinds of values

  public static Shape anything() {
    return new Shape(Map.of());
  }

  public static Shape text() {
    return type("string");
  }

  /** A text that names something: not blank. */
  public static Shape name() {
    return text().with("pattern", "\\S").told("a text that is not blank");
  }

  /** A text, or a number that is taken for one: keys and codes often are numbers. */
  public static Shape word() {
    return new Shape(OrderedMaps.of("type", List.of("string", "number")))
        .told("a text or a number");
  }

  public static Shape truth() {
    return type("boolean");
  }

  public static Shape integer(long least, long most) {
    return type("integer")
        .with("minimum", least)
        .with("maximum", most)
        .told("an integer from %,d to %,d".formatted(least, most));
  }

  public static Shape number(long least, long most) {
    return type("number")
        .with("minimum", least)
        .with("maximum", most)
        .told("a number from %,d to %,d".formatted(least, most));
  }

  public static Shape duration() {
    return text().with("pattern", DURATION).with("format", BOUNDED_DURATION).told(A_DURATION);
  }

  /** A time from now: a duration, or working time of one of the definition's calendars. */
  public static Shape due() {
    return anyOf(A_DURATION + ", or { working: PT8H, calendar: … }", duration(), working());
  }

  /** Working time of one of the definition's calendars. */
  public static Shape working() {
    return object()
        .required(Due.WORKING, duration())
        .required(Due.CALENDAR, name().told("the name of a calendar"));
  }

  public static Shape instant() {
    return text().with("format", "date-time").told("an instant such as 2026-01-31T12:00:00Z");
  }

  public static Shape oneOf(String... words) {
    return new Shape(Map.of("enum", List.of(words)));
  }

  public static Shape exactly(@Nullable Object value) {
    return new Shape(OrderedMaps.of("const", value));
  }

  public static Shape list(Shape items) {
    return type("array").with("items", items.document);
  }

  /** An object with whatever fields. */
  public static Shape open() {
    return type("object");
  }

  /** An object that has the fields which are added, and no others. */
  public static Shape object() {
    return open().with("additionalProperties", false).with("properties", Map.of());
  }

  /** An object whose values all have this shape, under any names. */
  public static Shape byName(Shape value) {
    return open().with("additionalProperties", value.document);
  }

  /** Said so that a fault reads: expected this or that. */
  public static Shape anyOf(String told, Shape... shapes) {
    List<Object> choices = new ArrayList<>();
    for (Shape shape : shapes) {
      choices.add(shape.document);
    }
    return new Shape(Map.of("anyOf", choices)).told(told);
  }

  public static Shape ref(String name) {
    return new Shape(Map.of("$ref", "#/definitions/" + name));
  }

  // ---- more about them

  public Shape field(String name, Shape value) {
    return with("properties", OrderedMaps.plus(document.get("properties"), name, value.schema()));
  }

  public Shape required(String name, Shape value) {
    List<@Nullable Object> names = new ArrayList<>();
    if (document.get("required") instanceof List<?> before) {
      names.addAll(before);
    }
    names.add(name);
    return field(name, value).with("required", names);
  }

  public Shape exactlyOne(String... names) {
    List<Object> choices = new ArrayList<>();
    for (String name : names) {
      choices.add(Map.of("required", List.of(name)));
    }
    return with("oneOf", choices).told("exactly one of '%s'".formatted(String.join("', '", names)));
  }

  /** Fields of at most one of these groups. */
  public Shape notTogether(List<List<String>> groups) {
    List<Object> pairs = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      for (List<String> others : groups.subList(i + 1, groups.size())) {
        for (String one : groups.get(i)) {
          others.forEach(other -> pairs.add(Map.of("required", List.of(one, other))));
        }
      }
    }
    String told = groups.stream().map(List::toString).collect(Collectors.joining(" or "));
    return with("not", Map.of("anyOf", pairs)).told("only fields of " + told);
  }

  public Shape size(int least, int most) {
    boolean list = "array".equals(document.get("type"));
    return with(list ? "minItems" : "minProperties", least)
        .with(list ? "maxItems" : "maxProperties", most);
  }

  /** Adds a description for people who write definitions. */
  public Shape describe(String text) {
    return with("description", text);
  }

  /**
   * Sets the text that a fault gives as the expected form, in place of one made of the schema's
   * keywords.
   */
  public Shape told(String expected) {
    return with("title", expected);
  }

  /** Null means that it is not given, as an expression may come to. */
  public Shape orNull() {
    if (document.get("anyOf") instanceof List<?> choices) {
      List<@Nullable Object> more = new ArrayList<>(choices);
      more.add(type("null").document);
      return with("anyOf", more);
    }
    List<@Nullable Object> types = new ArrayList<>();
    if (document.get("type") instanceof List<?> several) {
      types.addAll(several);
    } else {
      types.add(document.get("type"));
    }
    types.add("null");
    return with("type", types);
  }

  /** The value must stand in the text: no expression. */
  public Shape constant() {
    return with(CONSTANT, true);
  }

  public Shape with(String keyword, @Nullable Object value) {
    return new Shape(OrderedMaps.plus(document, keyword, value));
  }

  private static Shape type(String type) {
    return new Shape(Map.of("type", type));
  }

  /** Maps that keep their order. */
  private static final class OrderedMaps {

    static Map<String, @Nullable Object> of(String name, @Nullable Object value) {
      return plus(Map.of(), name, value);
    }

    static Map<String, @Nullable Object> plus(
        @Nullable Object before, String name, @Nullable Object value) {
      Map<String, @Nullable Object> after = new LinkedHashMap<>();
      if (before instanceof Map<?, ?> map) {
        map.forEach((key, element) -> after.put(String.valueOf(key), element));
      }
      after.put(name, value);
      return after;
    }
  }
}
