package dev.waymark.postgres.internal.commit;

import static dev.waymark.postgres.internal.commit.CommitPart.AMENDS;
import static dev.waymark.postgres.internal.commit.CommitPart.BEGUN;
import static dev.waymark.postgres.internal.commit.CommitPart.BOOKMARKS;
import static dev.waymark.postgres.internal.commit.CommitPart.CHANGED;
import static dev.waymark.postgres.internal.commit.CommitPart.COMMANDS;
import static dev.waymark.postgres.internal.commit.CommitPart.DISMISSED;
import static dev.waymark.postgres.internal.commit.CommitPart.ENDED;
import static dev.waymark.postgres.internal.commit.CommitPart.EVENTS;
import static dev.waymark.postgres.internal.commit.CommitPart.FREES;
import static dev.waymark.postgres.internal.commit.CommitPart.LABELS;
import static dev.waymark.postgres.internal.commit.CommitPart.LISTS;
import static dev.waymark.postgres.internal.commit.CommitPart.MESSAGES;
import static dev.waymark.postgres.internal.commit.CommitPart.MOVES;
import static dev.waymark.postgres.internal.commit.CommitPart.NAMED;
import static dev.waymark.postgres.internal.commit.CommitPart.PAYLOADS;
import static dev.waymark.postgres.internal.commit.CommitPart.RECEIPTS;
import static dev.waymark.postgres.internal.commit.CommitPart.SPENDS;
import static dev.waymark.postgres.internal.commit.CommitPart.STARTS;
import static dev.waymark.postgres.internal.commit.CommitPart.TAKES;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A write of the commit. It is only for units that passed every gate; and if it changes or removes
 * rows, they are counted, so that it misses none.
 *
 * @param name the name that it has in the text
 * @param needs the parts of the shapes that must have it
 * @param subject a unit that needs it
 * @param counted what it does to which table, or empty if its rows are not counted
 * @param ungated how it is made a write for every unit
 */
record GatedWrite(
    String name, Set<CommitPart> needs, Subject subject, String counted, Cut ungated) {

  private static final String NO_NODE = "update wm_node set state = 1";

  /** The writes that a shape with these parts must have. */
  static List<GatedWrite> of(Set<CommitPart> parts) {
    boolean lists = parts.contains(LISTS);
    Subject step = Subject.STEP;
    return Stream.of(
            joined("started_instance", STARTS, Subject.START, "INSERT wm_instance"),
            placed("moved_instance", MOVES, "UPDATE wm_instance", "place", "r.id = unit.id"),
            lists
                ? locked("closed_bookmark", SPENDS, step, "UPDATE wm_bookmark")
                : placed(
                    "closed_bookmark",
                    SPENDS,
                    "UPDATE wm_bookmark",
                    "wait",
                    "r.instance_id = unit.id and r.tag = unit.tag"),
            locked("amended_bookmark", AMENDS, Subject.STEP_THAT_AMENDS, "UPDATE wm_bookmark"),
            locked("spent_message", RECEIPTS, step, "UPDATE wm_inbox"),
            locked("dropped_message", RECEIPTS, Subject.STEP_THAT_HEARS_A_STEP, "DELETE wm_inbox"),
            joined("ended_activity", ENDED, step, "DELETE wm_activity_instance"),
            joined("changed_activity", CHANGED, step, "UPDATE wm_activity_instance"),
            joined("dismissed_candidate", DISMISSED, step, "DELETE wm_candidate"),
            joined("freed_key", FREES, step, "DELETE wm_key"),
            inserted("begun_activity", BEGUN, parts),
            inserted("created_bookmark", BOOKMARKS, parts),
            inserted("named_candidate", NAMED, parts),
            write("dropped_label", Set.of(LABELS), step, "", "using ok", "using unit ok"),
            inserted("kept_label", LABELS, parts),
            write("written_entry", Set.of(), either(parts), "", "from ok", "from unit ok"),
            inserted("written_event", EVENTS, parts),
            inserted("sent_message", MESSAGES, parts),
            inserted("remembered_command", COMMANDS, parts),
            inserted("taken_key", TAKES, parts),
            inserted("used_payload", PAYLOADS, parts))
        .filter(write -> parts.containsAll(write.needs()))
        .toList();
  }

  boolean isCounted() {
    return !counted.isEmpty();
  }

  Stream<Gate> gates() {
    return isCounted() ? Stream.of(onlyForPassed(), missesNone()) : Stream.of(onlyForPassed());
  }

  /** The node is the last gate, so every row is found and locked that the write would need. */
  private Gate onlyForPassed() {
    return Gate.of(
        name + " is for units that passed",
        needs,
        ungated,
        Trial.after(
            NO_NODE,
            subject,
            Effect.NODE_NOT_ALIVE,
            isCounted() ? Effect.MISCOUNTED : Effect.HALF_WRITTEN));
  }

  /**
   * A missed row looks as if another transaction had moved it between snapshot and lock. The text
   * without the gate counts the row as if it had been found.
   */
  private Gate missesNone() {
    return Gate.of(
        name + " misses no row",
        needs,
        Cut.of(
            "(select count(*) from %s)".formatted(name),
            "(select count(*) + 1 from %s)".formatted(name)),
        Trial.after(
            """
            select set_config('proof.missed', '%s', true), set_config('proof.instance', {id}, true)
            """
                .formatted(counted),
            subject,
            Effect.MISCOUNTED,
            Effect.PASSED));
  }

  private static GatedWrite inserted(String name, CommitPart part, Set<CommitPart> parts) {
    return joined(name, part, either(parts), "");
  }

  private static Subject either(Set<CommitPart> parts) {
    return parts.contains(MOVES) ? Subject.STEP : Subject.START;
  }

  /** A write that joins the units that passed. */
  private static GatedWrite joined(String name, CommitPart part, Subject subject, String counted) {
    return write(name, Set.of(part), subject, counted, "from ok", "from unit ok");
  }

  /** A write of locked rows, of which it keeps those of units that passed. */
  private static GatedWrite locked(String name, CommitPart part, Subject subject, String counted) {
    return write(name, Set.of(part), subject, counted, "(n in (select n from ok)) is true", "true");
  }

  /** A write of the row that a gate has found. */
  private static GatedWrite placed(
      String name, CommitPart part, String counted, String place, String row) {
    String table = counted.substring("UPDATE ".length());
    return write(
        name,
        Set.of(part),
        Subject.STEP,
        counted,
        "from ok",
        "from (select unit.*, r.ctid as %s from unit join %s r on %s) ok"
            .formatted(place, table, row));
  }

  private static GatedWrite write(
      String name,
      Set<CommitPart> needs,
      Subject subject,
      String counted,
      String gated,
      String ungated) {
    return new GatedWrite(name, needs, subject, counted, new Cut(name, gated, ungated));
  }
}
