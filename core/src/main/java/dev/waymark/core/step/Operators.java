package dev.waymark.core.step;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Actor;
import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The people who look after runs: the roles that mark an operator, and the levels that resolve
 * interventions. The two levels are names of a role or of a group; either will do.
 *
 * @param roles an actor who has one of them may act on the work of others: assign it, hand it over,
 *     give it another due date
 * @param firstLevel the role or group that resolves interventions
 * @param higherLevel the role or group that an intervention goes to when it was not resolved in
 *     time, and that may always resolve it; absent, it stays with the first level
 * @param patience how long an intervention may lie before it goes to the higher level
 */
public record Operators(
    Set<String> roles, String firstLevel, @Nullable String higherLevel, Duration patience) {

  public static final Operators DEFAULT =
      new Operators(
          Set.of("operator", "workflow-admin", "senior-admin"),
          "workflow-admin",
          "senior-admin",
          Limits.INTERVENTION_TIME);

  public Operators {
    requireNonNull(firstLevel, "firstLevel");
    roles.forEach(role -> Limits.name("a role of operators", role));
    roles = Collections.unmodifiableSet(new TreeSet<>(roles));
    Limits.name("the first level of interventions", firstLevel);
    if (higherLevel != null) {
      Limits.name("the higher level of interventions", higherLevel);
      if (higherLevel.equals(firstLevel)) {
        throw new IllegalArgumentException(
            "Expected a higher level other than the first one, but both are '%s': leave it out if"
                    .formatted(firstLevel)
                + " there is none");
      }
    }
    if (patience.isNegative() || patience.isZero() || patience.compareTo(Limits.DURATION) > 0) {
      throw new IllegalArgumentException(
          "Expected more than 0 and at most %s for 'patience', but got %s"
              .formatted(Limits.DURATION, patience));
    }
  }

  public Operators withRoles(Set<String> others) {
    return new Operators(others, firstLevel, higherLevel, patience);
  }

  /** The same with other levels; without a higher one, interventions stay with the first. */
  public Operators withLevels(String first, @Nullable String higher) {
    return new Operators(roles, first, higher, patience);
  }

  public Operators withPatience(Duration another) {
    return new Operators(roles, firstLevel, higherLevel, another);
  }

  /** True if the actor is an operator. */
  public boolean include(Actor actor) {
    return !Collections.disjoint(roles, actor.roles());
  }

  /** True if the actor is of the higher level, above which there is no other. */
  public boolean isHighest(Actor actor) {
    return higherLevel != null && is(higherLevel, actor);
  }

  public boolean isFirst(Actor actor) {
    return is(firstLevel, actor);
  }

  private static boolean is(String level, Actor actor) {
    return actor.groups().contains(level) || actor.roles().contains(level);
  }
}
