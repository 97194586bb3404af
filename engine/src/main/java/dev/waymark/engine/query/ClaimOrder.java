package dev.waymark.engine.query;

/** The order of claims. Claims that have lapsed come before everything else. */
public enum ClaimOrder {
  /** The more urgent first, and the older of equals. */
  PRIORITY_THEN_AGE,
  /** The first due first; waits without a due time come last. */
  DUE
}
