package dev.waymark.engine.internal.step;

import static dev.waymark.engine.internal.step.CommandState.BEHIND_UNIT;
import static dev.waymark.engine.internal.step.CommandState.READ;
import static dev.waymark.engine.internal.step.CommandState.READING;
import static dev.waymark.engine.internal.step.CommandState.UNREAD;
import static java.util.Objects.requireNonNull;

import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Step;
import dev.waymark.core.step.Unit;
import dev.waymark.engine.DeadlinePassed;
import dev.waymark.engine.Overloaded;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.spi.CrashPoints.Point;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.StoreException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running instance on this node: its commands are decided one after another.
 *
 * <p>It decides on the state that it last read or wrote, also while that is still on its way to the
 * database; a step so decided is checked by its version. A refusal is final only when it was
 * decided on state read after the command arrived, because another node may have moved the
 * instance.
 */
final class Mailbox {

  private static final Logger log = LoggerFactory.getLogger(Mailbox.class);
  private static final int MAX_QUEUED = 10_000;
  private static final Duration SHORT_OF_MEMORY = Duration.ofMillis(500);

  private final InstanceId id;
  private final Mailboxes mailboxes;
  private final ThisNode node;
  private final Deque<PendingCommand> queue = new ArrayDeque<>();
  private final InstanceTip tip;
  private boolean paused;
  private boolean closed;

  /**
   * @param last the state that this node remembers from the last time that it was busy with the
   *     instance; absent if it remembers none
   */
  Mailbox(InstanceId id, Mailboxes mailboxes, @Nullable Instance last) {
    this.id = id;
    this.mailboxes = mailboxes;
    this.node = mailboxes.node();
    this.tip = new InstanceTip(last);
  }

  /** Queues a command, unless this mailbox has just been given up. */
  synchronized boolean offer(PendingCommand pending) {
    if (closed) {
      return false;
    }
    if (pending.deadline != null && queue.size() >= MAX_QUEUED) {
      // Only callers are refused; the engine's own commands are bounded by the number of bodies and
      // waits.
      pending.left();
      pending.fails(new Overloaded("Instance " + id + " has too much to do: try again later"));
      return true;
    }
    queue.add(pending);
    if (pending.wantsRead()) {
      look(pending);
    }
    work();
    giveUpIfIdle();
    return true;
  }

  /** A step of this instance was committed outside of this mailbox, in a transaction of its own. */
  void committedElsewhere(Unit unit) {
    synchronized (this) {
      tip.committedElsewhere(unit.after());
      giveUpIfIdle();
    }
    mailboxes.after().begin(unit).run();
  }

  private void look(PendingCommand pending) {
    pending.reading(tip.committed());
    mailboxes.states().read(id, pending, new CommandRead(pending));
  }

  /** One reading of the state, for one command. */
  private final class CommandRead implements StateReader.ReadListener {

    private final PendingCommand pending;

    CommandRead(PendingCommand pending) {
      this.pending = pending;
    }

    @Override
    public void found(StateReader.ReadState state) {
      synchronized (Mailbox.this) {
        pending.read(state);
        tip.adopt(state.instance());
        work();
        giveUpIfIdle();
      }
    }

    @Override
    public void spent() {
      leave(pending);
      pending.stands(new Decision.NoChange("The message was received before", 0));
    }

    @Override
    public void failed(Throwable fault) {
      log.debug("Instance {}: {} is dropped", id, pending.command.meta().id(), fault);
      leave(pending);
      pending.fails(fault);
    }
  }

  private synchronized void leave(PendingCommand pending) {
    pending.left();
    queue.remove(pending);
    work();
    giveUpIfIdle();
  }

  private void work() {
    while (!queue.isEmpty() && !paused && !tip.isFull()) {
      PendingCommand pending = queue.element();
      if (pending.is(READING) || !isReady(pending)) {
        break;
      }
      queue.remove();
      decide(pending);
    }
    if (tip.underWay() == null && tip.next() != null && !paused) {
      commit(tip.nextGoes());
    }
  }

  /** True if the command can be decided now; if not, sees to it that it can be later. */
  private boolean isReady(PendingCommand pending) {
    boolean behind = pending.is(BEHIND_UNIT);
    if (isOnItsWay(pending) || (behind && tip.underWay() != null)) {
      return false;
    }
    if (behind || pending.is(UNREAD) || (!tip.isKnown() && !pending.needsNoRead())) {
      look(pending);
      return false;
    }
    return !(pending.isAlone() && tip.next() != null);
  }

