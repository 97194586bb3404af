package dev.waymark.core.definition.schema;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import dev.waymark.core.definition.text.Faults;
import dev.waymark.core.definition.text.TextNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks the rules that the schema of schemas cannot express: that references stay inside and lead
 * somewhere, that checking against it comes to an end, and that its patterns can be run safely.
 */
final class SchemaCheck {

  private static final String DRAFT_2020_12 = "https://json-schema.org/draft/2020-12/";
  private static final String DRAFT_07 = "http://json-schema.org/draft-07/schema";

  /** Data inside a schema, in which nothing is a keyword. */
  static final Set<String> DATA = Set.of("const", "enum", "default", "examples");

  /** Keywords whose schemas judge the same value as the schema they stand in. */
  private static final List<String> IN_PLACE =
      List.of(
          "allOf",
          "anyOf",
          "oneOf",
          "not",
          "if",
          "then",
          "else",
          "dependentSchemas",
          "dependencies");

  private final Map<String, @Nullable Object> root;
  private final Faults faults;
  private final Map<String, Map<?, ?>> anchors = new HashMap<>();
  private final IdentityHashMap<Map<?, ?>, Long> costs = new IdentityHashMap<>();
  private final Set<Map<?, ?>> open = Collections.newSetFromMap(new IdentityHashMap<>());
  private boolean sound = true;

  SchemaCheck(Map<String, @Nullable Object> root, Faults faults) {
    this.root = root;
    this.faults = faults;
  }

  static boolean isDialect(String iri) {
    return iri.startsWith(DRAFT_2020_12) || iri.startsWith(DRAFT_07);
  }

  static boolean isDraft07(Map<String, @Nullable Object> schema) {
    return schema.get("$schema") instanceof String dialect && dialect.startsWith(DRAFT_07);
  }

  /** True if nothing was found. */
  boolean run() {
    collectAnchors(root);
    check(root, TextNode.Place.ROOT);
    if (sound) {
      checkCosts(root, TextNode.Place.ROOT);
    }
    return sound;
  }

  private void collectAnchors(@Nullable Object value) {
    if (value instanceof Map<?, ?> schema) {
      if (schema.get("$anchor") instanceof String anchor) {
        anchors.putIfAbsent("#" + anchor, schema);
      }
      schema.values().forEach(this::collectAnchors);
    } else if (value instanceof List<?> list) {
      list.forEach(this::collectAnchors);
    }
  }

