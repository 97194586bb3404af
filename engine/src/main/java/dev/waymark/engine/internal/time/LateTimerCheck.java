package dev.waymark.engine.internal.time;

import dev.waymark.engine.bookmark.TimerHealth;
import dev.waymark.engine.internal.node.RepeatingTask;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.node.Worker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for timers that are overdue. It changes nothing about them: each fires as soon as a node
 * gets to it. But the operator should know.
 */
public final class LateTimerCheck implements Worker {

  private static final Logger log = LoggerFactory.getLogger(LateTimerCheck.class);

  private final ThisNode node;
  private final RepeatingTask repeat;

  public LateTimerCheck(ThisNode node) {
    this.node = node;
    this.repeat = new RepeatingTask(node.scheduler(), node.settings().auditEvery(), this::look);
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

  public TimerHealth health() {
    return TimerHealth.at(node.now(), node.store().duties().nextTimer());
  }
}
