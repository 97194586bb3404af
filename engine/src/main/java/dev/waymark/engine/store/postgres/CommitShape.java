package dev.waymark.engine.store.postgres;

import static dev.waymark.engine.store.postgres.CommitPart.AMENDS;
import static dev.waymark.engine.store.postgres.CommitPart.BEGUN;
import static dev.waymark.engine.store.postgres.CommitPart.BOOKMARKS;
import static dev.waymark.engine.store.postgres.CommitPart.CHANGED;
import static dev.waymark.engine.store.postgres.CommitPart.CHILDREN;
import static dev.waymark.engine.store.postgres.CommitPart.COMMANDS;
import static dev.waymark.engine.store.postgres.CommitPart.DISMISSED;
import static dev.waymark.engine.store.postgres.CommitPart.ENDED;
import static dev.waymark.engine.store.postgres.CommitPart.EVENTS;
import static dev.waymark.engine.store.postgres.CommitPart.MESSAGES;
import static dev.waymark.engine.store.postgres.CommitPart.MOVES;
import static dev.waymark.engine.store.postgres.CommitPart.NAMED;
import static dev.waymark.engine.store.postgres.CommitPart.RECEIPTS;
import static dev.waymark.engine.store.postgres.CommitPart.SPENDS;
import static dev.waymark.engine.store.postgres.CommitPart.STARTS;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The forms that the commit statement takes. A batch uses the first that has all its parts.
 *
 * <p>Few and fixed: empty parts cost 0.15 ms of 0.43 when one unit commits alone, but every further
 * text must be planned once on each connection.
 */
enum CommitShape {
  /** Bodies that end and go on to the next. */
  MOVE,
  START,
  /** What a busy engine without waits writes. */
  RUN,
  RUN_WITH_EVENTS,
  /** Waits that end, by an answer or because it is time; and bodies that begin after them. */
  ANSWER,
  CONTINUE,
  /** Waits that end by a message. */
  HEARD,
  /** Steps into and out of waits. */
  RESUME,
  WAIT,
  /** Waits that people have in their inboxes. */
  TASK,
  /** What instances want of each other; a child starts by spending a message. */
  MESSAGE,
  EVERYTHING;

  Set<CommitPart> parts() {
    return switch (this) {
      case MOVE -> EnumSet.of(MOVES, ENDED, BEGUN);
      case START -> EnumSet.of(STARTS, BEGUN, COMMANDS);
      case RUN -> EnumSet.of(STARTS, MOVES, ENDED, BEGUN, COMMANDS);
      case RUN_WITH_EVENTS -> and(RUN, EVENTS);
      case ANSWER -> EnumSet.of(MOVES, SPENDS, ENDED, DISMISSED);
      case CONTINUE -> and(ANSWER, BEGUN, COMMANDS);
      case HEARD -> EnumSet.of(MOVES, SPENDS, RECEIPTS, ENDED, BEGUN);
      case RESUME ->
          EnumSet.of(MOVES, SPENDS, ENDED, CHANGED, BEGUN, BOOKMARKS, DISMISSED, COMMANDS);
      case WAIT -> and(RESUME, STARTS, EVENTS);
      case TASK -> and(WAIT, AMENDS, NAMED);
      case MESSAGE -> and(WAIT, CHILDREN, RECEIPTS, MESSAGES);
      case EVERYTHING -> EnumSet.allOf(CommitPart.class);
    };
  }

  static CommitShape of(Set<CommitPart> needed) {
    for (CommitShape shape : values()) {
      if (shape.parts().containsAll(needed)) {
        return shape;
      }
    }
    throw new IllegalStateException("Expected a shape with " + needed + ", but found none");
  }

  private static Set<CommitPart> and(CommitShape shape, CommitPart... more) {
    Set<CommitPart> parts = EnumSet.copyOf(shape.parts());
    Collections.addAll(parts, more);
    return parts;
  }
}
