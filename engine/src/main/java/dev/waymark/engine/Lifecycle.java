package dev.waymark.engine;

import java.util.List;

/** The beginning and the end of an engine. */
final class Lifecycle {

  private final Node node;
  private final Workers workers;
  private final List<QueueReader> queues;
  private final FrontDesk desk;
  private final StoreCalls calls;
  private final Endings endings;
  private final boolean ownsScheduler;

  Lifecycle(
      Node node,
      Workers workers,
      List<QueueReader> queues,
      FrontDesk desk,
      StoreCalls calls,
      Endings endings,
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
    abandon();
    node.store().close();
  }

  /** Gives back what a start that failed has taken. The store is still its caller's. */
  void abandon() {
    queues.forEach(QueueReader::stop);
    workers.drain();
    if (ownsScheduler) {
      node.scheduler().close();
    }
    desk.close();
    calls.close();
    endings.close();
  }
}
