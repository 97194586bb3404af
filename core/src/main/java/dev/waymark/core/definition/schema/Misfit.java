package dev.waymark.core.definition.schema;

import com.networknt.schema.Error;
import com.networknt.schema.path.NodePath;
import dev.waymark.core.definition.text.Faults;
import dev.waymark.core.definition.text.Near;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One place where a value does not fit its schema, in our words.
 *
 * <p>Where a schema offers alternatives, the validator reports an error for each of them; that is
 * one misfit, of the value that fits none.
 */
public record Misfit(String pointer, String expected, String got) {

  /**
   * Keywords with alternative schemas for the same value, some of which may fail without a fault.
   */
  private static final Set<String> CHOICES =
      Set.of(
          "anyOf",
          "oneOf",
          "not",
          "if",
          "then",
          "else",
          "dependentSchemas",
          "dependencies",
          "contains");

  private static final Set<String> BY_NAME = Set.of("properties", "patternProperties");

  private static final Set<String> BELOW =
      Set.of(
          "additionalProperties",
          "unevaluatedProperties",
          "items",
          "additionalItems",
          "unevaluatedItems");

  private static final Set<String> WHOLE_VALUE = Set.of("const", "enum", "uniqueItems");

  /**
   * The origin of an error in the schema.
   *
   * @param schema the schema whose keyword was not kept
   * @param depth how many levels down the value is that it judged
   * @param choice whether it was one of several
   */
  private record FailedSchema(Map<?, ?> schema, int depth, boolean choice) {}

  /**
   * Puts an error of the validator into our words.
   *
   * @param beforeEvaluation whether a value may be an expression, about which nothing is known yet
   * @return absent if nothing can be said yet
   */
  public static @Nullable Misfit of(
      Error error,
      Map<String, @Nullable Object> schema,
      @Nullable Object document,
      boolean beforeEvaluation) {
    FailedSchema origin = origin(error.getEvaluationPath(), schema);
    NodePath location = error.getInstanceLocation();
    int depth = origin.choice() ? origin.depth() : location.getNameCount();
    List<String> path = names(location, depth);
    Object value = at(document, path);
    String keyword = String.valueOf(error.getKeyword());
    boolean whole =
        origin.choice() ? !asksForFieldsOnly(origin.schema()) : WHOLE_VALUE.contains(keyword);
    if (beforeEvaluation
        && !Boolean.TRUE.equals(origin.schema().get(Shape.CONSTANT))
        && (whole ? holdsExpression(value) : isExpression(value))) {
      return null;
    }
    if (origin.choice()) {
      return new Misfit(
          pointer(path),
          origin.schema().get("title") instanceof String told
              ? told
              : "a value of one of the forms that are allowed here",
          Faults.shown(value));
    }
    return switch (keyword) {
      case "required" -> missing(path, String.valueOf(error.getProperty()), origin.schema());
      case "additionalProperties", "unevaluatedProperties" ->
          unknown(path, String.valueOf(error.getProperty()), origin.schema());
      default ->
          new Misfit(
              pointer(path),
              origin.schema().get("title") instanceof String told && !isAboutChoice(origin.schema())
                  ? told
                  : Wording.expected(error),
              Faults.shown(value));
    };
  }

  /** True if a choice depends on which fields there are, and not on their values. */
  private static boolean asksForFieldsOnly(Map<?, ?> schema) {
    return CHOICES.stream().allMatch(keyword -> namesFields(schema.get(keyword)));
  }

  private static boolean isAboutChoice(Map<?, ?> schema) {
    return CHOICES.stream().anyMatch(schema::containsKey);
  }

  private static boolean namesFields(@Nullable Object schema) {
    return switch (schema) {
      case List<?> list -> list.stream().allMatch(Misfit::namesFields);
      case Map<?, ?> map ->
          map.entrySet().stream()
              .allMatch(
                  entry ->
                      entry.getKey().equals("required")
                          || (CHOICES.contains(entry.getKey()) && namesFields(entry.getValue())));
      case null, default -> schema == null;
    };
  }

  private static Misfit missing(List<String> path, String name, Map<?, ?> schema) {
    Object field = schema.get("properties") instanceof Map<?, ?> fields ? fields.get(name) : null;
    String expected = "a value";
    if (field instanceof Map<?, ?> shape) {
      expected =
          shape.get("title") instanceof String told
              ? told
              : shape.get("type") instanceof String type ? Wording.type(type) : "a value";
    }
    return new Misfit(pointer(path) + "/" + escaped(name), expected, "nothing");
  }

  private static Misfit unknown(List<String> path, String name, Map<?, ?> schema) {
    List<String> known = new ArrayList<>();
    if (schema.get("properties") instanceof Map<?, ?> fields) {
      fields.keySet().forEach(field -> known.add(String.valueOf(field)));
    }
    return new Misfit(
        pointer(path) + "/" + escaped(name),
        known.isEmpty() ? "no such field" : "one of " + known,
        "'" + name + "'" + Near.hint(name, known));
  }

  /** Follows the validator's way through the schema to the first choice on it, or to its end. */
  private static FailedSchema origin(NodePath way, Map<String, @Nullable Object> root) {
    Object schema = root;
    int depth = 0;
    for (int i = 0; i < way.getNameCount(); i++) {
      String keyword = way.getName(i);
      Map<?, ?> here = schema instanceof Map<?, ?> map ? map : Map.of();
      if (CHOICES.contains(keyword)) {
        return new FailedSchema(here, depth, true);
      }
      if (i + 1 == way.getNameCount()) {
        return new FailedSchema(here, depth, false);
      }
      Object next = keyword.equals("$ref") ? target(root, here.get("$ref")) : here.get(keyword);
      if (BY_NAME.contains(keyword) || next instanceof List<?>) {
        next = at(next, List.of(way.getName(++i)));
        depth += keyword.equals("allOf") ? 0 : 1;
      } else if (BELOW.contains(keyword)) {
        depth++;
      }
      schema = next;
    }
    return new FailedSchema(schema instanceof Map<?, ?> map ? map : Map.of(), depth, false);
  }

  private static @Nullable Object target(Map<?, ?> root, @Nullable Object reference) {
    return reference instanceof String text && text.startsWith("#/")
        ? at(root, List.of(text.substring(2).replace("~1", "/").replace("~0", "~").split("/", -1)))
        : root;
  }

  static boolean isExpression(@Nullable Object value) {
    return value instanceof String text && text.contains("${");
  }

  private static boolean holdsExpression(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map -> map.values().stream().anyMatch(Misfit::holdsExpression);
      case List<?> list -> list.stream().anyMatch(Misfit::holdsExpression);
      case null, default -> isExpression(value);
    };
  }

  private static List<String> names(NodePath path, int count) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < Math.min(count, path.getNameCount()); i++) {
      names.add(path.getName(i));
    }
    return names;
  }

  private static @Nullable Object at(@Nullable Object value, List<String> path) {
    Object here = value;
    for (String name : path) {
      here =
          switch (here) {
            case Map<?, ?> map -> map.get(name);
            case List<?> list -> list.get(Integer.parseInt(name));
            case null, default -> null;
          };
    }
    return here;
  }

  private static String pointer(List<String> path) {
    StringBuilder pointer = new StringBuilder();
    path.forEach(name -> pointer.append('/').append(escaped(name)));
    return pointer.toString();
  }

  private static String escaped(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }
}
