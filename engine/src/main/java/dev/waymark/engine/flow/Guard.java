package dev.waymark.engine.flow;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The conditions on the actor that answers a wait, and on the answer. All that is said must hold.
 */
public final class Guard {

  static final Guard NONE = new Guard(Map.of());

  final Map<String, @Nullable Object> fields;

  private Guard(Map<String, @Nullable Object> fields) {
    this.fields = fields;
  }

  /** The actor has one of these roles. */
  public Guard roles(String... anyOf) {
    return put("roles", List.of(anyOf));
  }

  /** The actor is in one of these groups. */
  public Guard groups(String... anyOf) {
    return put("groups", List.of(anyOf));
  }

  /** A condition in CEL; the answer is its {@code Output}. */
  public Guard condition(String cel) {
    return put("when", cel);
  }

  /** The text that a refused caller is told about the condition. */
  public Guard message(String text) {
    return put("message", text);
  }

  /** The JSON Schema of the answer, or of a body's result. */
  public Guard result(Map<String, ? extends @Nullable Object> schema) {
    return put("result", schema);
  }

  private Guard put(String field, @Nullable Object value) {
    return new Guard(PlainData.plus(fields, field, value));
  }
}
