package dev.waymark.engine.internal.message;

import dev.waymark.core.instance.Message;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.payload.PayloadDoor;
import dev.waymark.engine.internal.row.RowWriter;
import dev.waymark.engine.store.UnitRows.MessageRow;
import java.sql.Connection;

/** Stores messages in a transaction of the caller's. */
public final class JoinedMessages {

  private final ThisNode node;
  private final RowWriter writer;
  private final PayloadDoor payloads;
  private final MessageRepeats repeated;

  public JoinedMessages(
      ThisNode node, RowWriter writer, PayloadDoor payloads, MessageRepeats repeated) {
    this.node = node;
    this.writer = writer;
    this.payloads = payloads;
    this.repeated = repeated;
  }

  /**
   * Stores a message; it is there once the caller commits.
   *
   * @return false if it was stored before
   * @throws CommandRefused if another message was stored under the same source and id, or if it
   *     names a payload that is not stored
   */
  public boolean store(Connection connection, Message message) {
    String tenant = message.key().tenant();
    payloads.admit(
        message,
        (hashes, until) -> node.store().payloads().keepOn(connection, tenant, hashes, until));
    boolean fresh = node.store().inbox().receiveOn(connection, writer.message(message));
    if (!fresh) {
      refuseAnother(connection, message);
    }
    return fresh;
  }

  // The first one may have been stored in this very transaction, where no other connection sees it.
  private void refuseAnother(Connection connection, Message again) {
    MessageRow first = node.store().correlations().storedOn(connection, again.key());
    CommandRefused refusal = first == null ? null : repeated.refusal(first, again);
    if (refusal != null) {
      throw refusal;
    }
  }
}
