package dev.waymark.core.definition.schema;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** JSON values and schemas in the form that the schema validator takes. */
final class JsonNodes {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** Keywords below which an object's keys are names that the author chose, and no keywords. */
  private static final Set<String> NAMED =
      Set.of(
          "properties",
          "patternProperties",
          "$defs",
          "definitions",
          "dependentSchemas",
          "dependencies");

  private static final Set<String> THRESHOLDS =
      Set.of("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum");

  private JsonNodes() {}

  static JsonNode of(@Nullable Object value) {
    return switch (value) {
      case null -> NODES.nullNode();
      case String text -> NODES.stringNode(text);
      case Long number -> NODES.numberNode(number.longValue());
      case BigDecimal number -> NODES.numberNode(number);
      case Boolean truth -> NODES.booleanNode(truth);
      case Map<?, ?> map -> {
        ObjectNode object = NODES.objectNode();
        map.forEach((name, element) -> object.set(String.valueOf(name), of(element)));
        yield object;
      }
      case List<?> list -> {
        ArrayNode array = NODES.arrayNode(list.size());
        list.forEach(element -> array.add(of(element)));
        yield array;
      }
      default -> throw new IllegalArgumentException("Not a JSON value: " + value.getClass());
    };
  }

  /**
   * A schema, with decimal thresholds. Beside a {@code type: integer} the validator compares a
   * value with an integral threshold as 64-bit numbers, and throws on a larger value; with a
   * decimal one it compares exactly.
   */
  static JsonNode ofSchema(@Nullable Object schema) {
    return schema(schema, false);
  }

  private static JsonNode schema(@Nullable Object value, boolean named) {
    if (value instanceof Map<?, ?> map) {
      ObjectNode object = NODES.objectNode();
      map.forEach(
          (key, element) -> {
            String name = String.valueOf(key);
            object.set(name, named ? schema(element, false) : keyword(name, element));
          });
      return object;
    }
    if (value instanceof List<?> list) {
      ArrayNode array = NODES.arrayNode(list.size());
      list.forEach(element -> array.add(schema(element, false)));
      return array;
    }
    return of(value);
  }

  private static JsonNode keyword(String keyword, @Nullable Object value) {
    if (SchemaCheck.DATA.contains(keyword)) {
      return of(value);
    }
    return THRESHOLDS.contains(keyword) && value instanceof Long threshold
        ? NODES.numberNode(BigDecimal.valueOf(threshold))
        : schema(value, NAMED.contains(keyword));
  }
}
