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
import static dev.waymark.postgres.internal.commit.CommitPart.LABELS;
import static dev.waymark.postgres.internal.commit.CommitPart.MESSAGES;
import static dev.waymark.postgres.internal.commit.CommitPart.MOVES;
import static dev.waymark.postgres.internal.commit.CommitPart.NAMED;
import static dev.waymark.postgres.internal.commit.CommitPart.PAYLOADS;
import static dev.waymark.postgres.internal.commit.CommitPart.RECEIPTS;
import static dev.waymark.postgres.internal.commit.CommitPart.SPENDS;
import static dev.waymark.postgres.internal.commit.CommitPart.STARTS;
import static dev.waymark.postgres.internal.commit.CommitPart.TAKES;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Step.Spend.Guard;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.tck.Rows;
import java.time.Instant;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A unit for a gate to stop. It has one row of every part that its shape has and that it may have,
 * so that none of the shape's writes goes unseen, and so that it may come alone.
 */
enum Subject {
  START(STARTS, Guard.ANY),
  STEP(MOVES, Guard.ANY),
  STEP_IF_FREE(SPENDS, Guard.FREE),
  STEP_WITH_FENCE(SPENDS, Guard.FENCE),
  STEP_IF_DUE(SPENDS, Guard.DUE),
  /** Changes its wait and does not close it. */
  STEP_THAT_AMENDS(AMENDS, Guard.ANY),
  /** Its message comes from a step, and so is removed and not kept as spent. */
  STEP_THAT_HEARS_A_STEP(RECEIPTS, Guard.ANY);

  static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  static final long FENCE = 4;

  /** The hash of a payload that is stored. */
  static final String PAYLOAD = "a".repeat(64);

  private static final String FROM_A_STEP = "instance";
  private static final String FROM_OUTSIDE = "partner";

  private final CommitPart needs;
  private final Guard guard;

  Subject(CommitPart needs, Guard guard) {
    this.needs = needs;
    this.guard = guard;
  }

  boolean fits(Set<CommitPart> parts) {
    return parts.contains(needs);
  }

  /** The start of an instance that steps may be tried on, with all that they end and free. */
  static UnitRows before(InstanceId id) {
    return Rows.start(id, NOW)
        .beginWaiting(1)
        .beginWaiting(2)
        .taskFor(1, null, "user:anna")
        .label("old", "x")
        .takeKey(Rows.BUSINESS_KEY, "held-" + id)
        .build();
  }

  /** The message that a unit of this instance spends, or that its last step has sent it. */
  static Message.Key message(InstanceId id, boolean fromStep) {
    return new Message.Key(Rows.TENANT, fromStep ? FROM_A_STEP : FROM_OUTSIDE, "to-" + id);
  }

  UnitRows unit(Set<CommitPart> parts, InstanceId id, InstanceId parent) {
    Rows rows = this == START ? Rows.start(id, NOW) : Rows.step(id, 1, NOW);
    Parts of = new Parts(parts, rows);
    if (this == START) {
      of.has(CHILDREN, child -> child.childOf(parent, 1, false));
    } else {
      of.has(SPENDS, this::spend);
      of.has(ENDED, step -> step.end(1));
      of.has(CHANGED, step -> step.changeToReady(2, 1, NOW));
      of.has(DISMISSED, step -> step.dismissed(1, null, "user:anna"));
      of.has(FREES, step -> step.freeKey(Rows.BUSINESS_KEY, "held-" + id));
    }
    of.has(RECEIPTS, unit -> unit.receive(message(id, this == STEP_THAT_HEARS_A_STEP)));
    of.has(BEGUN, unit -> unit.beginWaiting(3));
    of.has(BOOKMARKS, unit -> unit.task(2));
    of.has(NAMED, unit -> unit.named(2, null, "user:bob"));
    of.has(LABELS, unit -> unit.label("new", "y"));
    of.has(EVENTS, unit -> unit.event("sink", 0));
    of.has(MESSAGES, unit -> unit.send(Rows.message(id, "from-" + id, "done", NOW)));
    of.has(COMMANDS, unit -> unit.remember("scope", "command-" + id, "abc"));
    of.has(TAKES, unit -> unit.takeKey(Rows.BUSINESS_KEY, "new-" + id));
    of.has(PAYLOADS, unit -> unit.payload(PAYLOAD));
    return rows.build();
  }

  private void spend(Rows rows) {
    if (this == STEP_THAT_AMENDS) {
      rows.amend(1, "{}", null, false);
    } else {
      rows.spend(1, guard, FENCE);
    }
  }

  private record Parts(Set<CommitPart> parts, Rows rows) {

    void has(CommitPart part, Consumer<Rows> row) {
      if (parts.contains(part)) {
        row.accept(rows);
      }
    }
  }
}
