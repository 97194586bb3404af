package dev.waymark.core.definition.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A value of a definition's text that knows where it stands, so that a fault can point at it. */
public sealed interface TextNode {

  Place place();

  /** The plain value, without places. */
  @Nullable Object value();

  /** The value as a fault shows it. */
  String shown();

  /**
   * The place of a value in the text. The pointer is put together only when a fault needs it:
   * stored with each value, the pointers of a deep and wide text would take gigabytes.
   *
   * @param line line of the key, or of the value in a list, from 1
   */
  record Place(@Nullable Place parent, String segment, int line, int column) {

    public static final Place ROOT = new Place(null, "", 1, 1);

    /** The same place with another position. */
    Place at(int newLine, int newColumn) {
      return new Place(parent, segment, newLine, newColumn);
    }

    Place child(String key, int newLine, int newColumn) {
      return new Place(this, key, newLine, newColumn);
    }

    /** The place that a missing key would have. */
    public Place missing(String key) {
      return new Place(this, key, line, column);
    }

    public String pointer() {
      StringBuilder pointer = new StringBuilder();
      for (Place place = this; place.parent != null; place = place.parent) {
        pointer.insert(0, "/" + place.segment.replace("~", "~0").replace("/", "~1"));
      }
      return pointer.toString();
    }

    int depth() {
      int depth = 0;
      for (Place place = parent; place != null; place = place.parent) {
        depth++;
      }
      return depth;
    }
  }

  /** An object; the fields keep the order of the text. */
  record Struct(Place place, Map<String, TextNode> fields) implements TextNode {

    @Override
    public Map<String, @Nullable Object> value() {
      Map<String, @Nullable Object> values = LinkedHashMap.newLinkedHashMap(fields.size());
      fields.forEach((name, node) -> values.put(name, node.value()));
      return values;
    }

    @Override
    public String shown() {
      return fields.isEmpty() ? "an empty object" : Faults.shown(fields);
    }
  }

  /** A list. */
  record Sequence(Place place, List<TextNode> items) implements TextNode {

    @Override
    public List<@Nullable Object> value() {
      List<@Nullable Object> values = new ArrayList<>(items.size());
      items.forEach(node -> values.add(node.value()));
      return values;
    }

    @Override
    public String shown() {
      return items.isEmpty() ? "an empty list" : Faults.shown(items);
    }
  }

  /** A text, number, truth value or nothing. */
  record Scalar(Place place, @Nullable Object value) implements TextNode {

    @Override
    public String shown() {
      return Faults.shown(value);
    }
  }

  /** The value below this one that a relative pointer leads to, or the last one on the way. */
  default TextNode below(String pointer) {
    TextNode node = this;
    for (String part : pointer.split("/", -1)) {
      String key = part.replace("~1", "/").replace("~0", "~");
      TextNode next =
          switch (node) {
            case Struct struct -> struct.fields().get(key);
            case Sequence items ->
                items.items().stream()
                    .filter(item -> item.place().segment().equals(key))
                    .findFirst()
                    .orElse(null);
            case Scalar scalar -> null;
          };
      if (next == null) {
        return node;
      }
      node = next;
    }
    return node;
  }
}
