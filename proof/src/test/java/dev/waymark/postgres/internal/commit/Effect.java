package dev.waymark.postgres.internal.commit;

import dev.waymark.engine.store.CommitResult.Outcome;

/** The effect of a commit text on the unit that a gate is about. */
sealed interface Effect {

  /** The unit is stopped, no row of it is there, and this is the reason that its caller is told. */
  record Stopped(Outcome reason) implements Effect {}

  /** The statement fails as a whole, with this SQLSTATE. */
  record Raised(String state) implements Effect {}

  /** The unit is let through. */
  record Passed() implements Effect {}

  /** The unit is stopped, and yet some of its rows are written. */
  record HalfWritten() implements Effect {}

  Effect STALE = new Stopped(Outcome.STALE);
  Effect EXISTS = new Stopped(Outcome.EXISTS);
  Effect BUSY = new Stopped(Outcome.BUSY);
  Effect NOT_SPENDABLE = new Stopped(Outcome.NOT_SPENDABLE);
  Effect NODE_NOT_ALIVE = new Stopped(Outcome.NODE_NOT_ALIVE);

  /** The count of rows is wrong: the statement divides by zero. */
  Effect MISCOUNTED = new Raised("22012");

  /** An index refuses a second row. */
  Effect DUPLICATE = new Raised("23505");

  /** A write waits for a row that another transaction holds, until its patience ends. */
  Effect WAITED = new Raised("55P03");

  Effect PASSED = new Passed();
  Effect HALF_WRITTEN = new HalfWritten();
}
