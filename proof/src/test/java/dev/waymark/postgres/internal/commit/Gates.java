package dev.waymark.postgres.internal.commit;

import static dev.waymark.postgres.internal.commit.CommitPart.LISTS;
import static dev.waymark.postgres.internal.commit.CommitPart.MOVES;
import static dev.waymark.postgres.internal.commit.Effect.NODE_NOT_ALIVE;
import static dev.waymark.postgres.internal.commit.Effect.PASSED;
import static dev.waymark.postgres.internal.commit.Subject.START;
import static dev.waymark.postgres.internal.commit.Subject.STEP;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Every gate of the commit. A condition of the text that is none of these is one of the {@link
 * #LOOKUPS} or is {@link #BACKED}.
 */
final class Gates {

  /** The moment that the text compares times with. */
  static final String NOW = "coalesce(cast(:now as timestamptz), statement_timestamp())";

  /** A condition that a text has and that no unit can show, and why it is not missed. */
  record Backed(String condition, String because) {}

  static final List<Backed> BACKED =
      List.of(
          new Backed(
              "before > 0",
              "a start that is taken for a step finds no instance at version 0: the table allows"
                  + " none, and the version is compared"),
          new Backed(
              "unit.before = 0",
              "only where the shape has no moves: a batch with a step never takes that shape; in"
                  + " all others it is a gate"));

  /** The keys by which the gates find rows. Without one, a unit would find those of others. */
  static final Set<String> LOOKUPS =
      Set.of(
          "i.id = u.id",
          "b.instance_id = u.id",
          "b.tag = u.tag",
          "m.tenant = u.tenant",
          "m.source = u.source",
          "m.id = u.id",
          "c.tenant = unit.tenant",
          "c.scope = command.scope",
          "c.id = command.id",
          "k.tenant = unit.tenant",
          "k.kind = taken.kind",
          "k.key = taken.key");

  private Gates() {}

  /** The gates that a shape with these parts must have, before its writes and at them. */
  static List<Gate> of(Set<CommitPart> parts) {
    return Stream.concat(
            beforeWrites(parts).stream(), GatedWrite.of(parts).stream().flatMap(GatedWrite::gates))
        .toList();
  }

  /** The gates that lock and compare, on which every write depends. */
  static List<Gate> beforeWrites(Set<CommitPart> parts) {
    return Stream.of(
            StandingGates.all(),
            node(parts.contains(MOVES) ? STEP : START),
            SpendGates.all(parts.contains(LISTS)))
        .flatMap(gates -> gates)
        .filter(gate -> gate.isIn(parts))
        .toList();
  }

  /** True if the gate stops the whole batch, and not one of its units. */
  static boolean isOfNode(Gate gate) {
    return gate.trial().stops().equals(NODE_NOT_ALIVE);
  }

  private static Stream<Gate> node(Subject subject) {
    return Stream.of(
        Gate.of(
            "the node is registered",
            Set.of(),
            Cut.of("id = :node", "true"),
            // Another node lives on, under whose name it must not commit.
            node("id = gen_random_uuid()", subject)),
        Gate.of(
            "the node was not declared dead",
            Set.of(),
            Cut.of("and state = 0", "and true"),
            node("state = 1", subject)),
        Gate.of(
            "the lease of the node has not lapsed",
            Set.of(),
            Cut.of("valid_until > " + NOW, "true"),
            node("valid_until = 'epoch'", subject)));
  }

  private static Trial node(String change, Subject subject) {
    return Trial.after("update wm_node set " + change, subject, NODE_NOT_ALIVE, PASSED);
  }
}
