package dev.waymark.engine.store;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * The result of one unit of a batch.
 *
 * @param cause the unit's own error, where it failed
 */
public record CommitResult(Outcome outcome, @Nullable StoreException cause) {

  public enum Outcome {
    COMMITTED,
    /** The instance has moved on, or is gone: load it and decide again. */
    STALE,
    /** Another transaction has a row locked at this moment: the same unit may commit later. */
    BUSY,
    /** A bookmark or a message that it spends is gone, or its guard does not hold (any more). */
    NOT_SPENDABLE,
    /** A start whose instance exists, or whose key is taken. */
    EXISTS,
    /** The committing node has been declared dead, or its lease has lapsed. */
    NODE_NOT_ALIVE,
    /** The unit's own rows cannot be written. */
    FAILED
  }

  public static final CommitResult COMMITTED = new CommitResult(Outcome.COMMITTED, null);

  public CommitResult {
    requireNonNull(outcome, "outcome");
    if ((outcome == Outcome.FAILED) != (cause != null)) {
      throw new IllegalArgumentException(
          "Expected a cause exactly on FAILED, but got " + outcome + " with " + cause);
    }
  }

  public static CommitResult of(Outcome outcome) {
    return outcome == Outcome.COMMITTED ? COMMITTED : new CommitResult(outcome, null);
  }

  public static CommitResult failed(StoreException cause) {
    return new CommitResult(Outcome.FAILED, cause);
  }
}
