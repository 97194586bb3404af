package dev.waymark.engine.internal.step;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.instance.Instance;
import dev.waymark.core.step.Step;
import org.jspecify.annotations.Nullable;

/**
 * The state of an instance as its mailbox knows it, with all steps that are decided: those of the
 * unit under way, which a committer has, and those of the next unit, which still grows. Guarded by
 * the mailbox.
 */
final class InstanceTip {

  /** The instance as it will be once everything decided is committed; meaningful if known. */
  private @Nullable Instance state;

  private boolean known;
  private @Nullable PendingUnit underWay;
  private @Nullable PendingUnit next;

  /**
   * @param last the state that this node remembers; absent if it remembers none
   */
  InstanceTip(@Nullable Instance last) {
    this.state = last;
    this.known = last != null;
  }

  /** False if the store must be asked for the state. */
  boolean isKnown() {
    return known;
  }

  /** Absent if the instance does not exist, or if its state is not known. */
  @Nullable Instance state() {
    return state;
  }

  @Nullable PendingUnit underWay() {
    return underWay;
  }

  @Nullable PendingUnit next() {
    return next;
  }

  /** True if no step waits for its commit. */
  boolean isCommitted() {
    return underWay == null && next == null;
  }

  /** True if the next unit takes no more steps. */
  boolean isFull() {
    return next != null && next.isFull();
  }

  /** Takes a state that was read, unless this mailbox has committed a later version since. */
  void adopt(@Nullable Instance read) {
    if (!isCommitted()) {
      return;
    }
    boolean newer = state == null || (read != null && read.version() >= state.version());
    if (!known || newer) {
      state = read;
      known = true;
    }
  }

  /** Takes the state after a step that another transaction has committed. */
  void committedElsewhere(Instance after) {
    if (isCommitted()) {
      state = after;
      known = true;
    }
  }

  /** Adds a step to the next unit. */
  void decided(PendingCommand pending, Step step) {
    next = next == null ? new PendingUnit() : next;
    next.add(pending, step);
    state = step.after();
    known = true;
  }

  /** True if the next unit changes a wait that this step would close on a condition. */
  boolean amendsNext(Step step) {
    return next != null && next.amends(step.spends());
  }

  /** True if a unit that is not committed yet carries a command of that name. */
  boolean carries(@Nullable String name) {
    return (underWay != null && underWay.carries(name)) || (next != null && next.carries(name));
  }

  /** The version under the steps that are decided but not committed; 0 if there is none. */
  long committed() {
    PendingUnit first = underWay == null ? next : underWay;
    if (first != null) {
      return first.before();
    }
    return state == null ? 0 : state.version();
  }

  /** The next unit becomes the one under way. */
  PendingUnit nextGoes() {
    PendingUnit ready = requireNonNull(next, "next");
    underWay = ready;
    next = null;
    return ready;
  }

  /** The unit under way has an outcome. */
  void arrived() {
    underWay = null;
  }

  /** The state must be read before it is used again. */
  void doubt() {
    known = false;
  }

  /** The steps of the next unit are void, and the state must be read anew. */
  void forget() {
    next = null;
    state = null;
    known = false;
  }

  /** True if the instance is the tenant's and its end, if decided, is not committed yet. */
  boolean isUnderWay(String tenant) {
    return state != null
        && state.tenant().equals(tenant)
        && (!state.status().isTerminal() || !isCommitted());
  }
}
