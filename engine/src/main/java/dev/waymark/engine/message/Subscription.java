package dev.waymark.engine.message;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import java.util.function.Predicate;

/**
 * A listener inside the process. Events that it wants are written with the step that makes them,
 * and delivered at least once, in order for each instance.
 *
 * @param name durable: events wait under this name while no process listens
 * @param types which events it wants
 */
public record Subscription(String name, Predicate<String> types, Listener listener) {

  /** Gets one event; an exception means "again, later". */
  @FunctionalInterface
  public interface Listener {
    void on(Event event) throws Exception;
  }

  public Subscription {
    Limits.name("a subscription's name", name);
    requireNonNull(types, "types");
    requireNonNull(listener, "listener");
  }
}
