package dev.waymark.engine.internal.message;

import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.internal.row.RowKind;
import dev.waymark.engine.internal.row.RowReader;
import dev.waymark.engine.internal.step.UnreadableRows;
import dev.waymark.engine.store.UnitRows.MessageRow;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tells a message that is sent again from another one under the same source and id. */
public final class MessageRepeats {

  private final RowReader reader;
  private final UnreadableRows unreadable;

  public MessageRepeats(RowReader reader, UnreadableRows unreadable) {
    this.reader = reader;
    this.unreadable = unreadable;
  }

  /**
   * The refusal of a message whose source and id were used before; absent if it is the same one.
   *
   * @param first the message that is stored under them
   */
  @Nullable CommandRefused refusal(MessageRow first, Message again) {
    return isSame(first, again) ? null : reused(first, again);
  }

  private boolean isSame(MessageRow first, Message again) {
    Message sent = unreadable.readOne(RowKind.MESSAGE, asSent(first), reader::message);
    return isNamedAlike(first, again)
        && (sent == null
            || (Objects.equals(sent.addressee(), again.addressee())
                && sent.payload().equals(again.payload())));
  }

  private static boolean isNamedAlike(MessageRow first, Message again) {
    return first.name().equals(again.name())
        && Objects.equals(first.correlation(), again.correlation());
  }

  /** The step that spends a correlated message writes into its row which instance received it. */
  private static MessageRow asSent(MessageRow row) {
    return row.correlation() == null
        ? row
        : new MessageRow(
            row.key(),
            null,
            row.name(),
            row.payload(),
            row.sender(),
            row.received(),
            row.correlation(),
            row.expires());
  }

  private static CommandRefused reused(MessageRow first, Message again) {
    return new CommandRefused(
        new Rejection(
            Rejection.Code.COMMAND_REUSED,
            "Expected source '%s' and id '%s' to be new or to bring the same message again, but %s was sent under them at %s, and this is %s"
                .formatted(
                    again.key().source(),
                    again.key().id(),
                    named(first.name(), first.correlation()),
                    first.received(),
                    isNamedAlike(first, again)
                        ? "the same with another body"
                        : named(again.name(), again.correlation())),
            List.of()));
  }

  private static String named(String name, @Nullable String correlation) {
    return correlation == null ? "'" + name + "'" : "'%s' for '%s'".formatted(name, correlation);
  }
}
