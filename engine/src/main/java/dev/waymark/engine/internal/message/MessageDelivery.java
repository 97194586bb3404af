package dev.waymark.engine.internal.message;

import dev.waymark.core.Ids;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Command;
import dev.waymark.engine.internal.row.RowKind;
import dev.waymark.engine.internal.row.RowReader;
import dev.waymark.engine.internal.step.EngineCommands;
import dev.waymark.engine.internal.step.PendingCommand;
import dev.waymark.engine.internal.step.PendingCommand.Outcome;
import dev.waymark.engine.internal.step.UnreadableRows;
import dev.waymark.engine.store.UnitRows.MessageRow;
import java.util.function.Consumer;

/**
 * Brings stored messages to where they are spent: a request for a child becomes its start, a
 * broadcast is handed out, and everything else is a command to its addressee.
 *
 * <p>To deliver a message twice does no harm: one step spends it, and the second delivery finds it
 * spent.
 */
public final class MessageDelivery {

  private final EngineCommands commands;
  private final RowReader reader;
  private final UnreadableRows unreadable;
  private final ChildStarts children;
  private final SignalFanOut signals;

  public MessageDelivery(
      EngineCommands commands,
      RowReader reader,
      UnreadableRows unreadable,
      ChildStarts children,
      SignalFanOut signals) {
    this.commands = commands;
    this.reader = reader;
    this.unreadable = unreadable;
    this.children = children;
    this.signals = signals;
  }

  SignalFanOut signals() {
    return signals;
  }

  void deliver(Message message) {
    deliver(message, outcome -> {});
  }

  /** A message that cannot be read is left, and does not keep others from being delivered. */
  void deliver(MessageRow row, Consumer<Outcome> ended) {
    Message message = unreadable.readOne(RowKind.MESSAGE, row, reader::message);
    if (message == null) {
      ended.accept(new Outcome(null, null));
    } else {
      deliver(message, ended);
    }
  }

  public void deliver(Message message, Consumer<Outcome> ended) {
    InstanceId addressee = message.addressee();
    if (addressee == null) {
      signals.add(message.key());
    } else if (message.name().equals(Message.START)) {
      children.start(addressee, message, ended);
    } else {
      Message.Key key = message.key();
      // Source and id may both be of full length; together they would be too long for a name.
      String name = "deliver:" + Long.toHexString(Ids.derivedLong(key.source(), key.id()));
      Command.Meta meta = commands.metaHere(key.tenant(), name);
      commands.post(addressee, PendingCommand.internal(new Command.Deliver(meta, message), ended));
    }
  }
}
