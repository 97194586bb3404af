package dev.waymark.postgres.internal.commit;

import dev.waymark.engine.store.UnitRows;
import dev.waymark.postgres.internal.sql.ArrayInput;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The kinds of rows that a batch may contain, besides history, which every unit writes. */
enum CommitPart {
  /** A unit that {@link AnswerStatement} cannot write. */
  LISTS,
  STARTS,
  CHILDREN,
  MOVES,
  SPENDS,
  RECEIPTS,
  ENDED,
  CHANGED,
  BEGUN,
  BOOKMARKS,
  AMENDS,
  NAMED,
  DISMISSED,
  LABELS,
  EVENTS,
  MESSAGES,
  COMMANDS,
  TAKES,
  FREES,
  PAYLOADS;

  static Set<CommitPart> of(Collection<UnitRows> units) {
    Set<CommitPart> parts = EnumSet.noneOf(CommitPart.class);
    for (CommitPart part : values()) {
      if (units.stream().anyMatch(part::isIn)) {
        parts.add(part);
      }
    }
    return parts;
  }

  private boolean isIn(UnitRows unit) {
    return switch (this) {
      case LISTS -> !AnswerStatement.fits(unit);
      case STARTS -> unit.isStart();
      case CHILDREN -> unit.isStart() && unit.instance().parent() != null;
      case MOVES -> !unit.isStart();
      case SPENDS -> !unit.spends().isEmpty();
      case RECEIPTS -> !unit.received().isEmpty();
      case ENDED -> !unit.ended().isEmpty();
      case CHANGED -> !unit.changed().isEmpty();
      case BEGUN -> !unit.begun().isEmpty();
      case BOOKMARKS -> !unit.created().isEmpty();
      case AMENDS -> !unit.amended().isEmpty();
      case NAMED -> !unit.candidates().isEmpty();
      case DISMISSED -> !unit.dismissed().isEmpty();
      case LABELS -> unit.labels() != null;
      case EVENTS -> !unit.events().isEmpty();
      case MESSAGES -> !unit.sent().isEmpty();
      case COMMANDS -> !unit.commands().isEmpty();
      case TAKES -> !unit.keysTaken().isEmpty();
      case FREES -> !unit.keysFreed().isEmpty();
      case PAYLOADS -> !unit.payloads().isEmpty();
    };
  }

  List<ArrayInput<UnitRows, ?>> inputs() {
    return switch (this) {
      case STARTS -> List.of(CommitInputs.START);
      case CHILDREN -> List.of(CommitInputs.CHILD);
      case LISTS, MOVES -> List.of();
      case SPENDS -> List.of(CommitInputs.SPEND);
      case RECEIPTS -> List.of(CommitInputs.RECEIPT);
      case ENDED -> List.of(CommitInputs.ENDED);
      case CHANGED -> List.of(CommitInputs.CHANGED);
      case BEGUN -> List.of(CommitInputs.BEGUN);
      case BOOKMARKS -> List.of(CommitInputs.BOOKMARK);
      case AMENDS -> List.of(CommitInputs.AMEND);
      case NAMED -> List.of(CommitInputs.NAMED);
      case DISMISSED -> List.of(CommitInputs.DISMISSED);
      case LABELS -> List.of(CommitInputs.LABELLED, CommitInputs.LABEL);
      case EVENTS -> List.of(CommitInputs.EVENT);
      case MESSAGES -> List.of(CommitInputs.MESSAGE);
      case COMMANDS -> List.of(CommitInputs.COMMAND);
      case TAKES -> List.of(CommitInputs.TAKEN);
      case FREES -> List.of(CommitInputs.FREED);
      case PAYLOADS -> List.of(CommitInputs.PAYLOAD);
    };
  }
}
