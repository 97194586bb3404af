package dev.waymark.core.definition.read;

import dev.waymark.core.definition.Activity;
import dev.waymark.core.definition.ActivityType;
import dev.waymark.core.definition.text.TextNode;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An activity as far as it could be read. The checks of the graph work on drafts, so that they
 * report their faults even where another one keeps the activity from being complete.
 *
 * @param scope the activity around it; absent for an outermost one
 * @param type its type, or the type that a misspelt name is taken for; absent if the name is like
 *     none
 * @param vague whether it may lead elsewhere, too, because a part of it could not be understood
 * @param activity absent if it has a fault
 */
record DefinitionDraft(
    String id,
    @Nullable String scope,
    TextNode.Place place,
    @Nullable ActivityType type,
    Ways ways,
    boolean vague,
    @Nullable Activity activity) {

  /** One activity that may follow, and where the text says so. */
  record Way(String to, TextNode.Place place) {}

  /**
   * The activities that an activity leads to.
   *
   * @param next by its transitions
   * @param others by its type besides
   * @param errors by its reactions to errors
   * @param events by its reactions to what comes from outside, or with time
   * @param compensate to what undoes it
   * @param inside to the start of its block
   */
  record Ways(
      List<Way> next,
      List<Way> others,
      List<Way> errors,
      List<Way> events,
      @Nullable Way compensate,
      @Nullable Way inside) {

    static final Ways NONE = new Ways(List.of(), List.of(), List.of(), List.of(), null, null);

    /** All that lead to activities of the same scope. */
    Stream<Way> beside() {
      return Stream.of(
              next.stream(),
              others.stream(),
              errors.stream(),
              events.stream(),
              Stream.ofNullable(compensate))
          .flatMap(ways -> ways);
    }
  }

  /** True if it is of this type, or may be for all that could be read. */
  boolean isA(String typeName) {
    return type == null || type.name().equals(typeName);
  }

  boolean mayFork() {
    return type == null || type.forks();
  }
}
