package dev.waymark.engine.internal.step;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.step.Attempt;
import dev.waymark.core.step.Command;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A command whose step cannot be decided, or whose rows the database refuses. A body's result
 * becomes the body's failure. Another command of the engine's own parks the visit that it is about,
 * or it would come again for ever. A caller hears the fault, and nothing has changed.
 *
 * @param cause why its step cannot be decided or stored
 */
record UnstorableCommand(Command command, Throwable cause) {

  /** The command that takes its place; absent for a caller's. */
  @Nullable Command instead(Instant now) {
    Fault fault =
        Fault.permanent(
            Fault.NOT_STORABLE,
            "What follows '%s' cannot be stored: %s".formatted(command.word(), cause.getMessage()));
    Command.Meta meta =
        new Command.Meta(command.meta().id() + "/refused", Actor.ENGINE, now, null, null, null);
    return switch (command) {
      case Attempt.Complete c ->
          new Attempt.Fail(meta, c.visit(), c.attempt(), fault, c.duration());
      case Attempt.Await a -> new Attempt.Fail(meta, a.visit(), a.attempt(), fault, a.duration());
      case Attempt other -> new Command.Park(meta, other, fault);
      case Command.Fire fire -> new Command.Park(meta, fire, fault);
      case Command.Deliver deliver -> new Command.Park(meta, deliver, fault);
      default -> null;
    };
  }
}
