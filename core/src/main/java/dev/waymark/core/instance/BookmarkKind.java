package dev.waymark.core.instance;

/** The kinds of things that a run can wait for. The order is stored: never reorder, append only. */
public enum BookmarkKind {
  USER_ACTION,
  TIMER,
  EXTERNAL_MESSAGE,
  MANUAL_INTERVENTION,
  APPROVAL
}
