package dev.waymark.testkit.program;

/** What random programs may use. Leaving some out is how one looks for the culprit. */
public enum Feature {
  CHOICE,
  LOOP,
  TANGLE,
  MAX_VISITS,
  FORK,
  JOIN_SOME,
  SPREAD,
  TIMER,
  WAIT,
  MESSAGE,
  RETRY,
  FAULT,
  TERMINATE,
  SPLIT,
  SCOPE,
  FOR_EACH,
  RACE,
  RAISE,
  ON_ERROR,
  ON_TIMEOUT,
  ON_MESSAGE,
  ON_SIGNAL,
  ON_RUN,
  SIGNAL,
  SEND,
  EMIT,
  COMPENSATE,
  SUB_WORKFLOW,
  GUARD
}
