package dev.waymark.postgres.internal.commit;

import static dev.waymark.postgres.internal.commit.CommitPart.COMMANDS;
import static dev.waymark.postgres.internal.commit.CommitPart.FREES;
import static dev.waymark.postgres.internal.commit.CommitPart.MOVES;
import static dev.waymark.postgres.internal.commit.CommitPart.STARTS;
import static dev.waymark.postgres.internal.commit.CommitPart.TAKES;
import static dev.waymark.postgres.internal.commit.Effect.DUPLICATE;
import static dev.waymark.postgres.internal.commit.Effect.EXISTS;
import static dev.waymark.postgres.internal.commit.Effect.MISCOUNTED;
import static dev.waymark.postgres.internal.commit.Effect.PASSED;
import static dev.waymark.postgres.internal.commit.Effect.STALE;
import static dev.waymark.postgres.internal.commit.Subject.START;
import static dev.waymark.postgres.internal.commit.Subject.STEP;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The gates before any row is spent: what is there already, and what must not be. */
final class StandingGates {

  private static final List<Gate> INSTANCES =
      List.of(
          Gate.of(
              "the instance is at the version that the step was decided on",
              Set.of(MOVES),
              Cut.of("i.version = u.before", "true"),
              Trial.after(
                  "update wm_instance set version = 5 where id = {id}", STEP, STALE, PASSED)),
          new Gate(
              "the instance of a step is there",
              Set.of(MOVES),
              Cut.joinedAnyway("i", "cross join lateral ( select i.ctid as place"),
              Trial.after("delete from wm_instance where id = {id}", STEP, STALE, MISCOUNTED)),
          Gate.of(
              "no other transaction holds the instance",
              Set.of(MOVES),
              Cut.of("for update skip locked ) i", ") i"),
              Trial.during("select 1 from wm_instance where id = {id} for update", STEP)),
          Gate.of(
              "the instance of a start is not there",
              Set.of(STARTS),
              Cut.of("(select i.id from wm_instance i where i.id = unit.id) is null", "true"),
              Trial.after(
                  """
                  insert into wm_instance
                    (id, tenant, definition_id, version, status, visits, variables, created, updated)
                  values ({id}, 'acme', 1, 1, 0, 1, '{}', now(), now())
                  """,
                  START,
                  EXISTS,
                  DUPLICATE)),
          Gate.of(
              "a step whose instance is gone is not taken for a start",
              Set.of(STARTS, MOVES),
              Cut.of("unit.before = 0", "true"),
              Trial.after("delete from wm_instance where id = {id}", STEP, STALE, MISCOUNTED)));

  private static final String KNOWN_COMMAND =
      """
      insert into wm_command (tenant, scope, id, fingerprint, instance_id, version, at)
      values ('acme', 'scope', 'command-' || {id}, 'abc', gen_random_uuid(), 1, now())
      """;

  private static final String TAKEN_KEY =
      """
      insert into wm_key (tenant, kind, key, instance_id)
      values ('acme', 0, 'new-' || {id}, gen_random_uuid())
      """;

  private static final Cut UNCONTESTED = Cut.of("n not in (select n from contested)", "true");
  private static final String CONTESTED_KEY =
      """
      select pg_advisory_xact_lock(hashtextextended('acme 0 new-' || {id}, 0));
      """
          + TAKEN_KEY;

  private static final Cut UNKNOWN = Cut.of("n not in (select n from known)", "true");
  private static final Cut UNOCCUPIED = Cut.of("n not in (select n from occupied)", "true");

  private static final List<Gate> NAMES =
      List.of(
          Gate.of(
              "the command of a start is not known",
              Set.of(STARTS, COMMANDS),
              UNKNOWN,
              Trial.after(KNOWN_COMMAND, START, EXISTS, DUPLICATE)),
          Gate.of(
              "the command of a step is not known",
              Set.of(MOVES, COMMANDS),
              UNKNOWN,
              Trial.after(KNOWN_COMMAND, STEP, STALE, DUPLICATE)),
          Gate.of(
              "the key that a start takes is free",
              Set.of(STARTS, TAKES),
              UNOCCUPIED,
              Trial.after(TAKEN_KEY, START, EXISTS, DUPLICATE)),
          Gate.of(
              "the key that a step takes is free",
              Set.of(MOVES, TAKES),
              UNOCCUPIED,
              Trial.after(TAKEN_KEY, STEP, EXISTS, DUPLICATE)),
          Gate.of(
              "no other transaction takes the key of a start",
              Set.of(STARTS, TAKES),
              UNCONTESTED,
              Trial.during(CONTESTED_KEY, START)),
          Gate.of(
              "no other transaction takes the key of a step",
              Set.of(MOVES, TAKES),
              UNCONTESTED,
              Trial.during(CONTESTED_KEY, STEP)),
          Gate.of(
              "the key that a step frees is its own",
              Set.of(FREES),
              new Cut("freed_key", "own.instance_id = ok.id", "true"),
              Trial.after(
                  """
                  update wm_key set instance_id = gen_random_uuid() where instance_id = {id}
                  """,
                  STEP,
                  MISCOUNTED,
                  PASSED)));

  private StandingGates() {}

  static Stream<Gate> all() {
    return Stream.of(INSTANCES, NAMES).flatMap(List::stream);
  }
}
