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
  private final CommandGateway gateway;
  private final StoreCalls calls;
  private final EndNotifier endNotifier;
  private final boolean ownsScheduler;

  Lifecycle(
      ThisNode node,
      BackgroundWork workers,
      List<QueueReader> queues,
      CommandGateway gateway,
      StoreCalls calls,
      EndNotifier endNotifier,
      boolean ownsScheduler) {
    this.node = node;
    this.workers = workers;
    this.queues = queues;
    this.gateway = gateway;
    this.calls = calls;
    this.endNotifier = endNotifier;
    this.ownsScheduler = ownsScheduler;
  }

  void start() {
    workers.start();
    queues.forEach(QueueReader::start);
  }

  void refuseIfClosed() {
    gateway.refuseIfClosed();
  }

  /** Closes the engine and the store. */
  void close() {
    try {
      abandon();
    } finally {
      node.store().close();
    }
  }

  /** Gives back the resources of a start that failed. The store still belongs to the caller. */
  void abandon() {
    queues.forEach(QueueReader::stop);
    try {
      workers.drain();
    } finally {
      if (ownsScheduler) {
        node.scheduler().close();
      }
      gateway.close();
      calls.close();
      endNotifier.close();
    }
  }
}
