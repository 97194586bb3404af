package dev.waymark.engine;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Step;
import dev.waymark.core.step.Unit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Steps of one instance on their way into the database together, and the commands behind them.
 *
 * <p>Commands that were refused on what these steps lead to wait with them: the refusal is final
 * once the steps are committed, and void if they are not.
 */
final class Flight {

  static final int MAX_STEPS = 100;

  private final List<Passenger> passengers = new ArrayList<>();
  private final List<Step> steps = new ArrayList<>();

  /** A command, and the decision that stands if the flight arrives. */
  record Passenger(Stimulus stimulus, Decision decision) {}

  void board(Stimulus stimulus, Decision decision) {
    passengers.add(new Passenger(stimulus, decision));
    if (decision instanceof Step step) {
      steps.add(step);
    }
  }

  boolean isFull() {
    return steps.size() >= MAX_STEPS
        || (!passengers.isEmpty() && passengers.get(passengers.size() - 1).stimulus().alone);
  }

  List<Passenger> passengers() {
    return passengers;
  }

  int steps() {
    return steps.size();
  }

  Unit unit() {
    return new Unit(steps);
  }

  /** Whether this flight carries a command of that name: its repeat must wait for it. */
  boolean carries(@Nullable String commandId) {
    return commandId != null
        && steps.stream().anyMatch(s -> s.command().meta().id().equals(commandId));
  }

  /** The one stimulus behind a flight of a single step. */
  Stimulus only() {
    return requireNonNull(
        passengers.stream()
            .filter(p -> p.decision() instanceof Step)
            .map(Passenger::stimulus)
            .findFirst()
            .orElse(null),
        "stimulus");
  }
}
