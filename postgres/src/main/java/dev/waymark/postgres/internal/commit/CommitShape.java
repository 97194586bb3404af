package dev.waymark.postgres.internal.commit;

import static dev.waymark.postgres.internal.commit.CommitPart.AMENDS;
import static dev.waymark.postgres.internal.commit.CommitPart.BEGUN;
import static dev.waymark.postgres.internal.commit.CommitPart.BOOKMARKS;
import static dev.waymark.postgres.internal.commit.CommitPart.CHANGED;
import static dev.waymark.postgres.internal.commit.CommitPart.CHILDREN;
import static dev.waymark.postgres.internal.commit.CommitPart.COMMANDS;
import static dev.waymark.postgres.internal.commit.CommitPart.DISMISSED;
import static dev.waymark.postgres.internal.commit.CommitPart.ENDED;
import static dev.waymark.postgres.internal.commit.CommitPart.EVENTS;
import static dev.waymark.postgres.internal.commit.CommitPart.FREES;
import static dev.waymark.postgres.internal.commit.CommitPart.LISTS;
import static dev.waymark.postgres.internal.commit.CommitPart.MESSAGES;
import static dev.waymark.postgres.internal.commit.CommitPart.MOVES;
import static dev.waymark.postgres.internal.commit.CommitPart.NAMED;
import static dev.waymark.postgres.internal.commit.CommitPart.RECEIPTS;
import static dev.waymark.postgres.internal.commit.CommitPart.SPENDS;
import static dev.waymark.postgres.internal.commit.CommitPart.STARTS;
import static dev.waymark.postgres.internal.commit.CommitPart.TAKES;

import dev.waymark.engine.store.UnitRows;
import dev.waymark.postgres.internal.sql.ArrayInput;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The forms that the commit statement takes. A batch uses the first that has all its parts.
 *
 * <p>Few and fixed: empty parts cost 0.15 ms of 0.43 when one unit commits alone, but every further
 * text must be planned once on each connection.
 */
enum CommitShape {
  /** Bodies that end and go on to the next. */
  MOVE(EnumSet.of(LISTS, MOVES, ENDED, BEGUN)),
  START(EnumSet.of(LISTS, STARTS, BEGUN, COMMANDS)),
  /** Runs with a business key: it is taken by the first step, and freed by the last. */
  START_WITH_KEY(START, TAKES),
  END_WITH_KEY(MOVE, FREES),
  /** The steps of a busy engine without waits. */
  RUN(EnumSet.of(LISTS, STARTS, MOVES, ENDED, BEGUN, COMMANDS)),
  RUN_WITH_KEYS(RUN, TAKES, FREES),
  RUN_WITH_EVENTS(RUN_WITH_KEYS, EVENTS),
  /** Waits that end, by an answer or because it is time; and bodies that begin after them. */
  ANSWER(EnumSet.of(MOVES, SPENDS, ENDED, DISMISSED)),
  ANSWER_WITH_KEY(ANSWER, FREES),
  CONTINUE(ANSWER, LISTS, BEGUN, COMMANDS),
  CONTINUE_WITH_KEY(CONTINUE, FREES),
  /** Waits that end by a message. */
  HEARD(EnumSet.of(LISTS, MOVES, SPENDS, RECEIPTS, ENDED, BEGUN)),
  HEARD_WITH_KEY(HEARD, FREES),
  /** Runs that begin with a wait. */
  BEGIN(START_WITH_KEY, BOOKMARKS, NAMED),
  /** Steps into and out of waits. */
  RESUME(EnumSet.of(LISTS, MOVES, SPENDS, ENDED, CHANGED, BEGUN, BOOKMARKS, DISMISSED, COMMANDS)),
  RESUME_WITH_KEY(RESUME, FREES),
  WAIT(RESUME, STARTS, EVENTS),
  WAIT_WITH_KEYS(WAIT, TAKES, FREES),
  /** Waits that people have in their inboxes. */
  TASK(WAIT, AMENDS, NAMED),
  TASK_WITH_KEYS(TASK, TAKES, FREES),
  /** Messages between instances; a child starts by spending one. */
  MESSAGE(WAIT, CHILDREN, RECEIPTS, MESSAGES),
  MESSAGE_WITH_KEYS(MESSAGE, TAKES, FREES),
  EVERYTHING(EnumSet.allOf(CommitPart.class));

  /** An {@link EnumSet}, since every batch asks which shape has all of its parts. */
  @SuppressWarnings("ImmutableEnumChecker") // It is never changed.
  private final Set<CommitPart> parts;

  @SuppressWarnings("ImmutableEnumChecker") // It is never changed.
  private final List<ArrayInput<UnitRows, ?>> inputs;

  CommitShape(Set<CommitPart> parts) {
    this.parts = parts;
    this.inputs =
        parts.contains(LISTS) ? inputs(parts) : AnswerStatement.inputs(parts.contains(FREES));
  }

  private static List<ArrayInput<UnitRows, ?>> inputs(Set<CommitPart> parts) {
    return Stream.concat(
            Stream.of(CommitInputs.UNIT, CommitInputs.ENTRY),
            parts.stream().flatMap(part -> part.inputs().stream()))
        .toList();
  }

  CommitShape(CommitShape less, CommitPart... more) {
    this(and(less.parts, more));
  }

  Set<CommitPart> parts() {
    return parts;
  }

  /** The inputs of its text. Every unit has a row of its own and writes history. */
  List<ArrayInput<UnitRows, ?>> inputs() {
    return inputs;
  }

  static CommitShape of(Set<CommitPart> needed) {
    for (CommitShape shape : values()) {
      if (shape.parts.containsAll(needed)) {
        return shape;
      }
    }
    throw new IllegalStateException("Expected a shape with " + needed + ", but found none");
  }

  private static Set<CommitPart> and(Set<CommitPart> parts, CommitPart... more) {
    Set<CommitPart> all = EnumSet.copyOf(parts);
    Collections.addAll(all, more);
    return all;
  }
}
