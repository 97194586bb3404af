package dev.waymark.engine;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.step.Command;
import dev.waymark.engine.CrashPoints.Point;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Fires timers that have come due. Late is possible, early never: the store's clock decides. */
final class TimerDuty implements DueWorker.Duty {

  private static final int PAGE = 1_000;

  private final Node node;

  TimerDuty(Node node) {
    this.node = node;
  }

  @Override
  public boolean sweep(Runnable done) {
    List<BookmarkId> due = node.store().duties().dueTimers(PAGE);
    node.crash().at(Point.T1_TIMERS_FOUND);
    if (due.isEmpty()) {
      return false;
    }
    Page page = new Page(node.scheduler(), due.size(), done);
    for (BookmarkId timer : due) {
      Command.Meta meta = node.metaHere("default", "fire:" + Long.toHexString(timer.tag()));
      node.post(timer.instance(), Stimulus.internal(new Command.Fire(meta, timer), page.one()));
    }
    return true;
  }

  @Override
  public @Nullable Instant next() {
    return node.store().duties().nextTimer();
  }
}
