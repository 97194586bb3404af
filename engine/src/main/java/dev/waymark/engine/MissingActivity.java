package dev.waymark.engine;

import dev.waymark.core.instance.InstanceId;
import java.util.List;

/**
 * A type that live runs need and that this process has no code for.
 *
 * @param instances how many runs are on that version; not all of them need come to the activity
 * @param first some of them
 */
public record MissingActivity(
    String definition, int version, String type, long instances, List<InstanceId> first) {

  @Override
  public String toString() {
    return "Expected an implementation of '%s', which %s v%d needs for %,d live instances, but none is registered here (first: %s)"
        .formatted(type, definition, version, instances, first);
  }
}
