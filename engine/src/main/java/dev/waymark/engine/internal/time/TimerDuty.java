package dev.waymark.engine.internal.time;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.step.Command;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.row.RowKind;
import dev.waymark.engine.internal.step.CommandPage;
import dev.waymark.engine.internal.step.EngineCommands;
import dev.waymark.engine.internal.step.PendingCommand;
import dev.waymark.engine.internal.step.UnreadableRows;
import dev.waymark.engine.spi.CrashPoints.Point;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Fires timers that have come due. Late is possible, early never: the store's clock decides.
 *
 * <p>Where there may be more than a page, the next one is looked for when half of the last is done:
 * else the committers would have nothing to write while timers are found and loaded.
 */
public final class TimerDuty implements DueWorker.Duty {

  private static final int PAGE = 1_000;

  private final ThisNode node;
  private final EngineCommands commands;
  private final UnreadableRows unreadable;

  /**
   * Fired at that moment and not committed yet: a search still finds them. One without an outcome
   * is fired again when its page has run out of patience; the store refuses the second.
   */
  private final Map<BookmarkId, Instant> flying = new ConcurrentHashMap<>();

  private @Nullable CommandPage whenLanded;

  public TimerDuty(ThisNode node, EngineCommands commands, UnreadableRows unreadable) {
    this.node = node;
    this.commands = commands;
    this.unreadable = unreadable;
  }

  @Override
  public boolean sweep(CommandPage page) {
    List<BookmarkId> found =
        node.store().duties().dueTimers(PAGE + flying.size() + unreadable.aside(RowKind.DUE_WAIT));
    node.crash().at(Point.T1_TIMERS_FOUND);
    List<BookmarkId> due =
        found.stream()
            .filter(timer -> unreadable.admits(RowKind.DUE_WAIT, timer) && takesOff(timer))
            .toList();
    if (due.isEmpty()) {
      return awaitLanding(page);
    }
    int rest = due.size() < PAGE ? 0 : PAGE / 2;
    Consumer<PendingCommand.Outcome> counted = page.outcomes(due.size(), rest);
    for (BookmarkId timer : due) {
      Command.Meta meta = commands.metaHere("fire:" + Long.toHexString(timer.tag()));
      commands.post(
          timer.instance(),
          PendingCommand.internal(
              new Command.Fire(meta, timer),
              outcome -> {
                unreadable.heard(RowKind.DUE_WAIT, timer, outcome);
                landed(timer);
                counted.accept(outcome);
              }));
    }
    return true;
  }

  private boolean takesOff(BookmarkId timer) {
    Instant now = node.now();
    Instant since = flying.putIfAbsent(timer, now);
    return since == null
        || (since.plus(CommandPage.PATIENCE).isBefore(now) && flying.replace(timer, since, now));
  }

  /** Nothing new; but what is under way may come to nothing, and is to be looked at again then. */
  private synchronized boolean awaitLanding(CommandPage page) {
    if (flying.isEmpty()) {
      return false;
    }
    whenLanded = page;
    return true;
  }

  private void landed(BookmarkId timer) {
    CommandPage page = null;
    synchronized (this) {
      flying.remove(timer);
      if (flying.isEmpty()) {
        page = whenLanded;
        whenLanded = null;
      }
    }
    if (page != null) {
      page.end();
    }
  }

  @Override
  public @Nullable Instant next() {
    return node.store().duties().nextTimer();
  }
}
