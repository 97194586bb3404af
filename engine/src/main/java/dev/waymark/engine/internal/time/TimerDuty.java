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
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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

  private final UnderWay<BookmarkId> underWay;

  public TimerDuty(ThisNode node, EngineCommands commands, UnreadableRows unreadable) {
    this.node = node;
    this.commands = commands;
    this.unreadable = unreadable;
    this.underWay = new UnderWay<>(node);
  }

  @Override
  public boolean sweep(CommandPage page) {
    List<BookmarkId> found =
        node.store()
            .duties()
            .dueTimers(PAGE + underWay.count() + unreadable.aside(RowKind.DUE_WAIT));
    node.crash().at(Point.T1_TIMERS_FOUND);
    List<BookmarkId> due = admitted(found);
    if (due.isEmpty()) {
      return false;
    }
    int rest = due.size() < PAGE ? 0 : PAGE / 2;
    Consumer<PendingCommand.Outcome> counted = page.outcomes(due.size(), rest);
    due.forEach(timer -> post(timer, counted));
    return true;
  }

  /** Fires timers that are due without asking for them. */
  void fire(List<BookmarkId> known) {
    if (!known.isEmpty()) {
      node.crash().at(Point.T1_TIMERS_FOUND);
      admitted(known).forEach(timer -> post(timer, outcome -> {}));
    }
  }

  private List<BookmarkId> admitted(List<BookmarkId> due) {
    return due.stream()
        .filter(timer -> unreadable.admits(RowKind.DUE_WAIT, timer) && underWay.begins(timer))
        .toList();
  }

  private void post(BookmarkId timer, Consumer<PendingCommand.Outcome> counted) {
    Command.Meta meta = commands.metaHere("fire:" + Long.toHexString(timer.tag()));
    commands.post(
        timer.instance(),
        PendingCommand.internal(
            new Command.Fire(meta, timer),
            outcome -> {
              unreadable.heard(RowKind.DUE_WAIT, timer, outcome);
              underWay.ended(timer);
              counted.accept(outcome);
            }));
  }

  @Override
  public Duration patience() {
    return underWay.patience();
  }

  @Override
  public @Nullable Instant next() {
    return node.store().duties().nextTimer();
  }

  @Override
  public @Nullable Instant nextAfter(Instant moment) {
    return node.store().duties().nextTimer(moment);
  }
}
