package dev.waymark.engine;

import dev.waymark.core.instance.Message;
import dev.waymark.engine.CrashPoints.Point;
import dev.waymark.engine.store.Correlations.Stored;
import dev.waymark.engine.store.UnitRows.MessageRow;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores messages that come from outside, as the committer writes steps: what comes while a write
 * is under way is written together in the next, and each sender hears when its own is durable.
 */
final class Reception {

  private static final Logger log = LoggerFactory.getLogger(Reception.class);
  private static final int BATCH = 200;
  private static final int WRITERS = 2;

  private final Node node;
  private final BiConsumer<Message, Stored> received;
  private final Deque<Waiting> queue = new ArrayDeque<>();
  private final Hands writers;

  private record Waiting(
      Message message, MessageRow row, CompletableFuture<Boolean> fresh, boolean alone) {

    Waiting byItself() {
      return new Waiting(message, row, fresh, true);
    }
  }

  /**
   * @param received told after a message is durable, and before its sender is
   */
  Reception(Node node, BiConsumer<Message, Stored> received) {
    this.node = node;
    this.received = received;
    this.writers = new Hands(node.scheduler(), "writer", WRITERS);
  }

  /** Completes when the message is durable: with false if it was so before. */
  CompletableFuture<Boolean> receive(Message message) {
    Waiting waiting =
        new Waiting(message, node.writer().message(message), new CompletableFuture<>(), false);
    Scheduler.Lane lane;
    synchronized (queue) {
      if (queue.size() >= node.settings().maxQueued()) {
        throw new Overloaded(
            "Expected at most %d messages to be stored, but there are more: try again later"
                .formatted(node.settings().maxQueued()));
      }
      queue.add(waiting);
      lane = writers.take(queue.size());
    }
    if (lane != null) {
      writers.work(lane, queue, this::take, this::write);
    }
    return waiting.fresh();
  }

  private void write(List<Waiting> batch) {
    List<Stored> stored;
    try {
      stored = node.store().correlations().receive(batch.stream().map(Waiting::row).toList());
    } catch (RuntimeException | Error e) {
      failed(batch, e);
      return;
    }
    node.crash().at(Point.I1_MESSAGE_STORED);
    for (int i = 0; i < batch.size(); i++) {
      deliver(batch.get(i).message(), stored.get(i));
      batch.get(i).fresh().complete(stored.get(i).fresh());
    }
  }

  // It is durable, and its sender is to hear so; the next full look brings it to who waits.
  private void deliver(Message message, Stored stored) {
    try {
      received.accept(message, stored);
    } catch (RuntimeException e) {
      log.warn("Message {} is stored, but could not be delivered now", message.key(), e);
    }
  }

  // One message that cannot be stored must not take the others with it: each is tried by itself.
  private void failed(List<Waiting> batch, Throwable why) {
    if (batch.size() == 1) {
      batch.get(0).fresh().completeExceptionally(why);
      return;
    }
    synchronized (queue) {
      batch.reversed().forEach(waiting -> queue.addFirst(waiting.byItself()));
    }
  }

  private List<Waiting> take() {
    List<Waiting> batch = new ArrayList<>();
    while (!queue.isEmpty() && batch.size() < BATCH) {
      if (queue.element().alone() && !batch.isEmpty()) {
        break;
      }
      Waiting next = queue.remove();
      batch.add(next);
      if (next.alone()) {
        break;
      }
    }
    return batch;
  }
}
