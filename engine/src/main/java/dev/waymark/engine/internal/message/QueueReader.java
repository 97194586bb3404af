package dev.waymark.engine.internal.message;

import dev.waymark.core.instance.Actor;
import dev.waymark.engine.Caller;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.message.Messages.Correlated;
import dev.waymark.engine.queue.Binding;
import dev.waymark.engine.queue.Delivery;
import dev.waymark.engine.queue.MessageQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns what one queue delivers into messages. A delivery is acknowledged when its message is
 * durable, so a crash in between brings it again, and then it is a duplicate.
 */
public final class QueueReader {

  private static final Logger log = LoggerFactory.getLogger(QueueReader.class);

  private final EngineMessages messages;
  private final MessageQueue queue;
  private final Binding binding;
  private final Caller caller;
  private @Nullable AutoCloseable subscription;

  public QueueReader(EngineMessages messages, MessageQueue queue, Binding binding) {
    this.messages = messages;
    this.queue = queue;
    this.binding = binding;
    this.caller = Caller.of(Actor.of("queue " + binding.queue()).in(binding.tenant()));
  }

  public void start() {
    subscription = queue.subscribe(binding.queue(), this::deliver);
  }

  public void stop() {
    try {
      if (subscription != null) {
        subscription.close();
      }
    } catch (Exception e) {
      log.warn("Could not stop listening to queue '{}'", binding.queue(), e);
    }
  }

  private void deliver(Delivery delivery) {
    try {
      if (!binding.wanted().test(delivery)) {
        delivery.acknowledge();
        return;
      }
      String key = binding.correlation().apply(delivery);
      if (key == null) {
        drop(
            delivery,
            "expected a correlation key, but there is none; its fields are "
                + delivery.payload().keySet());
        return;
      }
      store(delivery, key);
    } catch (RuntimeException e) {
      stored(delivery, e);
    }
  }

  private void store(Delivery delivery, String key) {
    CompletableFuture<Boolean> storing;
    try {
      String source = "queue:" + binding.queue();
      storing =
          messages.correlateAsync(
              Correlated.of(binding.message(), key, delivery.payload(), source, delivery.id()),
              caller);
    } catch (IllegalArgumentException e) {
      drop(delivery, e.getMessage());
      return;
    }
    var unused = storing.whenComplete((fresh, fault) -> stored(delivery, fault));
  }

  /** It will be no better next time, and must not keep others from being delivered. */
  private void drop(Delivery delivery, @Nullable String why) {
    log.error("Message {} of queue '{}' is dropped: {}", delivery.id(), binding.queue(), why);
    delivery.acknowledge();
  }

  private void stored(Delivery delivery, @Nullable Throwable fault) {
    Throwable cause = fault instanceof CompletionException ? fault.getCause() : fault;
    if (cause == null) {
      delivery.acknowledge();
    } else if (cause instanceof CommandRefused) {
      // Another message has its id, or it names a payload that is not stored: a redelivery would be
      // refused each time, and others wait behind it.
      drop(delivery, cause.getMessage());
    } else {
      log.warn("Message {} of queue '{}' is left", delivery.id(), binding.queue(), fault);
      delivery.refuse();
    }
  }
}
