package dev.waymark.core.definition.schema;

import com.networknt.schema.Error;
import dev.waymark.core.definition.schema.InputSchema.Violation;
import dev.waymark.core.definition.text.Faults;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Puts the errors of a schema's validator into our words: the expected form, and the value that
 * came.
 */
final class Wording {

  private static final Map<String, String> TYPES =
      Map.of(
          "string", "a text",
          "integer", "an integer",
          "number", "a number",
          "boolean", "true or false",
          "object", "an object",
          "array", "a list",
          "null", "null");

  private Wording() {}

  static Violation violation(Error error) {
    String pointer = error.getInstanceLocation().toString();
    String keyword = error.getKeyword() == null ? "" : error.getKeyword();
    String property = error.getProperty();
    return switch (keyword) {
      case "required" ->
          new Violation(pointer + "/" + escaped(property), "must be there, but is missing");
      case "additionalProperties", "unevaluatedProperties" ->
          new Violation(pointer + "/" + escaped(property), "must not be there, but is");
      default -> new Violation(pointer, message(keyword, error));
    };
  }

  private static String message(String keyword, Error error) {
    return demand(keyword, error) + ", but got " + shown(error.getInstanceNode());
  }

  /** The expectation of an error, without "must be". */
  static String expected(Error error) {
    String demand = demand(error.getKeyword() == null ? "" : error.getKeyword(), error);
    for (String start : List.of("must be ", "must have ")) {
      if (demand.startsWith(start)) {
        return demand.substring(start.length());
      }
    }
    return "a value that " + demand;
  }

  private static String demand(String keyword, Error error) {
    String limit = argument(error, 0);
    return switch (keyword) {
      case "type" -> "must be " + type(argument(error, 1));
      case "enum" -> "must be one of " + limit;
      case "const" -> "must be " + limit;
      case "minimum" -> "must be at least " + limit;
      case "maximum" -> "must be at most " + limit;
      case "exclusiveMinimum" -> "must be more than " + limit;
      case "exclusiveMaximum" -> "must be less than " + limit;
      case "multipleOf" -> "must be a multiple of " + limit;
      case "minLength" -> "must have at least " + limit + " characters";
      case "maxLength" -> "must have at most " + limit + " characters";
      case "minItems" -> "must have at least " + limit + " items";
      case "maxItems" -> "must have at most " + limit + " items";
      case "minProperties" -> "must have at least " + limit + " fields";
      case "maxProperties" -> "must have at most " + limit + " fields";
      case "uniqueItems" -> "must not have the same item twice";
      case "pattern" -> "must match " + limit;
      case "format" -> "must be in the format '" + format(error) + "'";
      default -> String.valueOf(error.getMessage());
    };
  }

  /** The library says {@code number}, or {@code [string, null]} where there is a choice. */
  static String type(String expected) {
    if (!expected.startsWith("[")) {
      return TYPES.getOrDefault(expected, expected);
    }
    StringBuilder choice = new StringBuilder();
    for (String type : expected.substring(1, expected.length() - 1).split(", *", -1)) {
      choice.append(choice.isEmpty() ? "" : " or ").append(TYPES.getOrDefault(type, type));
    }
    return choice.toString();
  }

  private static String format(Error error) {
    JsonNode format = error.getSchemaNode();
    return format == null ? argument(error, 0) : format.asString();
  }

  private static String argument(Error error, int index) {
    Object[] arguments = error.getArguments();
    return arguments == null || arguments.length <= index
        ? String.valueOf(error.getMessage())
        : String.valueOf(arguments[index]);
  }

  private static String shown(@Nullable JsonNode node) {
    if (node == null || node.isMissingNode()) {
      return "nothing";
    }
    if (node.isString()) {
      return "text " + Faults.shown(node.asString());
    }
    if (node.isArray()) {
      return "a list of " + node.size();
    }
    return node.isObject() ? "an object of " + node.size() : Faults.shown(node);
  }

  private static String escaped(@Nullable String key) {
    return String.valueOf(key).replace("~", "~0").replace("/", "~1");
  }
}
