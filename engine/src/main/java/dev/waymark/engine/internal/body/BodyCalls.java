package dev.waymark.engine.internal.body;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.step.Command;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.payload.EnginePayloads;
import dev.waymark.engine.internal.step.EngineCommands;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls the code that is registered for an activity, inside a transaction if it asks for one. */
public final class BodyCalls {

  private final ThisNode node;
  private final EngineCommands commands;
  private final ActivityRegistry activities;
  private final TransactionalBodies transactional;
  private final UnknownVisits unknown;
  private final EnginePayloads payloads;

  public BodyCalls(
      ThisNode node,
      EngineCommands commands,
      ActivityRegistry activities,
      TransactionalBodies transactional,
      UnknownVisits unknown,
      EnginePayloads payloads) {
    this.node = node;
    this.commands = commands;
    this.activities = activities;
    this.transactional = transactional;
    this.unknown = unknown;
    this.payloads = payloads;
  }

  /** The code for activities of this type; absent if this process has none. */
  ActivityRegistry.@Nullable RegisteredActivity find(String type) {
    return activities.find(type);
  }

  /**
   * A call that has not begun.
   *
   * @param begins run when it begins; gives the moment at which its time is over
   */
  BodyCall of(
      Instance instance, ActivityInstance visit, Definition definition, Supplier<Instant> begins) {
    return new BodyCall(node, commands, payloads, instance, visit, definition, begins);
  }

  /**
   * Calls the activity and reports its end as a command, unless that no longer counts.
   *
   * @param mayEnd asked once, when the body has returned: whether its result still counts
   */
  void run(BodyCall call, BooleanSupplier mayEnd, Consumer<Command> counted) {
    Consumer<Command> ended =
        command -> {
          call.report();
          counted.accept(command);
        };
    ActivityRegistry.RegisteredActivity entry = activities.find(call.type());
    if (entry == null) {
      if (mayEnd.getAsBoolean()) {
        ended.accept(call.unknown(unknown));
      }
    } else if (entry.transactional() != null) {
      transactional.run(call, entry.transactional(), mayEnd, ended);
    } else {
      Command command = call.call(requireNonNull(entry.activity(), "activity"));
      if (mayEnd.getAsBoolean()) {
        ended.accept(command);
      }
    }
  }
}
