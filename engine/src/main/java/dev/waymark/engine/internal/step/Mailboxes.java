package dev.waymark.engine.internal.step;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Lease;
import dev.waymark.core.instance.NodeId;
import dev.waymark.core.step.Attempt;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Operators;
import dev.waymark.core.step.StoredFacts;
import dev.waymark.core.step.Unit;
import dev.waymark.engine.internal.node.ThisNode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The instances that this node is busy with. Waiting ones are not among them. */
public final class Mailboxes {

  private final ConcurrentMap<InstanceId, Mailbox> open = new ConcurrentHashMap<>();
  private final InstanceCache cache = new InstanceCache();
  private final ThisNode node;
  private final StateReader states;
  private final DeployedDefinitions definitions;
  private final Operators operators;
  private final Committer committer;
  private final Runnable nodeLost;
  private @Nullable AfterCommitPort after;
  private volatile @Nullable CompletableFuture<Boolean> emptied;

  /**
   * @param nodeLost run when a commit says that this node was declared dead
   */
  public Mailboxes(
      ThisNode node,
      StateReader states,
      DeployedDefinitions definitions,
      Operators operators,
      Committer committer,
      Runnable nodeLost) {
    this.node = node;
    this.states = states;
    this.definitions = definitions;
    this.operators = operators;
    this.committer = committer;
    this.nodeLost = nodeLost;
  }

  /**
   * Says what follows a commit. Called once, before anything is posted: bodies send their results
   * to mailboxes, so one of the two has to know the other later.
   */
  public void connect(AfterCommitPort consequences) {
    after = consequences;
  }

  void post(InstanceId instance, PendingCommand pending) {
    node.scheduler().enter(() -> offer(instance, pending));
  }

  private void offer(InstanceId instance, PendingCommand pending) {
    while (!open.computeIfAbsent(instance, this::opened).offer(pending)) {
      // The mailbox was given up between the two calls; another one takes its place.
      Thread.onSpinWait();
    }
  }

  private Mailbox opened(InstanceId instance) {
    return new Mailbox(instance, this, cache.busy(instance));
  }

  /** The command as of this moment, to be run here if there is room. */
  public Command asOfNow(Command command) {
    return command.with(command.meta().at(node.now(), runner(command), operators));
  }

  /**
   * Decides a command outside of any mailbox; no node is named to run the bodies that it starts.
   */
  public Decision decideApart(
      PendingCommand pending, @Nullable Instance instance, StoredFacts prior) {
    Command command = pending.command;
    return pending.decide(
        definitions, instance, prior, command.with(command.meta().at(node.now(), null, operators)));
  }

  private @Nullable NodeId runner(Command command) {
    if (node.isDraining() || !after().hasRoom()) {
      return null;
    }
    // Step by step, a body runs only when a caller takes it.
    return node.settings().manual() && !(command instanceof Attempt.Take) ? null : node.id();
  }

  // ---- the surroundings of every mailbox

  ThisNode node() {
    return node;
  }

  StateReader states() {
    return states;
  }

  DeployedDefinitions definitions() {
    return definitions;
  }

  Committer committer() {
    return committer;
  }

  AfterCommitPort after() {
    return requireNonNull(after, "after");
  }

  Runnable nodeLost() {
    return nodeLost;
  }

  // ---- what others ask

  /**
   * Tells the mailbox, if there is one, of a unit that was committed without it; then starts what
   * follows the commit.
   */
  public void committedElsewhere(Unit unit) {
    Mailbox mailbox = open.get(unit.instance());
    if (mailbox == null) {
      var unused = cache.busy(unit.instance());
      after().begin(unit).run();
    } else {
      mailbox.committedElsewhere(unit);
    }
  }

  /**
   * True if this node is busy with an instance of that tenant whose end is not committed yet, or
   * was so recently and the instance now waits for a child.
   */
  public boolean isUnderWay(InstanceId instance, String tenant) {
    Mailbox mailbox = open.get(instance);
    return mailbox != null ? mailbox.isUnderWay(tenant) : cache.waitsForChild(instance, tenant);
  }

  /** A wait was claimed through this node. */
  public void claimed(BookmarkId bookmark, Lease lease) {
    cache.claimed(bookmark, lease);
  }

  public void bodyGone(InstanceId instance) {
    Mailbox mailbox = open.get(instance);
    if (mailbox != null) {
      mailbox.bodyGone();
    }
  }

  /**
   * @param last the state that the mailbox knew; absent if it knew none
   */
  void forget(InstanceId instance, Mailbox mailbox, @Nullable Instance last) {
    if (last != null) {
      cache.idle(last);
    }
    open.remove(instance, mailbox);
    CompletableFuture<Boolean> waiting = emptied;
    if (waiting != null && open.isEmpty()) {
      waiting.complete(true);
    }
  }

  /** Completes when everything that was asked of this node is decided and committed. */
  public CompletableFuture<Boolean> whenEmpty() {
    CompletableFuture<Boolean> future = new CompletableFuture<>();
    emptied = future;
    if (open.isEmpty()) {
      future.complete(true);
    }
    return future;
  }

  public int size() {
    return open.size();
  }
}
