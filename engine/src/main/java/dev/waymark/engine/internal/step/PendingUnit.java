package dev.waymark.engine.internal.step;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Step;
import dev.waymark.core.step.Unit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Steps of one instance on their way into the database together, and the commands behind them.
 *
 * <p>Commands that were refused on what these steps lead to wait with them: the refusal is final
 * once the steps are committed, and void if they are not.
 */
final class PendingUnit {

  static final int MAX_STEPS = 100;

  private final List<DecidedCommand> decided = new ArrayList<>();
  private final List<Step> steps = new ArrayList<>();

  /** A command, and the decision that stands if the unit is committed. */
  record DecidedCommand(PendingCommand pending, Decision decision) {}

  void add(PendingCommand pending, Decision decision) {
    pending.inUnit();
    decided.add(new DecidedCommand(pending, decision));
    if (decision instanceof Step step) {
      steps.add(step);
    }
  }

  boolean isFull() {
    return steps.size() >= MAX_STEPS
        || (!decided.isEmpty() && decided.get(decided.size() - 1).pending().isAlone());
  }

  List<DecidedCommand> decided() {
    return decided;
  }

  /** Commands whose decision gives the full reason. */
  List<DecidedCommand> explained() {
    return leftUnexplained().isEmpty()
        ? decided
        : decided.stream().filter(p -> !isUnexplained(p)).toList();
  }

  /**
   * Commands that were refused because the bookmark or the run that they name is not there, where
   * the decision does not say what became of it.
   */
  List<PendingCommand> leftUnexplained() {
    List<PendingCommand> left = new ArrayList<>(0);
    for (DecidedCommand one : decided) {
      if (isUnexplained(one)) {
        left.add(one.pending());
      }
    }
    return left;
  }

  private static boolean isUnexplained(DecidedCommand one) {
    return isUnexplained(one.pending(), one.decision());
  }

  /**
   * True if the decision is not the whole reason. Either a command was refused because its bookmark
   * is gone, although the bookmark was open when the store was asked. Or a start with a command id
   * has found its run, although the run was not there when the store was asked: only the store can
   * say whether the same request has started it.
   */
  static boolean isUnexplained(PendingCommand pending, Decision decision) {
    if (pending.command instanceof Command.Start start
        && start.meta().fingerprint() != null
        && pending.prior().command() == null
        && pending.seen() == 0) {
      return decision instanceof Decision.NoChange;
    }
    Bookmark seen = pending.prior().bookmark();
    return seen != null
        && seen.isOpen()
        && decision instanceof Decision.Rejection rejection
        && rejection.code() == Decision.Rejection.Code.NOT_FOUND;
  }

  /**
   * True if this unit changes a wait that is to be closed on a condition. The store compares the
   * condition with the wait's row, which must show the change by then: the closing step cannot be
   * in the same unit. So it is when a timer is given back its due time, and fires.
   */
  boolean amends(List<Step.Spend> spends) {
    return spends.stream()
        .filter(spend -> spend.guard() != Step.Spend.Guard.ANY)
        .anyMatch(
            spend ->
                steps.stream()
                    .flatMap(step -> step.amended().stream())
                    .anyMatch(amend -> amend.id().equals(spend.id())));
  }

  int steps() {
    return steps.size();
  }

  /** The version that its first step stands on. */
  long before() {
    return steps.get(0).before();
  }

  Unit unit() {
    return new Unit(steps);
  }

  /** True if this unit carries a command of that name: its repeat must wait for the unit. */
  boolean carries(@Nullable String commandId) {
    return commandId != null
        && steps.stream().anyMatch(s -> s.command().meta().id().equals(commandId));
  }

  /** The one command of a unit with a single step. */
  PendingCommand only() {
    return requireNonNull(
        decided.stream()
            .filter(p -> p.decision() instanceof Step)
            .map(DecidedCommand::pending)
            .findFirst()
            .orElse(null),
        "pending");
  }
}
