package dev.waymark.engine.spi;

/**
 * Named places where a process may die. In production a point does nothing; a chaos run makes it
 * throw, halt, hang or cut, and then looks whether anything was lost, doubled or stranded.
 */
@FunctionalInterface
public interface CrashPoints {

  CrashPoints NONE = point -> {};

  void at(Point point);

  enum Point {
    /** Before a ready visit is taken. */
    P0_BEFORE_TAKE,
    /** The taking step is committed, the body has not begun. */
    P1_TAKEN,
    /** The state is known, nothing is decided. */
    P2_BEFORE_DECIDE,
    /** The batch is put together, nothing is sent. */
    P3_BEFORE_COMMIT,
    /** The batch has committed, no caller has been told. */
    P8_COMMITTED_UNHEARD,
    /** The caller's unit is committed and known, its consequences have not begun. */
    P10_BEFORE_EFFECTS,
    /** A body has ended, its result is not queued yet. */
    P11_BODY_ENDED,
    /** Events were read from a lane and not delivered. */
    O1_EVENTS_READ,
    /** Events were delivered and not yet deleted. */
    O2_EVENTS_DELIVERED,
    /** Due timers were found, none has fired. */
    T1_TIMERS_FOUND,
    /** The occurrences of schedules that start are written down, none has started. */
    H1_OCCURRENCES_DECIDED,
    /** Occurrences of schedules have started, they are not crossed out yet. */
    H2_OCCURRENCES_STARTED,
    /** Stranded visits were found, none is taken over. */
    R1_STRANDED_FOUND,
    /** Half of the stranded visits are taken over. */
    R2_HALF_RECOVERED,
    /** A message is stored, its bookmark was not looked for yet. */
    I1_MESSAGE_STORED,
    /** A parent's request for a child is committed, the child is not started. */
    C1_CHILD_ASKED,
    /** A request for a child has been replaced by its failure, the parent is not told. */
    C2_CHILD_REFUSED,
    /** A batch of closed waits is in the archive, more are left. */
    K1_BATCH_ARCHIVED,
    /** A page of a signal is committed as messages, none of them is delivered. */
    S1_SIGNAL_PAGE
  }
}
