package dev.waymark.engine;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Lease;
import dev.waymark.core.step.Unit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The instances that this node is busy with. Waiting ones are not among them. */
final class Mailboxes {

  private final ConcurrentMap<InstanceId, Mailbox> open = new ConcurrentHashMap<>();
  private final Memory memory = new Memory();
  private final Node node;
  private volatile @Nullable CompletableFuture<Boolean> emptied;

  Mailboxes(Node node) {
    this.node = node;
  }

  void post(InstanceId instance, Stimulus stimulus) {
    while (!open.computeIfAbsent(instance, this::opened).offer(stimulus)) {
      // The mailbox was given up between the two calls; another one takes its place.
      Thread.onSpinWait();
    }
  }

  private Mailbox opened(InstanceId instance) {
    return new Mailbox(instance, node, memory.busy(instance));
  }

  /** Tells the mailbox, if there is one, what was committed without it; then acts on it. */
  void committedElsewhere(Unit unit) {
    Mailbox mailbox = open.get(unit.instance());
    if (mailbox == null) {
      var unused = memory.busy(unit.instance());
      node.aftermath().of(unit);
    } else {
      mailbox.committedElsewhere(unit);
    }
  }

  /**
   * Whether this node is busy with an instance of that tenant whose end is not committed yet, or
   * was so recently and it now waits for a child.
   */
  boolean isUnderWay(InstanceId instance, String tenant) {
    Mailbox mailbox = open.get(instance);
    return mailbox != null ? mailbox.isUnderWay(tenant) : memory.waitsForChild(instance, tenant);
  }

  /** Somebody has claimed a wait through this node. */
  void claimed(BookmarkId bookmark, Lease lease) {
    memory.claimed(bookmark, lease);
  }

  void bodyGone(InstanceId instance) {
    Mailbox mailbox = open.get(instance);
    if (mailbox != null) {
      mailbox.bodyGone();
    }
  }

  /**
   * @param last what it knew of its instance; absent if nothing
   */
  void forget(InstanceId instance, Mailbox mailbox, @Nullable Instance last) {
    if (last != null) {
      memory.idle(last);
    }
    open.remove(instance, mailbox);
    CompletableFuture<Boolean> waiting = emptied;
    if (waiting != null && open.isEmpty()) {
      waiting.complete(true);
    }
  }

  /** Completes when everything that was asked of this node is decided and committed. */
  CompletableFuture<Boolean> whenEmpty() {
    CompletableFuture<Boolean> future = new CompletableFuture<>();
    emptied = future;
    if (open.isEmpty()) {
      future.complete(true);
    }
    return future;
  }

  int size() {
    return open.size();
  }
}
