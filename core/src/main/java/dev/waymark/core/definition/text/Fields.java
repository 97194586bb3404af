package dev.waymark.core.definition.text;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one object of a definition, read by name and kind. A fault is reported, and the
 * reader goes on with nothing or a default in its place.
 *
 * <p>A misspelt field is reported once and then taken for the one it was meant to be, so that one
 * slip does not show up as three faults.
 */
public final class Fields {

  private final TextNode.Struct node;
  private final FaultList faults;
  private final Map<String, TextNode> fields = new HashMap<>();

  public Fields(TextNode.Struct node, List<String> known, FaultList faults) {
    this.node = node;
    this.faults = faults;
    node.fields().forEach((name, value) -> take(name, value, known));
  }

  private void take(String name, TextNode value, List<String> known) {
    if (known.contains(name)) {
      fields.put(name, value);
    } else {
      faults.addUnknown(value.place(), "one of", known, name);
      String meant = Near.of(name, known);
      if (meant != null && !node.fields().containsKey(meant)) {
        fields.put(meant, value);
      }
    }
  }

  public TextNode.Struct node() {
    return node;
  }

  public @Nullable TextNode get(String name) {
    return fields.get(name);
  }

  /** Reports the field if it is absent. */
  public @Nullable TextNode require(String name, String expected) {
    TextNode value = fields.get(name);
    if (value == null) {
      faults.add(node.place().missing(name), expected, "nothing");
    }
    return value;
  }

  public @Nullable String text(String name) {
    return text(fields.get(name));
  }

  /** Reports a field that is no text; its value is not needed here. */
  public void checkText(String name) {
    TextNode value = fields.get(name);
    if (value != null && !(value.value() instanceof String)) {
      wrong(value, "a text");
    }
  }

  public @Nullable String requireText(String name, String expected) {
    return text(require(name, expected));
  }

  private @Nullable String text(@Nullable TextNode value) {
    if (value == null) {
      return null;
    }
    if (value.value() instanceof String text && !text.isBlank()) {
      return text;
    }
    wrong(value, "a text");
    return null;
  }

  /** A text that names something, hence short and of the given form. */
  public @Nullable String requireName(String name, String expected, Pattern form) {
    TextNode value = require(name, expected);
    String text = text(value);
    if (value != null && text != null && !form.matcher(text).matches()) {
      wrong(value, expected);
    }
    return text;
  }

  public TextNode.@Nullable Struct struct(String name) {
    return struct(fields.get(name));
  }

  public TextNode.@Nullable Struct requireStruct(String name, String expected) {
    return struct(require(name, expected));
  }

  private TextNode.@Nullable Struct struct(@Nullable TextNode value) {
    if (value == null || value instanceof TextNode.Struct) {
      return (TextNode.Struct) value;
    }
    wrong(value, "an object");
    return null;
  }

  public int integer(String name, int least, int most, int otherwise) {
    TextNode value = fields.get(name);
    if (value == null) {
      return otherwise;
    }
    if (value.value() instanceof Long number && number >= least && number <= most) {
      return number.intValue();
    }
    wrong(value, "an integer from %d to %d".formatted(least, most));
    return otherwise;
  }

  public double share(String name, double otherwise) {
    TextNode value = fields.get(name);
    if (value == null) {
      return otherwise;
    }
    if (value.value() instanceof Number number
        && number.doubleValue() >= 0
        && number.doubleValue() <= 1) {
      return number.doubleValue();
    }
    wrong(value, "a number from 0 to 1");
    return otherwise;
  }

  public boolean truth(String name, boolean otherwise) {
    TextNode value = fields.get(name);
    if (value == null) {
      return otherwise;
    }
    if (value.value() instanceof Boolean truth) {
      return truth;
    }
    wrong(value, "true or false");
    return otherwise;
  }

  public @Nullable Duration duration(String name, Duration least) {
    TextNode value = fields.get(name);
    if (value == null) {
      return null;
    }
    if (value.value() instanceof String text && text.length() <= Json.MAX_NUMBER_CHARS) {
      try {
        Duration duration = Duration.parse(text);
        if (duration.compareTo(least) >= 0 && duration.compareTo(Limits.DURATION) <= 0) {
          return duration;
        }
      } catch (DateTimeException e) {
        // Told below, together with the durations that are out of range.
      }
    }
    wrong(
        value,
        "an ISO-8601 duration such as PT30S, from %s to %s".formatted(least, Limits.DURATION));
    return null;
  }

  public void wrong(TextNode value, String expected) {
    faults.add(value.place(), expected, value.shown());
  }
}
