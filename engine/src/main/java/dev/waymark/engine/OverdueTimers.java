package dev.waymark.engine;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks whether timers wait longer than they should. Nothing happens to one that does: it fires as
 * soon as somebody gets to it. But somebody should know.
 */
final class OverdueTimers implements Worker {

  private static final Logger log = LoggerFactory.getLogger(OverdueTimers.class);

  private final Node node;
  private final Repeat repeat;

  OverdueTimers(Node node) {
    this.node = node;
    this.repeat = new Repeat(node.scheduler(), node.settings().auditEvery(), this::look);
  }

  @Override
  public void start() {
    repeat.start();
  }

  @Override
  public void stop() {
    repeat.stop();
  }

  private void look() {
    health().warning().ifPresent(log::warn);
  }

  TimerHealth health() {
    return TimerHealth.at(node.now(), node.store().duties().nextTimer());
  }
}
