package dev.waymark.engine.store;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.store.UnitRows.MessageRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Signals on their way: messages without an addressee, which are handed out page by page to the
 * instances that wait for them.
 */
public interface Broadcasts {

  /**
   * One page of a broadcast, as it was committed.
   *
   * @param addressees the instances that got a message of their own, with the key {@link
   *     Message.Key#of}
   * @param finished whether the broadcast is spent: all instances that waited have been reached
   */
  record Handout(MessageRow broadcast, List<InstanceId> addressees, boolean finished) {

    public Handout {
      addressees = List.copyOf(addressees);
    }
  }

  /** Broadcasts that have not reached all waiting instances, the oldest first. */
  List<MessageRow> waiting(int limit);

  /**
   * Hands a broadcast to the next instances that wait for it, in one transaction: each gets a
   * message of its own, and the broadcast remembers how far it has come. Asked again after a crash
   * it goes on from there, so each instance gets it once.
   *
   * @param limit how many instances to hand it to
   * @return absent if it does not wait, or another node is just handing it out
   */
  @Nullable Handout handOut(Message.Key broadcast, int limit);
}
