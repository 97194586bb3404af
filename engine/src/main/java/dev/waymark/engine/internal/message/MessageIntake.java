package dev.waymark.engine.internal.message;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.Overloaded;
import dev.waymark.engine.internal.node.BatchQueue;
import dev.waymark.engine.internal.node.Patience;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.payload.PayloadDoor;
import dev.waymark.engine.internal.row.RowWriter;
import dev.waymark.engine.spi.CrashPoints.Point;
import dev.waymark.engine.store.Correlations.Stored;
import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.UnitRows.MessageRow;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores messages that come from outside, as the committer writes steps: messages that come while a
 * write is under way are written together in the next, and each sender is told when its own message
 * is durable.
 */
public final class MessageIntake {

  private static final Logger log = LoggerFactory.getLogger(MessageIntake.class);
  private static final int BATCH = 200;
  private static final int WRITERS = 2;

  /** The time for which writing a message is tried while the database is away. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Duration PAUSE = Duration.ofMillis(100);

  private final ThisNode node;
  private final RowWriter writer;
  private final PayloadDoor payloads;
  private final BiConsumer<Message, Stored> received;
  private final BatchQueue<IncomingMessage> queue;
  private final MessageRepeats repeated;

  /** The number of messages that come back to the queue after a pause. */
  private final AtomicInteger later = new AtomicInteger();

  /**
   * A message on its way into the store.
   *
   * @param compared whether its sender chose its source and id, and so must be told if another
   *     message has them
   * @param alone whether it is written by itself, because a batch with it has failed
   * @param triedBefore whether a write has failed that may have stored it nevertheless
   * @param until the moment at which its sender is told of a fault of the world
   */
  private record IncomingMessage(
      Message message,
      MessageRow row,
      CompletableFuture<Boolean> fresh,
      boolean compared,
      boolean alone,
      boolean triedBefore,
      Instant until) {

    int size() {
      return row.payload() == null ? 0 : row.payload().length();
    }

    IncomingMessage byItself() {
      return new IncomingMessage(message, row, fresh, compared, true, triedBefore, until);
    }

    IncomingMessage again() {
      return new IncomingMessage(message, row, fresh, compared, alone, true, until);
    }
  }

  /**
   * @param received told after a message is durable, and before its sender is
   */
  public MessageIntake(
      ThisNode node,
      RowWriter writer,
      PayloadDoor payloads,
      MessageRepeats repeated,
      BiConsumer<Message, Stored> received) {
    this.node = node;
    this.writer = writer;
    this.payloads = payloads;
    this.received = received;
    this.repeated = repeated;
    this.queue =
        new BatchQueue<>(node.scheduler(), "writer", WRITERS, MessageIntake::take, this::write);
  }

  /**
   * Completes when the message is durable: with false if it was so before.
   *
   * @param compared whether it is refused if another message was stored under its source and id
   * @param patience the time in which the store is asked for the payloads that it names
   */
  CompletableFuture<Boolean> receive(Message message, boolean compared, Patience patience) {
    payloads.admit(message, patience);
    IncomingMessage waiting =
        new IncomingMessage(
            message,
            writer.message(message),
            new CompletableFuture<>(),
            compared,
            false,
            false,
            node.now().plus(PATIENCE));
    if (queue.size() + later.get() >= node.settings().maxQueued()) {
      throw new Overloaded(
          "Expected at most %d messages to be stored, but there are more: try again later"
              .formatted(node.settings().maxQueued()));
    }
    queue.add(waiting);
    return waiting.fresh();
  }

  private void write(List<IncomingMessage> batch) {
    List<Stored> stored;
    try {
      stored =
          node.store().correlations().receive(batch.stream().map(IncomingMessage::row).toList());
    } catch (RuntimeException | Error e) {
      failed(batch, e);
      return;
    }
    node.crash().at(Point.I1_MESSAGE_STORED);
    List<IncomingMessage> repeats = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      IncomingMessage waiting = batch.get(i);
      deliver(waiting.message(), stored.get(i));
      if (stored.get(i).fresh() || !(waiting.compared() || waiting.triedBefore())) {
        waiting.fresh().complete(stored.get(i).fresh());
      } else {
        repeats.add(waiting);
      }
    }
    if (!repeats.isEmpty()) {
      node.scheduler().execute(() -> compare(repeats));
    }
  }

  /** Source and id were used before: for the same message it is a repeat, for another a mistake. */
  private void compare(List<IncomingMessage> repeats) {
    Map<Message.Key, MessageRow> before = new HashMap<>();
    try {
      node.store()
          .correlations()
          .stored(repeats.stream().map(waiting -> waiting.row().key()).toList())
          .forEach(row -> before.put(row.key(), row));
    } catch (RuntimeException | Error e) {
      repeats.forEach(waiting -> waiting.fresh().completeExceptionally(e));
      return;
    }
    for (IncomingMessage waiting : repeats) {
      MessageRow first = before.get(waiting.row().key());
      CommandRefused refusal =
          first == null || !waiting.compared() ? null : repeated.refusal(first, waiting.message());
      if (refusal == null) {
        waiting.fresh().complete(first != null && isOurs(waiting, first));
      } else {
        waiting.fresh().completeExceptionally(refusal);
      }
    }
  }

  /** After a lost reply, the message that is found under these names may be this very one. */
  private static boolean isOurs(IncomingMessage waiting, MessageRow first) {
    return waiting.triedBefore()
        && first.received().equals(waiting.row().received().truncatedTo(ChronoUnit.MICROS));
  }

  // It is durable, and its sender must be told so; the next full look delivers it.
  private void deliver(Message message, Stored stored) {
    try {
      received.accept(message, stored);
    } catch (RuntimeException | Error e) {
      log.warn("Message {} is stored, but could not be delivered now", message.key(), e);
    }
  }

  // One message that cannot be stored, or not now, must not take the others with it: each is tried
  // by itself.
  private void failed(List<IncomingMessage> batch, Throwable why) {
    boolean passing = StoreException.isPassing(why);
    if (batch.size() > 1 && (!passing || StoreException.isOfHeldRow(why))) {
      queue.addFirst(batch.stream().map(IncomingMessage::byItself).toList());
    } else if (passing) {
      tryLater(batch, why);
    } else {
      batch.get(0).fresh().completeExceptionally(why);
    }
  }

  /** A message is stored once however often it is written, so a lost reply does no harm. */
  private void tryLater(List<IncomingMessage> batch, Throwable why) {
    Instant now = node.now();
    List<IncomingMessage> again = new ArrayList<>();
    for (IncomingMessage waiting : batch) {
      if (node.isDraining() || !now.isBefore(waiting.until())) {
        waiting.fresh().completeExceptionally(why);
      } else {
        again.add(waiting.again());
      }
    }
    if (!again.isEmpty()) {
      log.warn("Could not store {} messages; trying again", again.size(), why);
      later.addAndGet(again.size());
      node.scheduler().after(PAUSE, () -> comeBack(again));
    }
  }

  private void comeBack(List<IncomingMessage> messages) {
    later.addAndGet(-messages.size());
    queue.addAll(messages);
  }

  private static List<IncomingMessage> take(Deque<IncomingMessage> queued) {
    List<IncomingMessage> batch = new ArrayList<>();
    long bytes = 0;
    while (!queued.isEmpty() && batch.size() < BATCH) {
      bytes += queued.element().size();
      if (!batch.isEmpty() && (queued.element().alone() || bytes > Limits.BATCH_BYTES)) {
        break;
      }
      IncomingMessage next = queued.remove();
      batch.add(next);
      if (next.alone()) {
        break;
      }
    }
    return batch;
  }
}
