package dev.waymark.engine.queue;

import java.util.function.Consumer;

/**
 * A broker that messages come from, as the engine sees it.
 *
 * <p>It may deliver anything twice, in any order, and from threads of its own; what is not
 * acknowledged it must deliver again.
 */
public interface MessageQueue {

  /**
   * Begins to deliver what is in a queue.
   *
   * @return stops it; what was delivered and not acknowledged is delivered again to others
   */
  AutoCloseable subscribe(String queue, Consumer<Delivery> consumer);
}
