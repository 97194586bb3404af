package dev.waymark.core.definition.schema;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Turns the schema of an evaluated {@code with} into that of the text, with its expressions. */
public final class ExpressionsAllowed {

  private static final Set<String> BY_NAME = Set.of("properties", "patternProperties");
  private static final Set<String> BELOW = Set.of("items", "additionalProperties");
  private static final Set<String> CHOICES = Set.of("anyOf", "oneOf", "allOf");
  private static final Set<String> JUDGING =
      Set.of("pattern", "format", "enum", "const", "anyOf", "oneOf");

  private ExpressionsAllowed() {}

  /**
   * True if it can stand inside another schema: one with references cannot, as they would lead
   * elsewhere there.
   */
  public static boolean canBeIn(Map<String, @Nullable Object> schema) {
    return !schema.isEmpty() && !schema.containsKey("$schema") && !refers(schema);
  }

  private static boolean refers(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map ->
          map.containsKey("$ref") || map.values().stream().anyMatch(ExpressionsAllowed::refers);
      case List<?> list -> list.stream().anyMatch(ExpressionsAllowed::refers);
      case null, default -> false;
    };
  }

  /** The same schema, in which every value below may be an expression instead. */
  public static Map<String, @Nullable Object> in(Map<?, ?> schema) {
    Map<String, @Nullable Object> copy = new LinkedHashMap<>();
    schema.forEach(
        (key, value) -> {
          String keyword = String.valueOf(key);
          if (BY_NAME.contains(keyword) && value instanceof Map<?, ?> fields) {
            Map<String, @Nullable Object> allowing = new LinkedHashMap<>();
            fields.forEach((name, each) -> allowing.put(String.valueOf(name), instead(each)));
            copy.put(keyword, allowing);
          } else if (CHOICES.contains(keyword) && value instanceof List<?> choices) {
            copy.put(keyword, choices.stream().map(ExpressionsAllowed::below).toList());
          } else if (!keyword.equals(Shape.CONSTANT)) {
            copy.put(keyword, BELOW.contains(keyword) ? instead(value) : value);
          }
        });
    return copy;
  }

  /** One of several schemas for a value: the value itself may be an expression already. */
  private static Object below(Object choice) {
    return choice instanceof Map<?, ?> schema ? in(schema) : choice;
  }

  private static @Nullable Object instead(@Nullable Object value) {
    if (!(value instanceof Map<?, ?> schema)) {
      return value;
    }
    Map<String, @Nullable Object> allowing = in(schema);
    if (Boolean.TRUE.equals(schema.get(Shape.CONSTANT)) || takesAnyText(schema)) {
      return allowing;
    }
    Map<String, @Nullable Object> choice = new LinkedHashMap<>();
    if (allowing.containsKey("description")) {
      choice.put("description", allowing.remove("description"));
    }
    choice.put("anyOf", List.of(allowing, Shapes.EXPRESSION.document()));
    return choice;
  }

  private static boolean takesAnyText(Map<?, ?> schema) {
    Object type = schema.get("type");
    boolean text =
        type == null
            || type.equals("string")
            || (type instanceof List<?> l && l.contains("string"));
    return text && JUDGING.stream().noneMatch(schema::containsKey);
  }
}
