package dev.waymark.engine;

import dev.waymark.core.instance.Message;
import dev.waymark.engine.store.UnitRows.MessageRow;
import java.sql.Connection;
import java.util.List;

/** Stores messages in a transaction of the caller's. */
final class JoinedMessages {

  private final Node node;
  private final RowWriter writer;
  private final MessageRepeats repeated;

  JoinedMessages(Node node, RowWriter writer, MessageRepeats repeated) {
    this.node = node;
    this.writer = writer;
    this.repeated = repeated;
  }

  /**
   * Stores a message; it is there once the caller commits.
   *
   * @return false if it was stored before
   * @throws CommandRefused if another message was stored under the same source and id
   */
  boolean store(Connection connection, Message message) {
    boolean fresh = node.store().inbox().receiveOn(connection, writer.message(message));
    if (!fresh) {
      refuseAnother(message);
    }
    return fresh;
  }

  private void refuseAnother(Message again) {
    for (MessageRow first : node.store().correlations().stored(List.of(again.key()))) {
      CommandRefused refusal = repeated.refusal(first, again);
      if (refusal != null) {
        throw refusal;
      }
    }
  }
}
