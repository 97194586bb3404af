package dev.waymark.engine.schedule;

/**
 * The policy for an occurrence of a schedule while a run that the schedule started earlier is
 * alive.
 */
public enum Overlap {
  /** It does not start. */
  SKIP,
  /** It starts beside the others. */
  ALLOW,
  /** It starts when the others have ended; one waits at most, and what comes on top is skipped. */
  BUFFER_ONE,
  /** The others are cancelled, and it starts. */
  CANCEL_OTHER
}
