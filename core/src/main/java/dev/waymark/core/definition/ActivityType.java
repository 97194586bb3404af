package dev.waymark.core.definition;

import dev.waymark.core.definition.text.Faults;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A type that a definition may name as {@code type:}. Built-in kinds are such types, and so are the
 * activities that an application registers: a definition is checked against exactly the types that
 * can run.
 */
public interface ActivityType {

  /** The inside of activities of a type. */
  enum Inside {
    /** A type without an inside. */
    NOTHING,
    /** Activities that run once. */
    BLOCK,
    /** Activities that run once for each item. */
    ITEMS
  }

  String name();

  /**
   * The JSON Schema of {@code with}; empty means that anything goes. Values are checked against it
   * on deploy as far as they stand in the text, and all of them when an activity is entered.
   *
   * <p>A {@code title} in it is the text that a fault gives as the expected form.
   */
  default Map<String, @Nullable Object> schema() {
    return Map.of();
  }

  /**
   * Reports the faults of the {@code with} block of an activity of this type that its schema cannot
   * express.
   */
  default void check(Map<String, @Nullable Object> with, Faults faults) {}

  /** Activities that this one leads to besides its {@code next}, read from its {@code with}. */
  default List<String> targets(Map<String, @Nullable Object> with) {
    return List.of();
  }

  /**
   * The places of due values in a {@code with}, as pointers without the first slash. A calendar
   * that one names must be one of the definition's.
   *
   * @see dev.waymark.core.time.Due
   */
  default List<String> dues(Map<String, @Nullable Object> with) {
    return List.of();
  }

  /** True if a run stands still here until something outside moves it: a cycle with it is safe. */
  default boolean waits() {
    return false;
  }

  /** True if nothing can follow: such an activity may not have a {@code next}. */
  default boolean ends() {
    return false;
  }

  /** True if it starts branches that a join can gather. */
  default boolean forks() {
    return false;
  }

  default Inside inside() {
    return Inside.NOTHING;
  }
}
