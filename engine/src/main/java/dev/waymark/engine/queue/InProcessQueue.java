package dev.waymark.engine.queue;

import dev.waymark.core.Json;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A queue inside this process: for tests and examples, and as the smallest thing that keeps the
 * promises of {@link MessageQueue}. It forgets everything when the process ends.
 */
public final class InProcessQueue implements MessageQueue {

  private final Map<String, Deque<Parcel>> queues = new HashMap<>();
  private final Map<String, Consumer<Delivery>> consumers = new HashMap<>();

  /** Puts a message into a queue and delivers it, if the queue has a listener. */
  public void publish(
      String queue,
      String id,
      Map<String, String> headers,
      Map<String, ? extends @Nullable Object> payload) {
    Parcel parcel = new Parcel(queue, id, Map.copyOf(headers), Json.given(payload));
    Consumer<Delivery> consumer;
    synchronized (queues) {
      queues.computeIfAbsent(queue, name -> new ArrayDeque<>()).add(parcel);
      consumer = consumers.get(queue);
    }
    if (consumer != null) {
      consumer.accept(parcel);
    }
  }

  @Override
  public AutoCloseable subscribe(String queue, Consumer<Delivery> consumer) {
    synchronized (queues) {
      if (consumers.putIfAbsent(queue, consumer) != null) {
        throw new IllegalStateException(
            "Expected one consumer of queue '%s', but there is one already".formatted(queue));
      }
    }
    redeliver(queue);
    return () -> {
      synchronized (queues) {
        consumers.remove(queue, consumer);
      }
    };
  }

  /** Delivers messages again that were not acknowledged, as a broker does after a while. */
  public void redeliver(String queue) {
    List<Parcel> left;
    Consumer<Delivery> consumer;
    synchronized (queues) {
      left = new ArrayList<>(queues.getOrDefault(queue, new ArrayDeque<>()));
      consumer = consumers.get(queue);
    }
    if (consumer != null) {
      left.forEach(consumer);
    }
  }

  /** The number of messages that are not acknowledged. */
  public int size(String queue) {
    synchronized (queues) {
      return queues.getOrDefault(queue, new ArrayDeque<>()).size();
    }
  }

  private final class Parcel implements Delivery {
    private final String queue;
    private final String id;
    private final Map<String, String> headers;
    private final Map<String, @Nullable Object> payload;

    Parcel(
        String queue,
        String id,
        Map<String, String> headers,
        Map<String, @Nullable Object> payload) {
      this.queue = queue;
      this.id = id;
      this.headers = headers;
      this.payload = payload;
    }

    @Override
    public String id() {
      return id;
    }

    @Override
    public Map<String, String> headers() {
      return headers;
    }

    @Override
    public Map<String, @Nullable Object> payload() {
      return payload;
    }

    @Override
    public void acknowledge() {
      synchronized (queues) {
        queues.getOrDefault(queue, new ArrayDeque<>()).remove(this);
      }
    }

    // It stays in the queue, and comes again with the next redelivery.
    @Override
    public void refuse() {}
  }
}
