package dev.waymark.engine.queue;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Message;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The rule for the messages of one queue: which messages are wanted, the name under which runs wait
 * for them, and the place of their correlation key.
 *
 * @param tenant the tenant whose runs get them; a message cannot choose another
 * @param wanted the messages to hand on; others are acknowledged and dropped
 * @param correlation gives the correlation key; absent for a message that has none, which is
 *     acknowledged and dropped with an error in the log. Where this or {@code wanted} throws
 *     something, the message is left to the queue
 */
public record Binding(
    String queue,
    String tenant,
    String message,
    Predicate<Delivery> wanted,
    Function<Delivery, @Nullable String> correlation) {

  public Binding {
    Limits.name("a queue's name", queue);
    Limits.name("a tenant", tenant);
    Message.given(message);
    requireNonNull(wanted, "wanted");
    requireNonNull(correlation, "correlation");
  }

  /** All messages of a queue, correlated by a field of their payload. */
  public static Binding of(String queue, String tenant, String message, String field) {
    return new Binding(
        queue,
        tenant,
        message,
        delivery -> true,
        delivery -> {
          Object value = delivery.payload().get(field);
          return value == null ? null : String.valueOf(value);
        });
  }

  public Binding where(Predicate<Delivery> filter) {
    return new Binding(queue, tenant, message, wanted.and(filter), correlation);
  }
}
