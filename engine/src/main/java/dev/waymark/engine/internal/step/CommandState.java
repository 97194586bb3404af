package dev.waymark.engine.internal.step;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * The place of a command in its mailbox, from the moment it is posted until its outcome is told.
 *
 * <p>An enum and not a sealed type with data: every command makes three or more moves, and a move
 * must not cost an object. The state that was read for a command stays in {@link PendingCommand}.
 */
enum CommandState {

  /** It waits in the queue, and may be decided on the state that the mailbox knows. */
  QUEUED,

  /** It waits in the queue. The store must be asked about it before it is decided. */
  UNREAD,

  /** It waits in the queue while the store is asked about it. */
  READING,

  /** It waits in the queue. The state was read after it arrived, so its refusal can be final. */
  READ,

  /** It waits in the queue until the unit under way is committed. Then the store is asked. */
  BEHIND_UNIT,

  /** The command is decided. The decision stands if the unit that carries it is committed. */
  IN_UNIT,

  /** It has left the mailbox, and its outcome is told. */
  LEFT;

  /** The moves that there are. The page on the architecture shows them. */
  private static final Map<CommandState, Set<CommandState>> MOVES =
      new EnumMap<>(
          Map.of(
              QUEUED, EnumSet.of(UNREAD, READING, BEHIND_UNIT, IN_UNIT, LEFT),
              UNREAD, EnumSet.of(READING, LEFT),
              READING, EnumSet.of(READ, LEFT),
              READ, EnumSet.of(UNREAD, READING, BEHIND_UNIT, IN_UNIT, LEFT),
              BEHIND_UNIT, EnumSet.of(READING),
              IN_UNIT, EnumSet.of(QUEUED, UNREAD, LEFT),
              LEFT, EnumSet.noneOf(CommandState.class)));

  boolean mayBecome(CommandState next) {
    Set<CommandState> listed = MOVES.get(this);
    return listed != null && listed.contains(next);
  }

  /** The next state; a move that is not listed is a fault of ours. */
  CommandState to(CommandState next) {
    if (!mayBecome(next)) {
      throw new IllegalStateException(
          "Expected a listed move of a command, but got %s to %s".formatted(this, next));
    }
    return next;
  }
}
