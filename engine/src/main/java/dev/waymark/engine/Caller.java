package dev.waymark.engine;

import static dev.waymark.core.Arguments.given;
import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Actor;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The actor of a call, and the options of the call.
 *
 * @param commandId the caller's own name for this request: repeating it is safe and gives the first
 *     outcome
 * @param traceParent the W3C trace that this call belongs to
 * @param timeout how long the caller waits, at most {@link Limits#DURATION}; absent, the engine's
 *     setting
 */
public record Caller(
    Actor actor,
    @Nullable String commandId,
    @Nullable String traceParent,
    @Nullable Duration timeout) {

  public Caller {
    Limits.name("a caller's tenant", requireNonNull(actor, "actor").tenant());
    if (commandId != null) {
      Limits.name("a command id", commandId);
    }
    if (traceParent != null) {
      Limits.name("a trace parent", traceParent);
    }
    timeout = timeout == null ? null : Limits.patience(timeout);
  }

  public static Caller of(Actor actor) {
    given("actor", actor);
    return new Caller(actor, null, null, null);
  }

  public static Caller of(String actorId) {
    return of(Actor.of(actorId));
  }

  public Caller withCommandId(String id) {
    given("id", id);
    return new Caller(actor, id, traceParent, timeout);
  }

  public Caller withTraceParent(String trace) {
    given("trace", trace);
    return new Caller(actor, commandId, trace, timeout);
  }

  public Caller withTimeout(Duration atMost) {
    given("atMost", atMost);
    return new Caller(actor, commandId, traceParent, atMost);
  }
}
