package dev.waymark.engine.store.check;

import dev.waymark.engine.store.Invariant;

/**
 * One statement that finds violations of one invariant, the same text on both databases. It runs if
 * pasted into a console, with values for its names.
 *
 * <p>Each row is a violation: {@code instance_id}, which {@code item} of that instance, and {@code
 * detail}. Names: {@code :now}; {@code :overdue}, before which every due row is late; {@code
 * :limit}; and the bounds of trouble {@code :crashes}, {@code :failures} and {@code :deliveries},
 * and {@code :copy_every}, how many versions lie between two full copies.
 */
record Rule(Invariant invariant, When when, String sql) {

  /**
   * The times at which a rule holds: some states are fine while work goes on, and wrong once it has
   * ended.
   */
  enum When {
    ALWAYS,
    LIVE,
    QUIESCENT
  }

  static Rule always(Invariant invariant, String sql) {
    return new Rule(invariant, When.ALWAYS, sql);
  }

  static Rule live(Invariant invariant, String sql) {
    return new Rule(invariant, When.LIVE, sql);
  }

  static Rule quiescent(Invariant invariant, String sql) {
    return new Rule(invariant, When.QUIESCENT, sql);
  }

  boolean holds(boolean quiescent) {
    return switch (when) {
      case ALWAYS -> true;
      case LIVE -> !quiescent;
      case QUIESCENT -> quiescent;
    };
  }
}
