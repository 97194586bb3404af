package dev.waymark.engine.internal.lifecycle;

import dev.waymark.engine.internal.message.QueueReader;
import dev.waymark.engine.internal.node.StoreCalls;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.request.CommandGateway;
import dev.waymark.engine.internal.request.EndNotifier;
import java.util.List;

/** The beginning and the end of an engine. */
final class Lifecycle {

  private final ThisNode node;
  private final BackgroundWork workers;
  private final List<QueueReader> queues;
  private final CommandGateway desk;
  private final StoreCalls calls;
  private final EndNotifier endings;
  private final boolean ownsScheduler;

  Lifecycle(
      ThisNode node,
      BackgroundWork workers,
      List<QueueReader> queues,
      CommandGateway desk,
      StoreCalls calls,
      EndNotifier endings,
      boolean ownsScheduler) {
    this.node = node;
    this.workers = workers;
    this.queues = queues;
    this.desk = desk;
    this.calls = calls;
    this.endings = endings;
    this.ownsScheduler = ownsScheduler;
  }

  void start() {
    workers.start();
    queues.forEach(QueueReader::start);
  }

  void refuseIfClosed() {
    desk.refuseIfClosed();
  }

  /** Also closes the store. */
  void close() {
    try {
      abandon();
    } finally {
      node.store().close();
    }
  }

  /** Gives back what a start that failed has taken. The store is still its caller's. */
  void abandon() {
    queues.forEach(QueueReader::stop);
    try {
      workers.drain();
    } finally {
      if (ownsScheduler) {
        node.scheduler().close();
      }
      desk.close();
      calls.close();
      endings.close();
    }
  }
}
