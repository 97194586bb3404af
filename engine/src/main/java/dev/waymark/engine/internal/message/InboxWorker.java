package dev.waymark.engine.internal.message;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Step;
import dev.waymark.core.step.Unit;
import dev.waymark.engine.internal.node.CoalescingLookup;
import dev.waymark.engine.internal.node.RepeatingTask;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.node.Worker;
import dev.waymark.engine.internal.step.CommitListener;
import dev.waymark.engine.internal.step.DeployedDefinitions;
import dev.waymark.engine.store.Correlations.Stored;
import dev.waymark.engine.store.Inbox;
import dev.waymark.engine.store.Inbox.Place;
import dev.waymark.engine.store.UnitRows.MessageRow;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Brings messages and bookmarks together, after the commit of either.
 *
 * <p>The node that has committed a message delivers it; the node that has committed a bookmark
 * looks for waiting messages. The later of the two commits sees the earlier, so one of them finds
 * the pair. A crash between commit and look is covered by a full look at start-up, after a node's
 * death and every now and then.
 */
public final class InboxWorker implements Worker, CommitListener {

  /**
   * The moments to look for a caller's transaction that may be committed later, in polls. One that
   * was open for a minute is found a quarter of a minute after its commit at the latest; the full
   * look comes after the last of them.
   */
  private static final List<Integer> LATER_LOOKS =
      List.of(1, 5, 15, 30, 45, 60, 90, 120, 180, 240, 300, 420, 540);

  /**
   * The same for a statement that the server still carries out although its connection was lost.
   * These are full looks, which cost more.
   */
  private static final List<Integer> LATER_SWEEPS = List.of(1, 5, 25, 125);

  private static final Duration SECOND_THOUGHTS = Duration.ofMillis(10);

  private final ThisNode node;
  private final MessageDelivery delivery;
  private final InboxSweep sweep;
  private final RepeatingTask sweeping;
  private final MessageCorrelator correlator;
  private final CoalescingLookup<InstanceId> waiting;
  private final Map<InstanceId, String> children = new HashMap<>();

  public InboxWorker(
      ThisNode node, MessageDelivery delivery, MessageCorrelator correlator, InboxSweep sweep) {
    this.node = node;
    this.delivery = delivery;
    this.correlator = correlator;
    this.sweep = sweep;
    waiting = new CoalescingLookup<>(node, "messages", this::lookFor);
    sweeping = new RepeatingTask(node.scheduler(), node.settings().inboxEvery(), sweep::run);
  }

  @Override
  public void start() {
    sweeping.start();
    node.scheduler().execute(sweep::run);
  }

  /**
   * Messages that were kept may begin runs now. Once more a moment later: until then other nodes
   * may store messages and not know yet that they begin any.
   */
  public void startersChanged() {
    node.scheduler().execute(sweep::run);
    node.scheduler().after(DeployedDefinitions.NEWEST_FOR.multipliedBy(2), sweep::run);
  }

  @Override
  public void stop() {
    sweeping.stop();
  }

  /** The full look. */
  public void sweep() {
    sweep.run();
  }

  /** The full look, once more before this node leaves: others would not look for a long time. */
  public CompletableFuture<Boolean> lastLook() {
    return sweep.last();
  }

  /** A message is stored that came from outside. */
  public void received(Message message, Stored stored) {
    InstanceId target = stored.target();
    if (!stored.fresh()) {
      // The message that was stored the first time counts, not this delivery.
      lookFor(message);
    } else if (message.correlation() == null) {
      delivery.deliver(message);
    } else if (target == null) {
      correlator.stored(message.key());
    } else {
      correlator.deliver(message, target);
    }
  }

  private void lookFor(Message message) {
    if (message.correlation() != null) {
      correlator.stored(message.key());
    } else if (message.addressee() == null) {
      delivery.signals().add(message.key());
    } else {
      awaits(message.key().tenant(), message.addressee());
    }
  }

  /** An instance has begun to wait: instances that begin together are looked for together. */
  public void awaits(String tenant, InstanceId instance) {
    waiting.add(tenant, instance);
  }

  @Override
  public void committed(Unit unit) {
    unit.steps().forEach(this::committed);
    correlator.committed(unit);
  }

  private void committed(Step step) {
    String tenant = step.after().tenant();
    InstanceId instance = step.after().id();
    for (Bookmark wait : step.created()) {
      // The child that it waits for is asked for in the same step: it cannot have ended yet.
      if (wait.kind() == BookmarkKind.EXTERNAL_MESSAGE && !Message.isEnded(wait.key())) {
        awaits(tenant, instance);
        if (wait.terms().correlation() != null) {
          correlator.awaits(tenant, instance);
        }
      }
    }
    if (step.command() instanceof Command.Continue) {
      awaits(tenant, instance);
      correlator.awaits(tenant, instance);
    } else if (step.command() instanceof Command.Start start
        && start.request() != null
        && start.request().parent() != null) {
      startedAsChild(step.after());
    }
    step.sent().forEach(delivery::deliver);
  }

  @Override
  public void stored(Message message) {
    lookFor(message);
  }

  @Override
  public void joined(Message message) {
    lookSeveralTimes(LATER_LOOKS, () -> lookFor(message));
  }

  /**
   * A reply was lost, so messages may be committed that no node delivers. The full look is taken at
   * once and several times later: the server may carry out a statement long after the connection
   * was cut, and until then no look finds its messages.
   */
  @Override
  public void missed() {
    sweep.run();
    lookSeveralTimes(LATER_SWEEPS, sweep::run);
  }

  /**
   * A child has begun, and its parent may have cancelled it before it existed. That is rare, so the
   * messages of many children are looked for together, a moment later.
   */
  private void startedAsChild(Instance child) {
    synchronized (children) {
      children.put(child.id(), child.tenant());
      if (children.size() > 1) {
        return;
      }
    }
    node.scheduler().after(SECOND_THOUGHTS, this::lookForChildren);
  }

  private void lookForChildren() {
    Map<InstanceId, String> begun;
    synchronized (children) {
      begun = Map.copyOf(children);
      children.clear();
    }
    begun.forEach((child, tenant) -> awaits(tenant, child));
  }

  private CompletableFuture<Boolean> lookFor(Set<InstanceId> batch) {
    Inbox inbox = node.store().inbox();
    Pages<MessageRow> pages =
        Pages.behind(
            Place.START,
            after -> inbox.matchableOf(batch, after, Limits.MESSAGES_PER_PAGE),
            Place::of);
    return PagedLook.untilRead(
        node.scheduler(), pages, (row, ended) -> delivery.deliver(row, outcome -> ended.run()));
  }

  /**
   * Only the caller knows when the transaction commits in which this was written. Until it is found
   * it is looked for at growing distances; the full look comes last.
   */
  @Override
  public void joined(Unit unit) {
    boolean awaits =
        unit.created().stream().anyMatch(b -> b.kind() == BookmarkKind.EXTERNAL_MESSAGE);
    boolean ends = unit.after().status().isTerminal();
    if (!awaits && !ends && unit.sent().isEmpty()) {
      return;
    }
    lookSeveralTimes(
        LATER_LOOKS,
        () -> {
          unit.sent().forEach(this::lookFor);
          if (ends) {
            correlator.committed(unit);
          }
          if (awaits) {
            String tenant = unit.after().tenant();
            awaits(tenant, unit.instance());
            correlator.awaits(tenant, unit.instance());
          }
        });
  }

  private void lookSeveralTimes(List<Integer> moments, Runnable look) {
    for (int polls : moments) {
      node.scheduler().after(node.settings().pollEvery().multipliedBy(polls), look);
    }
  }
}
