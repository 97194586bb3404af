package dev.waymark.postgres.internal.commit;

import static dev.waymark.postgres.internal.commit.CommitPart.CHILDREN;
import static dev.waymark.postgres.internal.commit.CommitPart.LISTS;
import static dev.waymark.postgres.internal.commit.CommitPart.MOVES;
import static dev.waymark.postgres.internal.commit.CommitPart.RECEIPTS;
import static dev.waymark.postgres.internal.commit.CommitPart.SPENDS;
import static dev.waymark.postgres.internal.commit.Effect.MISCOUNTED;
import static dev.waymark.postgres.internal.commit.Effect.NOT_SPENDABLE;
import static dev.waymark.postgres.internal.commit.Effect.PASSED;
import static dev.waymark.postgres.internal.commit.Subject.START;
import static dev.waymark.postgres.internal.commit.Subject.STEP;
import static dev.waymark.postgres.internal.commit.Subject.STEP_IF_DUE;
import static dev.waymark.postgres.internal.commit.Subject.STEP_IF_FREE;
import static dev.waymark.postgres.internal.commit.Subject.STEP_WITH_FENCE;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The gates at the waits and messages that a unit spends. */
final class SpendGates {

  private static final List<Gate> WAITS =
      List.of(
          Gate.of(
              "the wait is open",
              Set.of(SPENDS),
              Cut.of("b.state = 0", "true"),
              wait("state = 1, closed_at = now()", STEP)),
          Gate.of(
              "a wait that must be free is not held, or its lease has lapsed",
              Set.of(SPENDS),
              Cut.of("b.holder is null or b.lease_until <= " + Gates.NOW, "true"),
              wait("lease_until = 'infinity'", STEP_IF_FREE)),
          Gate.of(
              "a wait that is spent with a fence has a holder",
              Set.of(SPENDS),
              Cut.of("b.holder is not null", "true"),
              wait("holder = null, lease_until = null", STEP_WITH_FENCE)),
          Gate.of(
              "a wait that is spent with a fence has this fence",
              Set.of(SPENDS),
              Cut.of("b.fence = u.fence", "true"),
              wait("fence = fence + 1", STEP_WITH_FENCE)),
          Gate.of(
              "a wait that must be due is due",
              Set.of(SPENDS),
              Cut.of("b.due <= " + Gates.NOW, "true"),
              wait("due = 'infinity'", STEP_IF_DUE)),
          Gate.of(
              "no other transaction holds the wait",
              Set.of(SPENDS),
              Cut.of("for update skip locked ) b", ") b"),
              Trial.during("select 1 from wm_bookmark where instance_id = {id} for update", STEP)));

  private static final List<Gate> MESSAGES =
      List.of(
          Gate.of(
              "the message that a step spends is not spent",
              Set.of(MOVES, RECEIPTS),
              Cut.of("m.state < 1", "true"),
              message("update wm_inbox set state = 1, spent_version = 1", STEP, PASSED)),
          Gate.of(
              "the message that a child begins with is not spent",
              Set.of(CHILDREN, RECEIPTS),
              Cut.of("m.state < 1", "true"),
              message("update wm_inbox set state = 1, spent_version = 1", START, PASSED)),
          Gate.of(
              "the message is addressed to the instance or correlated",
              Set.of(MOVES, RECEIPTS),
              Cut.of("(m.instance_id = u.addressee or m.correlation is not null)", "true"),
              message("update wm_inbox set instance_id = gen_random_uuid()", STEP, PASSED)),
          Gate.of(
              "no other transaction holds the message",
              Set.of(MOVES, RECEIPTS),
              Cut.of("for update skip locked ) m", ") m"),
              Trial.during("select 1 from wm_inbox where instance_id = {id} for update", STEP)));

  private static final Cut AS_MANY = Cut.of("coalesce(spent.locks, 0) = admitted.spends", "true");

  private static final String NO_WAIT = "delete from wm_bookmark where instance_id = {id}";

  /** The number of locked rows, where they come in lists. */
  private static final List<Gate> LOCKS_OF_LISTS =
      List.of(
          Gate.of(
              "as many waits are locked as the step spends",
              Set.of(LISTS, SPENDS),
              AS_MANY,
              Trial.after(NO_WAIT, STEP, NOT_SPENDABLE, MISCOUNTED)),
          Gate.of(
              "as many messages are locked as the step spends",
              Set.of(LISTS, MOVES, RECEIPTS),
              AS_MANY,
              message("delete from wm_inbox", STEP, MISCOUNTED)),
          Gate.of(
              "as many messages are locked as the child begins with",
              Set.of(LISTS, CHILDREN, RECEIPTS),
              AS_MANY,
              message("delete from wm_inbox", START, MISCOUNTED)));

  /** The same of an answer, which has one wait. */
  private static final List<Gate> LOCK_OF_AN_ANSWER =
      List.of(
          new Gate(
              "the wait is there",
              Set.of(MOVES, SPENDS),
              Cut.joinedAnyway("b", "cross join lateral ( select b.ctid as place"),
              Trial.after(NO_WAIT, STEP, NOT_SPENDABLE, MISCOUNTED)));

  private SpendGates() {}

  static Stream<Gate> all(boolean lists) {
    return Stream.of(WAITS, MESSAGES, lists ? LOCKS_OF_LISTS : LOCK_OF_AN_ANSWER)
        .flatMap(List::stream);
  }

  private static Trial wait(String change, Subject subject) {
    return Trial.after(
        "update wm_bookmark set " + change + " where instance_id = {id}",
        subject,
        NOT_SPENDABLE,
        PASSED);
  }

  private static Trial message(String change, Subject subject, Effect otherwise) {
    return Trial.after(change + " where instance_id = {id}", subject, NOT_SPENDABLE, otherwise);
  }
}
