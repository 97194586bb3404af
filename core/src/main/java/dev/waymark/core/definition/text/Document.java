package dev.waymark.core.definition.text;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a text into nodes and refuses what no definition needs and an attacker does: too much, too
 * deep, twice the same key, numbers that take a gigabyte.
 *
 * <p>A text that starts with a brace is JSON, any other is YAML.
 */
public final class Document {

  private final FaultList faults;

  private Document(FaultList faults) {
    this.faults = faults;
  }

  public static TextNode.Struct read(String text, FaultList faults) {
    if (text.length() > Limits.DEFINITION_CHARS) {
      throw faults.stop(
          TextNode.Place.ROOT,
          "a text of at most %,d characters".formatted(Limits.DEFINITION_CHARS),
          "%,d".formatted(text.length()));
    }
    String content = text.startsWith("\uFEFF") ? text.substring(1) : text;
    refuseUnstorable(content, faults);
    Document document = new Document(faults);
    TextNode root =
        content.stripLeading().startsWith("{")
            ? new JsonDocument(content, document).read()
            : new YamlDocument(content, document).read();
    return switch (root) {
      case null -> throw faults.stop(TextNode.Place.ROOT, "a definition", "an empty text");
      case TextNode.Struct struct -> struct;
      case TextNode.Sequence items -> throw faults.stop(items.place(), "an object", items.shown());
      case TextNode.Scalar scalar -> throw faults.stop(scalar.place(), "an object", scalar.shown());
    };
  }

  /** The text itself is stored, and no database takes a NUL or half a surrogate pair in a text. */
  private static void refuseUnstorable(String text, FaultList faults) {
    int bad = unstorable(text);
    if (bad >= 0) {
      int line = (int) text.substring(0, bad).chars().filter(c -> c == '\n').count() + 1;
      int column = bad - text.lastIndexOf('\n', bad);
      throw faults.stop(
          TextNode.Place.ROOT.at(line, column),
          "well-formed Unicode without NUL",
          "U+%04X".formatted((int) text.charAt(bad)));
    }
  }

  /** Called on the way down, before anything below is read. */
  void enter(TextNode.Place place) {
    if (place.depth() >= Json.MAX_DEPTH) {
      throw stop(place, "at most %d levels of lists and objects".formatted(Json.MAX_DEPTH), "more");
    }
  }

  void put(Map<String, TextNode> fields, String key, TextNode value) {
    if (key.length() > Json.MAX_NAME_CHARS) {
      fault(
          value.place(),
          "a key of at most %d characters".formatted(Json.MAX_NAME_CHARS),
          "%,d".formatted(key.length()));
    } else if (unstorable(key) >= 0) {
      fault(value.place(), "a key in well-formed Unicode without NUL", Faults.shown(key));
    } else if (fields.putIfAbsent(key, value) != null) {
      fault(value.place(), "every key once", "'%s' again".formatted(key));
    }
  }

  TextNode.Scalar text(TextNode.Place place, String text) {
    int bad = unstorable(text);
    if (bad >= 0) {
      fault(
          place,
          "well-formed Unicode without NUL",
          "U+%04X at character %d".formatted((int) text.charAt(bad), bad + 1));
    }
    return new TextNode.Scalar(place, text);
  }

  TextNode.Scalar number(TextNode.Place place, String digits) {
    if (digits.length() > Json.MAX_NUMBER_CHARS) {
      fault(
          place,
          "a number of at most %d characters".formatted(Json.MAX_NUMBER_CHARS),
          "%,d".formatted(digits.length()));
      return new TextNode.Scalar(place, 0L);
    }
    try {
      return new TextNode.Scalar(place, Json.number(new BigDecimal(digits)));
    } catch (IllegalArgumentException e) {
      // BigDecimal and Json agree on the form of a number, but not on its size.
      fault(
          place,
          "at most %d digits and an exponent within ±%,d"
              .formatted(Json.MAX_NUMBER_DIGITS, Json.MAX_EXPONENT),
          digits);
      return new TextNode.Scalar(place, 0L);
    }
  }

  void fault(TextNode.Place place, String expected, String got) {
    faults.add(place, expected, got);
  }

  InvalidDefinition stop(TextNode.Place place, String expected, String got) {
    return faults.stop(place, expected, got);
  }

  InvalidDefinition syntaxError(String format, @Nullable String problem, int line, int column) {
    return stop(TextNode.Place.ROOT.at(line, column), format, "a syntax error: " + problem);
  }

  /** The index of the first character that a database refuses, or -1. */
  private static int unstorable(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0) {
        return i;
      }
      if (Character.isSurrogate(c)) {
        boolean pair =
            Character.isHighSurrogate(c)
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!pair) {
          return i;
        }
        i++;
      }
    }
    return -1;
  }
}