  private void check(@Nullable Object value, TextNode.Place path) {
    if (value instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        check(list.get(i), path.missing(Integer.toString(i)));
      }
    }
    if (!(value instanceof Map<?, ?> schema)) {
      return;
    }
    schema.forEach(
        (key, element) -> {
          String name = String.valueOf(key);
          TextNode.Place place = path.missing(name);
          if (element instanceof String text) {
            checkText(name, text, place, path.parent() == null);
          }
          if (name.equals("patternProperties") && element instanceof Map<?, ?> patterns) {
            patterns.keySet().forEach(p -> checkPattern(String.valueOf(p), place.missing("" + p)));
          }
          if (!DATA.contains(name)) {
            check(element, place);
          }
        });
  }

  private void checkText(String keyword, String text, TextNode.Place path, boolean atRoot) {
    switch (keyword) {
      case "$ref" -> {
        if (!text.startsWith("#")) {
          fault(path, "a reference into this schema, starting with '#'", Faults.shown(text));
        } else if (target(text) == null) {
          fault(path, "a reference to a schema that is there", Faults.shown(text));
        }
      }
      case "$dynamicRef", "$recursiveRef" -> fault(path, "$ref", Faults.shown(keyword));
      case "$schema" -> {
        String plain = text.endsWith("#") ? text.substring(0, text.length() - 1) : text;
        if (!atRoot || !(plain.equals(DRAFT_2020_12 + "schema") || plain.equals(DRAFT_07))) {
          fault(path, "draft 2020-12 or draft-07, said once at the top", Faults.shown(text));
        }
      }
      case "$id" -> {
        if (!atRoot) {
          fault(path, "no $id but at the top", Faults.shown(text));
        }
      }
      case "pattern" -> checkPattern(text, path);
      default -> {}
    }
  }

  private void checkPattern(String pattern, TextNode.Place path) {
    try {
      var unused = SchemaPattern.compile(pattern);
    } catch (IllegalArgumentException e) {
      fault(
          path,
          "a regular expression (RE2: no look-around, no back-references) of at most %d steps"
              .formatted(Limits.PATTERN_STEPS),
          Faults.shown(pattern) + ": " + e.getMessage());
    }
  }

  /**
   * The number of schemas that judge one value, that of the given schema included. References make
   * a schema a graph: a loop in it never ends, and twenty lines can fan out to a million checks.
   */
  private long cost(Map<?, ?> schema, TextNode.Place path) {
    Long known = costs.get(schema);
    if (known != null || !sound) {
      return known == null ? 0 : known;
    }
    if (open.size() >= Json.MAX_DEPTH || !open.add(schema)) {
      fault(
          path,
          "references that come to an end within %d steps".formatted(Json.MAX_DEPTH),
          open.contains(schema) ? "a loop" : "more");
      return 0;
    }
    long sum = 1;
    if (schema.get("$ref") instanceof String reference
        && target(reference) instanceof Map<?, ?> target) {
      sum += cost(target, path);
    }
    for (String keyword : IN_PLACE) {
      for (Map<?, ?> part : schemas(keyword, schema.get(keyword))) {
        sum += cost(part, path);
      }
    }
    open.remove(schema);
    costs.put(schema, sum);
    if (sum > Limits.SCHEMA_FAN_OUT && sound) {
      fault(
          path,
          "at most %,d schemas to judge one value".formatted(Limits.SCHEMA_FAN_OUT),
          "%,d".formatted(sum));
    }
    return sum;
  }

  private void checkCosts(@Nullable Object value, TextNode.Place path) {
    if (value instanceof Map<?, ?> schema) {
      var unused = cost(schema, path);
      schema.forEach(
          (key, element) -> {
            if (!DATA.contains(key)) {
              checkCosts(element, path.missing(String.valueOf(key)));
            }
          });
    } else if (value instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        checkCosts(list.get(i), path.missing(Integer.toString(i)));
      }
    }
  }

  private static List<Map<?, ?>> schemas(String keyword, @Nullable Object value) {
    List<Map<?, ?>> schemas = new ArrayList<>();
    switch (value) {
      case Map<?, ?> byName when keyword.startsWith("depend") ->
          byName.values().forEach(each -> schemas.addAll(schemas("", each)));
      case Map<?, ?> schema -> schemas.add(schema);
      case List<?> list -> list.forEach(each -> schemas.addAll(schemas("", each)));
      case null, default -> {}
    }
    return schemas;
  }

  /** The schema, or the true or false, that a reference leads to. */
  private @Nullable Object target(String reference) {
    if (!reference.startsWith("#/")) {
      return reference.equals("#") ? root : anchors.get(reference);
    }
    Object value = root;
    for (String part : reference.substring(2).split("/", -1)) {
      String key = part.replace("~1", "/").replace("~0", "~");
      value =
          switch (value) {
            case Map<?, ?> map -> map.get(key);
            case List<?> list when key.matches("0|[1-9][0-9]{0,5}") ->
                Integer.parseInt(key) < list.size() ? list.get(Integer.parseInt(key)) : null;
            case null, default -> null;
          };
    }
    return value instanceof Map || value instanceof Boolean ? value : null;
  }

  private void fault(TextNode.Place path, String expected, String got) {
    sound = false;
    String pointer = path.pointer();
    faults.add(pointer.isEmpty() ? "" : pointer.substring(1), expected, got);
  }
}
