package dev.waymark.core.definition;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An activity as far as it could be read. The checks of the graph work on drafts, so that they
 * report their faults even where another one keeps the activity from being complete.
 *
 * @param type what it is, or is meant to be; absent if nobody can tell
 * @param next where its transitions lead
 * @param others where its type leads to besides
 * @param vague whether it may lead elsewhere, too, because a part of it could not be understood
 * @param activity absent if it has a fault
 */
record Draft(
    String id,
    Node.Place place,
    @Nullable ActivityType type,
    List<Way> next,
    List<Way> others,
    boolean vague,
    @Nullable Activity activity) {

  /** One activity that may follow, and where the text says so. */
  record Way(String to, Node.Place place) {}

  Stream<Way> ways() {
    return Stream.concat(next.stream(), others.stream());
  }

  /** Whether it is of this type, or may be for all that could be read. */
  boolean isA(String typeName) {
    return type == null || type.name().equals(typeName);
  }
}
