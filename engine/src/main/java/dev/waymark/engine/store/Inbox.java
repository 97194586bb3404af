package dev.waymark.engine.store;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.store.UnitRows.MessageRow;
import java.util.Collection;
import java.util.List;

/** Messages that were received and are not yet spent. Matching happens after the commit. */
public interface Inbox {

  /**
   * Stores a message durably.
   *
   * @return whether it is new; false for a duplicate of the same tenant, source and id
   */
  boolean receive(MessageRow message);

  /** Whether this message is stored for that instance and not yet spent. */
  boolean isWaiting(Message.Key key, InstanceId addressee);

  /** Waiting messages of these instances, the oldest first. */
  List<MessageRow> waitingFor(Collection<InstanceId> instances, int limit);

  /**
   * The full look: waiting messages whose addressee has an open message bookmark of that name. What
   * it finds was left between a commit and its look by a crash.
   */
  List<MessageRow> matchable(int limit);
}
