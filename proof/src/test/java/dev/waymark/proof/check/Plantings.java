package dev.waymark.proof.check;

import static dev.waymark.engine.store.Invariant.I13;
import static dev.waymark.engine.store.Invariant.I2;
import static dev.waymark.engine.store.Invariant.I3;
import static dev.waymark.engine.store.Invariant.I5;
import static dev.waymark.engine.store.Invariant.I6;
import static dev.waymark.proof.check.Planted.atRest;
import static dev.waymark.proof.check.Planted.live;
import static dev.waymark.proof.check.Planted.replay;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Every way in which we have thought of breaking an invariant; here those about steps. */
final class Plantings {

  private static final List<Planted> DENSE_VERSIONS =
      List.of(
          atRest(
              I2,
              "a version that is missing",
              "delete from wm_history where version = 2 and instance_id = @completed"),
          atRest(
              I2,
              "a history without its beginning",
              "delete from wm_history where version = 1 and instance_id = @waiting"),
          atRest(
              I2,
              "an entry that is missing",
              """
              update wm_history set ordinal = 7
               where version = 2 and ordinal = 1 and instance_id = @completed
              """));

  private static final List<Planted> ATOMIC_STEP =
      List.of(
          atRest(
              I3,
              "an event without its entry",
              """
              update wm_outbox set ordinal = 99
               where id = (select max(id) from wm_outbox where instance_id = @unheard)
              """),
          atRest(
              I3,
              "an event that its entry did not declare",
              "update wm_history set events = 0 where events > 0 and instance_id = @unheard"),
          atRest(
              I3,
              "an event twice for one sink",
              """
              update wm_history set events = 9 where events > 0 and instance_id = @unheard;
              insert into wm_outbox (lane, sink, event_id, instance_id, version, ordinal, type,
                                     data, state, due, attempts)
              select lane, sink, event_id, instance_id, version, ordinal, type,
                     data, state, due, attempts
                from wm_outbox
               where id = (select max(id) from wm_outbox where instance_id = @unheard)
              """),
          atRest(
              I3,
              "a version of two commands",
              """
              update wm_history set command_id = 'stranger'
               where version = 2 and ordinal = 1 and instance_id = @completed
              """),
          atRest(
              I3,
              "a version of two actors",
              """
              update wm_history set actor = 'stranger'
               where version = 2 and ordinal = 1 and instance_id = @completed
              """));

  private static final List<Planted> NOTHING_STRANDED =
      List.of(
          atRest(
              I5,
              "an instance that stands nowhere",
              "delete from wm_activity_instance where instance_id = @retrying"),
          atRest(
              I5,
              "a body that runs although all is at rest",
              """
              update wm_activity_instance set state = 1, due = null, node = (select id from wm_node)
               where instance_id = @retrying
              """),
          live(
              I5,
              "a body on a node that is long gone",
              """
              update wm_activity_instance set state = 1, due = null, node = (select id from wm_node)
               where instance_id = @retrying;
              update wm_node set valid_until = started
              """),
          live(
              I5,
              "a body on a node that nobody knows",
              """
              update wm_activity_instance set state = 1, due = null, node = @retrying
               where instance_id = @retrying
              """),
          atRest(
              I5,
              "a visit held back in an instance that is not suspended",
              "update wm_activity_instance set due = null where instance_id = @retrying"),
          atRest(
              I5,
              "a wait for nothing",
              """
              update wm_bookmark set state = 2, closed_at = created
               where state = 0 and instance_id = @waiting
              """),
          atRest(
              I5,
              "a join whose branches wait for nothing",
              """
              update wm_bookmark set state = 2, closed_at = created
               where state = 0 and instance_id = @forked
              """),
          atRest(
              I5,
              "a parked visit without an intervention",
              """
              update wm_bookmark set state = 2, closed_at = created
               where state = 0 and instance_id = @parked;
              delete from wm_candidate where instance_id = @parked
              """),
          atRest(
              I5,
              "a lease although all is at rest",
              """
              update wm_bookmark
                 set holder = 'somebody', fence = 1, lease_until = (select valid_until from wm_node)
               where state = 0 and instance_id = @waiting
              """),
          replay(
              Set.of(I5, I13),
              "a visit held back by nobody",
              "update wm_instance set extra = null where id = @held"),
          replay(
              Set.of(I5, I13),
              "a wait for nothing beside one for something",
              """
              update wm_bookmark set state = 2, closed_at = created
               where key = 'slow' and state = 0 and instance_id = @forked
              """));

  private static final List<Planted> TERMINAL =
      List.of(
          atRest(
              I6,
              "a live visit after the end",
              """
              insert into wm_activity_instance (instance_id, visit, activity, parent, state,
                                                attempt, failures, crashes, entered)
              select id, 1, 'split', 0, 2, 0, 0, 0, created
                from wm_instance
               where id = @joined
              """),
          atRest(
              I6,
              "an open bookmark after the end",
              """
              update wm_bookmark set state = 0, closed_at = null, closed_by = null
               where instance_id = @cancelled
              """),
          atRest(
              I6,
              "a key after the end",
              """
              insert into wm_key (tenant, kind, key, instance_id)
              select tenant, 0, business_key, id from wm_instance where id = @completed
              """),
          atRest(
              I6,
              "an end without its time",
              "update wm_instance set ended = null where id = @completed"),
          atRest(
              I6,
              "an entry after the end",
              """
              insert into wm_history (instance_id, version, ordinal, type, visit, attempt,
                                      actor, command_id, at, events)
              select instance_id, version, ordinal + 1, 18, 0, 0, actor, command_id, at, 0
                from wm_history
               where type = 3 and instance_id = @cancelled
              """));

  static final List<Planted> ALL =
      Stream.of(
              BookmarkPlantings.ALL,
              DENSE_VERSIONS,
              ATOMIC_STEP,
              NOTHING_STRANDED,
              TERMINAL,
              MorePlantings.ALL)
          .flatMap(List::stream)
          .toList();

  private Plantings() {}
}
