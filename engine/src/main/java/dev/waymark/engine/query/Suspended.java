package dev.waymark.engine.query;

import dev.waymark.core.Limits;
import org.jspecify.annotations.Nullable;

/**
 * The conditions on suspended instances.
 *
 * @param parked true for those with an open intervention, which an operator may hold as well; false
 *     for those that are only held
 * @param activity where an intervention is open; absent for anywhere
 * @param error the code of the error that an intervention is about; absent for any
 */
public record Suspended(boolean parked, @Nullable String activity, @Nullable String error) {

  public Suspended {
    if (!parked && (activity != null || error != null)) {
      throw new IllegalArgumentException(
          "Expected an activity or an error of what is parked, but what is held has neither");
    }
    Limits.optionalName("an activity", activity);
    Limits.optionalName("an error code", error);
  }
}