  // A repeat of a command that is being committed must see its outcome, so it looks again after.
  private boolean isOnItsWay(PendingCommand pending) {
    String name = pending.command.meta().fingerprint() == null ? null : pending.command.meta().id();
    boolean carried = tip.carries(name);
    if (carried && pending.is(READ)) {
      pending.unread();
    }
    return carried;
  }

  private void decide(PendingCommand pending) {
    if (isLate(pending)) {
      pending.left();
      pending.fails(
          new DeadlinePassed("The command's deadline passed before it was decided", null));
      return;
    }
    Decision decision;
    node.crash().at(Point.P2_BEFORE_DECIDE);
    try {
      decision =
          pending.decide(
              mailboxes.definitions(),
              tip.state(),
              pending.prior(),
              mailboxes.asOfNow(pending.command));
    } catch (OutOfMemoryError e) {
      log.error(
          "Instance {}: no memory to decide {}; trying again", id, pending.command.meta().id());
      queue.addFirst(pending);
      pause(SHORT_OF_MEMORY);
      return;
    } catch (RuntimeException | Error e) {
      log.error("Instance {}: {} could not be decided", id, pending.command.meta().id(), e);
      pending.left();
      node.scheduler().execute(() -> unwritable(pending, failedBy(e)));
      return;
    }
    if (decision instanceof Step step) {
      if (tip.amendsNext(step)) {
        pending.goesAlone();
        queue.addFirst(pending);
        return;
      }
      tip.decided(pending, step);
    } else {
      refused(pending, decision);
    }
  }

  private boolean isLate(PendingCommand pending) {
    return pending.deadline != null && node.now().isAfter(pending.deadline);
  }

  private void refused(PendingCommand pending, Decision decision) {
    boolean unread = !pending.is(READ);
    PendingUnit next = tip.next();
    PendingUnit underWay = tip.underWay();
    if ((pending.isOfAWait() && unread) || isOlderThanItsRefusal(pending)) {
      lookAgain(pending);
    } else if (next != null) {
      next.add(pending, decision);
    } else if (underWay != null) {
      addOrWait(underWay, pending, decision);
    } else if (PendingUnit.isUnexplained(pending, decision)) {
      lookAgain(pending);
    } else if (!unread || pending.needsNoRead()) {
      pending.left();
      node.scheduler().execute(() -> pending.stands(decision));
    } else {
      queue.addFirst(pending);
      tip.doubt();
    }
  }

  // A version that its own look did not see yet may be the work of the same command, brought by
  // another node or in a caller's transaction. It looks again once per such version and no more:
  // a look that began on a version sees everything up to it.
  private boolean isOlderThanItsRefusal(PendingCommand pending) {
    return pending.command.meta().fingerprint() != null
        && pending.prior().command() == null
        && pending.knownFrom() < tip.committed();
  }

  // The steps on their way may have been committed before the command came, and another node may
  // have moved the instance since. Then the refusal is decided again, on a read after they are
  // committed.
  private void addOrWait(PendingUnit unit, PendingCommand pending, Decision decision) {
    if (pending.is(READ) && pending.seen() <= unit.unit().after().version()) {
      unit.add(pending, decision);
    } else {
      pending.behindUnit();
      queue.addFirst(pending);
    }
  }

  private static CommitResult failedBy(Throwable fault) {
    return CommitResult.failed(
        new StoreException(
            StoreException.Kind.PERMANENT, String.valueOf(fault.getMessage()), fault));
  }

  private void commit(PendingUnit ready) {
    if (ready.steps() == 0) {
      throw new IllegalStateException("Expected a unit with a step, but got none");
    }
    try {
      mailboxes.committer().submit(ready.unit(), result -> settled(ready, result));
    } catch (OutOfMemoryError e) {
      // The lack of memory passes, or this process ends: the steps are correct.
      log.error("Instance {}: no memory to put its steps into rows; trying again", id);
      node.scheduler()
          .after(SHORT_OF_MEMORY, () -> settled(ready, CommitResult.of(CommitResult.Outcome.BUSY)));
    } catch (RuntimeException | Error e) {
      // Errors too: the mailbox would wait for this unit for ever.
      log.error("Instance {}: its steps cannot be put into rows", id, e);
      node.scheduler().execute(() -> settled(ready, failedBy(e)));
    }
  }

