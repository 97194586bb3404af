package dev.waymark.engine.queue;

import java.util.function.Consumer;

/**
 * A broker that messages come from, as the engine sees it.
 *
 * <p>It may deliver anything twice, in any order, and from threads of its own; a message that is
 * not acknowledged it must deliver again.
 */
public interface MessageQueue {

  /**
   * Begins to deliver the messages of a queue.
   *
   * @return stops it; messages that were delivered and not acknowledged are delivered again to
   *     other listeners
   */
  AutoCloseable subscribe(String queue, Consumer<Delivery> consumer);
}
