package dev.waymark.core.step.decide;

import static dev.waymark.core.step.Decision.Rejection.Code.COMMAND_REUSED;
import static dev.waymark.core.step.Decision.Rejection.Code.NOT_FOUND;

import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.step.Attempt;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Decision.NoChange;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.StoredFacts;
import dev.waymark.core.step.kind.Kinds;
import dev.waymark.core.step.walk.Walk;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides the effect of a command on an instance. A total, pure function: no clock, no I/O, no
 * random number, no log. Deciding twice on the same state gives the same step with the same ids.
 *
 * <p>A decision changes nothing by itself: the step counts once the store has committed it on the
 * version that it stands on.
 */
public final class Decider {

  private Decider() {}

  /**
   * Decides the effect of the command on this state.
   *
   * @param instance the state to decide on; absent if the instance does not exist
   * @param prior the facts that the store has about the command, read with the instance
   */
  public static Decision decide(
      Definition definition, @Nullable Instance instance, StoredFacts prior, Command command) {
    if (prior.command() != null) {
      return repeated(prior.command(), command);
    }
    if (command instanceof Command.Start start) {
      Decision decision = StartDecisions.start(definition, instance, prior, start);
      assert Transitions.areKnown(null, decision);
      return decision;
    }
    // To a tenant, the instances of another do not exist.
    if (instance == null || !command.meta().actor().reaches(instance.tenant())) {
      return decideWithoutInstance(prior, command);
    }
    Decision decision = move(definition, instance, prior, command);
    assert Transitions.areKnown(instance, decision);
    return decision;
  }

  private static Decision move(
      Definition definition, Instance instance, StoredFacts prior, Command command) {
    return switch (command) {
      case Command.Start start -> StartDecisions.start(definition, instance, prior, start);
      case Attempt attempt -> Attempts.decide(definition, instance, attempt);
      case Command.Resume resume -> WaitDecisions.resume(definition, instance, prior, resume);
      case Command.Attend attend -> TaskDecisions.attend(definition, instance, prior, attend);
      case Command.Fire fire -> WaitDecisions.fire(definition, instance, fire);
      case Command.Deliver deliver -> WaitDecisions.deliver(definition, instance, deliver);
      case Command.Park park -> Undecidable.park(definition, instance, park);
      case Command.Cancel cancel -> Interventions.cancel(definition, instance, cancel);
      case Command.Suspend suspend -> Interventions.suspend(definition, instance, suspend);
      case Command.Continue go -> Interventions.letGo(definition, instance, go);
      case Command.Intervene intervene ->
          Interventions.intervene(definition, instance, prior, intervene);
      case Command.Edit edit -> Edits.edit(definition, instance, edit);
      case Command.Migrate migrate -> InstanceMigration.migrate(definition, instance, migrate);
    };
  }

  /** Begins a walk on this state. Only the classes that decide commands begin one. */
  static Walk walk(Definition definition, Instance before, Command command) {
    return new Walk(Kinds::of, definition, before, command);
  }

  /** Decides on a command, other than a start, whose instance does not exist. */
  public static Decision decideWithoutInstance(StoredFacts prior, Command command) {
    return prior.command() != null
        ? repeated(prior.command(), command)
        : Rejection.of(NOT_FOUND, "Expected an instance, but there is none with this id");
  }

  private static Decision repeated(StoredFacts.CommandRecord earlier, Command command) {
    if (earlier.fingerprint().equals(command.meta().fingerprint())) {
      return new NoChange("This command was already carried out", earlier.version());
    }
    return Rejection.of(
        COMMAND_REUSED,
        "Expected a new command id, but '%s' was already used for another request, on instance %s"
            .formatted(earlier.id(), earlier.instance()));
  }

  /** The reason why a run cannot begin with this data; absent if it can. */
  public static @Nullable Rejection refusal(
      Definition definition, Map<String, @Nullable Object> input) {
    return StartDecisions.refusal(definition, input);
  }
}
