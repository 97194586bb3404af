package dev.waymark.engine.internal.time;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.step.Command;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.row.RowKind;
import dev.waymark.engine.internal.step.CommandPage;
import dev.waymark.engine.internal.step.EngineCommands;
import dev.waymark.engine.internal.step.PendingCommand;
import dev.waymark.engine.internal.step.UnreadableRows;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Closes waits that have expired, and escalates interventions that were not resolved in time. */
public final class ExpiryDuty implements DueWorker.Duty {

  private static final int PAGE = 1_000;

  private final ThisNode node;
  private final EngineCommands commands;
  private final UnreadableRows unreadable;
  private final UnderWay<BookmarkId> underWay;

  public ExpiryDuty(ThisNode node, EngineCommands commands, UnreadableRows unreadable) {
    this.node = node;
    this.commands = commands;
    this.unreadable = unreadable;
    this.underWay = new UnderWay<>(node);
  }

  @Override
  public boolean sweep(CommandPage page) {
    int most = PAGE + underWay.count() + unreadable.aside(RowKind.DUE_WAIT);
    List<BookmarkId> over =
        node.store().waits().outOfTime(most).stream()
            .filter(wait -> unreadable.admits(RowKind.DUE_WAIT, wait) && underWay.begins(wait))
            .toList();
    if (over.isEmpty()) {
      return false;
    }
    Consumer<PendingCommand.Outcome> counted = page.outcomes(over.size());
    for (BookmarkId wait : over) {
      Command.Meta meta = commands.metaHere("over:" + Long.toHexString(wait.tag()));
      commands.post(
          wait.instance(),
          PendingCommand.internal(
              new Command.Fire(meta, wait),
              outcome -> {
                unreadable.heard(RowKind.DUE_WAIT, wait, outcome);
                underWay.ended(wait);
                counted.accept(outcome);
              }));
    }
    return true;
  }

  @Override
  public Duration patience() {
    return underWay.patience();
  }

  @Override
  public @Nullable Instant next() {
    return node.store().waits().nextOutOfTime();
  }
}
