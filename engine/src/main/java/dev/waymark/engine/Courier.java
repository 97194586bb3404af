package dev.waymark.engine;

import dev.waymark.core.Ids;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Command;
import dev.waymark.engine.Stimulus.Outcome;
import dev.waymark.engine.store.UnitRows.MessageRow;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Brings stored messages to where they are spent: a request for a child becomes its start, a
 * broadcast is handed out, and everything else is a command to its addressee.
 *
 * <p>Bringing a message twice does no harm. It is spent by one step, and whoever comes second finds
 * that out.
 */
final class Courier {

  private final Node node;
  private final Children children;
  private final Signals signals;

  /**
   * @param awaits who looks for waiting messages of an instance
   */
  Courier(Node node, BiConsumer<String, InstanceId> awaits) {
    this.node = node;
    this.children = new Children(node, this, awaits);
    this.signals = new Signals(node, this);
  }

  Signals signals() {
    return signals;
  }

  void deliver(Message message) {
    deliver(message, outcome -> {});
  }

  /** A message that cannot be read is left, and does not keep others from being delivered. */
  void deliver(MessageRow row, Consumer<Outcome> ended) {
    Message message = node.unreadable().readOne(RowKind.MESSAGE, row, node.reader()::message);
    if (message == null) {
      ended.accept(new Outcome(null, null));
    } else {
      deliver(message, ended);
    }
  }

  void deliver(Message message, Consumer<Outcome> ended) {
    InstanceId addressee = message.addressee();
    if (addressee == null) {
      signals.add(message.key());
    } else if (message.name().equals(Message.START)) {
      children.start(addressee, message, ended);
    } else {
      Message.Key key = message.key();
      // Source and id may both be of full length; together they would be too long for a name.
      String name = "deliver:" + Long.toHexString(Ids.derivedLong(key.source(), key.id()));
      Command.Meta meta = node.metaHere(key.tenant(), name);
      node.post(addressee, Stimulus.internal(new Command.Deliver(meta, message), ended));
    }
  }
}
