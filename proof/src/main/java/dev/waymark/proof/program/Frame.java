package dev.waymark.proof.program;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The variables of one scope. A name that it does not declare means the scope further out. */
final class Frame {

  final Map<String, @Nullable Object> own = new HashMap<>();
  private final @Nullable Frame outer;

  Frame(@Nullable Frame outer) {
    this.outer = outer;
  }

  @Nullable Object get(String name) {
    return owner(name).own.get(name);
  }

  long number(String name) {
    return (Long) Objects.requireNonNull(get(name), name);
  }

  void set(String name, @Nullable Object value) {
    owner(name).own.put(name, value);
  }

  private Frame owner(String name) {
    Frame frame = this;
    while (frame.outer != null && !frame.own.containsKey(name)) {
      frame = frame.outer;
    }
    return frame;
  }
}