  private void settled(PendingUnit arrived, CommitResult result) {
    Unit unit = arrived.unit();
    AfterCommitPort.@Nullable FollowUpWork work = null;
    List<PendingUnit.DecidedCommand> told = List.of();
    synchronized (this) {
      tip.arrived();
      switch (result.outcome()) {
        case COMMITTED -> {
          work = mailboxes.after().begin(unit);
          // Before the others look again: the state that they read could make an unexplained
          // refusal count as explained, and it would be told to its caller.
          told = arrived.explained();
          told.forEach(p -> p.pending().left());
          arrived.leftUnexplained().forEach(this::lookAgain);
        }
        case STALE, EXISTS, BUSY, NOT_SPENDABLE -> decideAgain(arrived);
        case NODE_NOT_ALIVE -> {
          decideAgain(arrived);
          pause(Duration.ofMillis(100));
          node.scheduler().execute(mailboxes.nodeLost());
        }
        case FAILED -> failed(arrived, result);
      }
      work();
      giveUpIfIdle();
    }
    if (result.outcome() == CommitResult.Outcome.COMMITTED) {
      told.forEach(p -> p.pending().stands(p.decision()));
      node.crash().at(Point.P10_BEFORE_EFFECTS);
      if (work != null) {
        work.run();
      }
    }
  }

  // The command was refused on state that was not read for it, or that has moved since. The store
  // knows the actor who closed the bookmark, or that the command itself was carried out.
  private void lookAgain(PendingCommand pending) {
    pending.unread();
    queue.addFirst(pending);
  }

  /** All commands that were decided on the void steps go back to the queue, in their order. */
  private void decideAgain(PendingUnit lost) {
    List<PendingCommand> again = new ArrayList<>();
    lost.decided().forEach(p -> again.add(p.pending()));
    if (tip.next() != null) {
      tip.next().decided().forEach(p -> again.add(p.pending()));
    }
    tip.forget();
    int most = 0;
    for (PendingCommand pending : again.reversed()) {
      pending.triedInVain();
      most = Math.max(most, pending.tries());
      queue.addFirst(pending);
    }
    if (most > 3) {
      pause(Duration.ofMillis(Math.min(most, 50)));
    }
  }

  private void failed(PendingUnit lost, CommitResult result) {
    if (lost.steps() > 1) {
      lost.decided().forEach(p -> p.pending().goesAlone());
      decideAgain(lost);
      return;
    }
    PendingCommand culprit = lost.only();
    decideAgain(lost);
    queue.remove(culprit);
    culprit.left();
    node.scheduler().execute(() -> unwritable(culprit, result));
  }

  private void unwritable(PendingCommand culprit, CommitResult result) {
    Throwable cause = requireNonNull(result.cause(), "cause");
    log.warn("Instance {}: {} cannot be stored", id, culprit.command.meta().id(), cause);
    Command instead = new UnstorableCommand(culprit.command, cause).instead(node.now());
    if (instead != null) {
      mailboxes.post(id, PendingCommand.internal(instead));
    }
    culprit.fails(cause);
  }

  private void pause(Duration pause) {
    paused = true;
    node.scheduler()
        .after(
            pause,
            () -> {
              synchronized (this) {
                paused = false;
                work();
                giveUpIfIdle();
              }
            });
  }

  /** A mailbox without work or bodies is forgotten: waiting costs nothing. */
  private void giveUpIfIdle() {
    boolean idle = queue.isEmpty() && tip.isCommitted() && !paused;
    if (idle && !mailboxes.after().keepsBusy(id)) {
      closed = true;
      mailboxes.forget(id, this, tip.isKnown() ? tip.state() : null);
    }
  }

  /** True if the instance is the tenant's and its end, if decided, is not committed yet. */
  synchronized boolean isUnderWay(String tenant) {
    return tip.isUnderWay(tenant);
  }

  /** A body of this instance has ended without a command following. */
  synchronized void bodyGone() {
    if (!closed) {
      giveUpIfIdle();
    }
  }
}
