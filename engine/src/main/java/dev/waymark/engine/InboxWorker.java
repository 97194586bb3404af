package dev.waymark.engine;

import dev.waymark.core.Ids;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Command;
import dev.waymark.engine.CrashPoints.Point;
import dev.waymark.engine.store.UnitRows.MessageRow;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings messages and bookmarks together, after the commit of either.
 *
 * <p>Whoever has committed a message delivers it; whoever has committed a bookmark looks for
 * messages that wait. The later of the two commits sees the earlier, so one of them finds the pair.
 * A crash between commit and look is covered by a full look at start-up, after a node's death and
 * every now and then.
 */
final class InboxWorker {

  private static final Logger log = LoggerFactory.getLogger(InboxWorker.class);
  private static final int PAGE = 1_000;

  private final Node node;
  private final Repeat sweeping;
  private final Set<InstanceId> waiting = new HashSet<>();
  private boolean looking;

  InboxWorker(Node node) {
    this.node = node;
    sweeping = new Repeat(node.scheduler(), node.settings().inboxEvery(), this::sweep);
    node.aftermath().onMessageSent(this::deliver);
    node.aftermath().onAwaitsMessage(this::awaits);
  }

  void start() {
    sweeping.start();
    node.scheduler().execute(this::sweep);
  }

  void stop() {
    sweeping.stop();
  }

  /** Stores a message durably, then delivers it; false if it is a duplicate. */
  boolean receive(Message message) {
    boolean fresh = node.store().inbox().receive(node.writer().message(message));
    node.crash().at(Point.I1_MESSAGE_STORED);
    if (fresh) {
      deliver(message);
    } else {
      // What counts is what was stored the first time, whatever this delivery says.
      awaits(java.util.Objects.requireNonNull(message.addressee()));
    }
    return fresh;
  }

  private void deliver(Message message) {
    Message.Key key = message.key();
    // Source and id may both be of full length; together they would be too long for a name.
    String name = "deliver:" + Long.toHexString(Ids.derivedLong(key.source(), key.id()));
    node.post(
        java.util.Objects.requireNonNull(message.addressee()),
        Stimulus.internal(new Command.Deliver(node.metaHere(key.tenant(), name), message)));
  }

  /** An instance has begun to wait: instances that begin together are looked for together. */
  private void awaits(InstanceId instance) {
    synchronized (waiting) {
      waiting.add(instance);
      if (looking) {
        return;
      }
      looking = true;
    }
    node.scheduler().execute(this::look);
  }

  private void look() {
    while (true) {
      Set<InstanceId> batch;
      synchronized (waiting) {
        if (waiting.isEmpty()) {
          looking = false;
          return;
        }
        batch = Set.copyOf(waiting);
        waiting.clear();
      }
      try {
        deliverAll(node.store().inbox().waitingFor(batch, PAGE));
      } catch (RuntimeException e) {
        log.warn("Could not look for messages; trying again", e);
        synchronized (waiting) {
          waiting.addAll(batch);
        }
        node.scheduler().after(node.settings().pollEvery(), this::look);
        return;
      }
    }
  }

  private void deliverAll(List<MessageRow> messages) {
    messages.forEach(row -> deliver(node.reader().message(row)));
  }

  /** The full look. */
  void sweep() {
    try {
      deliverAll(node.store().inbox().matchable(PAGE));
    } catch (RuntimeException e) {
      log.warn("Could not look for waiting messages", e);
    }
  }
}
