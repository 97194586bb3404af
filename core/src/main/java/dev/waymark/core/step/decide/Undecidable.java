package dev.waymark.core.step.decide;

import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.step.Attempt;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Decision.NoChange;
import dev.waymark.core.step.walk.PutOff;
import dev.waymark.core.step.walk.Walk;
import org.jspecify.annotations.Nullable;

/**
 * Parks the visit of a command of the engine's own whose step cannot be decided or stored. No
 * caller waits for its answer, and it would come again for ever, so the visit that it is about is
 * parked: an operator sees the fault, corrects the data that is too large or wrong, and has the
 * visit tried again.
 */
final class Undecidable {

  private Undecidable() {}

  static Decision park(Definition definition, Instance instance, Command.Park park) {
    Walk walk = Decider.walk(definition, instance, park);
    Bookmark wait = wait(walk, instance, park.culprit());
    ActivityInstance visit = visit(walk, wait, park.culprit());
    if (visit == null || !visit.isLive() || visit.state() == State.PARKED) {
      return new NoChange("The visit that it is about has moved on", instance.version());
    }
    walk.park(visit, park.fault());
    if (wait != null && walk.bookmarks().isOpen(wait)) {
      // Only a reaction's wait is left: it comes due again when the visit is tried again.
      ActivityInstance parked = walk.activity(visit.visit());
      PutOff.untilTriedAgain(walk, wait, parked == null ? visit : parked);
    }
    return walk.finish();
  }

  /** The wait that the command would have ended. */
  private static @Nullable Bookmark wait(Walk walk, Instance instance, Command culprit) {
    return switch (culprit) {
      case Command.Fire fire -> instance.bookmarks().get(fire.bookmark());
      case Command.Deliver deliver ->
          WaitDecisions.takers(walk, instance, deliver.message()).stream().findFirst().orElse(null);
      default -> null;
    };
  }

  private static @Nullable ActivityInstance visit(
      Walk walk, @Nullable Bookmark wait, Command culprit) {
    if (wait != null) {
      return walk.activity(wait.visit());
    }
    return culprit instanceof Attempt attempt ? walk.activity(attempt.visit()) : null;
  }
}
