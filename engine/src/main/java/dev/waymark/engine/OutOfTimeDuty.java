package dev.waymark.engine;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.step.Command;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Closes waits that have expired, and sends up interventions that nobody has looked at. */
final class OutOfTimeDuty implements DueWorker.Duty {

  private static final int PAGE = 1_000;

  private final Node node;

  OutOfTimeDuty(Node node) {
    this.node = node;
  }

  @Override
  public boolean sweep(Runnable done) {
    List<BookmarkId> over = node.store().waits().outOfTime(PAGE);
    if (over.isEmpty()) {
      return false;
    }
    Page page = new Page(node.scheduler(), over.size(), done);
    for (BookmarkId wait : over) {
      Command.Meta meta = node.metaHere("default", "over:" + Long.toHexString(wait.tag()));
      node.post(wait.instance(), Stimulus.internal(new Command.Fire(meta, wait), page.one()));
    }
    return true;
  }

  @Override
  public @Nullable Instant next() {
    return node.store().waits().nextOutOfTime();
  }
}
