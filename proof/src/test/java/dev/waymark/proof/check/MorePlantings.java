package dev.waymark.proof.check;

import static dev.waymark.engine.store.Invariant.I11;
import static dev.waymark.engine.store.Invariant.I12;
import static dev.waymark.engine.store.Invariant.I13;
import static dev.waymark.engine.store.Invariant.I14;
import static dev.waymark.engine.store.Invariant.I8;
import static dev.waymark.engine.store.Invariant.I9;
import static dev.waymark.proof.check.Planted.atRest;
import static dev.waymark.proof.check.Planted.live;
import static dev.waymark.proof.check.Planted.replay;

import java.util.List;
import java.util.stream.Stream;

/** More ways of breaking an invariant: those about events, state and belonging. */
final class MorePlantings {

  private static final List<Planted> OUTBOX_TRUTH =
      List.of(
          atRest(
              I8,
              "an event that was given up early",
              "update wm_outbox set attempts = 3 where state = 2"),
          atRest(
              I8,
              "an event that was given up without a reason",
              "update wm_outbox set error = null where state = 2"),
          atRest(
              I8,
              "an event in a lane that nobody can hold",
              "delete from wm_lane where lane in (select lane from wm_outbox)"),
          atRest(
              I8,
              "events of one instance in two lanes",
              """
              update wm_outbox set lane = (lane + 1) % 64
               where id = (select max(id) from wm_outbox where instance_id = @unheard)
              """),
          atRest(
              I8,
              "events out of order",
              "update wm_outbox set version = 5 - version where instance_id = @unheard"),
          atRest(
              I8,
              "a parked event that nobody delivers",
              """
              update wm_outbox set due = (select created from wm_instance where id = @waiting)
               where instance_id = @unheard and state = 1
              """),
          atRest(
              I8,
              "a pending event that nobody delivers",
              "update wm_outbox set state = 0 where state = 2"));

  private static final List<Planted> DURABLE =
      List.of(
          atRest(
              I9,
              "a command at a version that another one made",
              "update wm_command set version = 2 where scope = 'cancel'"),
          atRest(
              I9,
              "a command that history knows by another name",
              "update wm_history set command_id = 'x' where version = 1 and instance_id ="
                  + " @completed"),
          atRest(
              I9,
              "an acknowledged command that is gone",
              "delete from wm_command where scope = 'resume'"),
          atRest(
              I9,
              "an acknowledged command with another outcome",
              "update wm_command set version = 4 where scope = 'resume'"));

  private static final List<Planted> TIME =
      List.of(
          atRest(
              I11,
              "a timer that fired early",
              "update wm_bookmark set closed_at = created where state = 1 and kind = 1"),
          atRest(
              I11,
              "a timer that nobody fires",
              "update wm_bookmark set due = created where state = 0 and kind = 1"),
          live(
              I11,
              "a ready visit that nobody takes",
              "update wm_activity_instance set due = entered where instance_id = @retrying"));

  private static final List<Planted> BOUNDED_TROUBLE =
      List.of(
          atRest(
              I12,
              "a visit that may crash on and on",
              "update wm_activity_instance set crashes = 3 where instance_id = @retrying"),
          atRest(
              I12,
              "a visit that may fail on and on",
              "update wm_activity_instance set failures = 1000 where instance_id = @retrying"),
          atRest(
              I12,
              "a parked visit without a reason",
              "update wm_activity_instance set fault = null where instance_id = @parked"),
          atRest(
              I12,
              "a parked visit in an instance that looks fine",
              "update wm_instance set status = 0 where id = @parked"));

  private static final List<Planted> STATE_EQUALS_LOG =
      List.of(
          atRest(
              I13,
              "a version without its history",
              "update wm_instance set version = version + 1 where id = @waiting"),
          atRest(
              I13,
              "completed in history, failed in its row",
              "update wm_instance set status = 3 where id = @completed"),
          atRest(
              I13,
              "ended in history, running in its row",
              """
              insert into wm_history (instance_id, version, ordinal, type, visit, attempt,
                                      actor, command_id, at, events)
              select instance_id, version, ordinal + 1, 3, 0, 0, actor, command_id, at, 0
                from wm_history
               where version = 2 and ordinal = 1 and instance_id = @waiting
              """),
          atRest(
              I13,
              "a row that was touched without a step",
              "update wm_instance set updated = created where id = @woken"),
          atRest(
              I13,
              "visits that were never given out",
              "update wm_instance set visits = 0 where id = @waiting"),
          atRest(
              I13,
              "changes that nobody would apply",
              """
              update wm_history set changes = '[]'
               where version = 2 and ordinal = 1 and instance_id = @completed
              """),
          atRest(
              I13,
              "a full copy that is missing",
              "update wm_history set snapshot = null where version = 100 and ordinal = 0"),
          replay(
              I13,
              "other variables",
              "update wm_instance set variables = '{}' where id = @completed"),
          replay(
              I13,
              "variables that nobody can read",
              "update wm_instance set variables = 'nonsense' where id = @completed"),
          replay(
              I13, "suspended by nobody", "update wm_instance set status = 1 where id = @waiting"),
          replay(
              I13,
              "an attempt that history does not know",
              "update wm_activity_instance set attempt = 7 where instance_id = @retrying"),
          replay(
              I13,
              "a visit to another activity",
              "update wm_activity_instance set activity = 'x' where instance_id = @waiting"),
          replay(
              I13,
              "a bookmark with another key",
              "update wm_bookmark set key = 'x' where state = 0 and instance_id = @waiting"),
          replay(
              I13,
              "a timer that was moved",
              """
              update wm_bookmark set due = (select valid_until from wm_node)
               where state = 0 and instance_id = @sleeping
              """),
          replay(I13, "a label that is gone", "delete from wm_label where instance_id = @waiting"),
          replay(
              I13,
              "a change that is gone",
              "update wm_history set changes = null where version = 2 and instance_id ="
                  + " @completed"),
          replay(
              I13,
              "changes that nobody can read",
              "update wm_history set changes = '[7]' where version = 2 and changes is not null"),
          replay(
              I13,
              "a full copy of another state",
              "update wm_history set snapshot = '{}' where version = 200 and ordinal = 0"));

  private static final List<Planted> BELONGING =
      List.of(
          atRest(
              I14,
              "a wait that is claimed under another name than its candidate's",
              "update wm_bookmark set audience = 'user:nobody' where state = 0"),
          atRest(
              I14,
              "a candidate of nothing",
              """
              insert into wm_candidate (instance_id, tag, who, due, tenant)
              select id, 99, 'user:anna', created, tenant from wm_instance where id = @waiting
              """),
          atRest(I14, "a label of another tenant", "update wm_label set tenant = 'other'"),
          atRest(
              I14,
              "a label without its instance",
              """
              insert into wm_label (instance_id, name, value, tenant)
              select id, 'n', 'v', 'default' from wm_node
              """),
          atRest(
              I14,
              "a key of another tenant",
              "update wm_key set tenant = 'other' where key = 'waiting'"),
          atRest(
              I14,
              "a key of another instance",
              "update wm_key set key = 'stolen' where key = 'waiting'"),
          atRest(
              I14, "a live instance without its key", "delete from wm_key where key = 'waiting'"),
          atRest(
              I14,
              "a visit without its instance",
              """
              insert into wm_activity_instance (instance_id, visit, activity, parent, state,
                                                attempt, failures, crashes, due, entered)
              select id, 1, 'a', 0, 0, 0, 0, 0, valid_until, started from wm_node
              """),
          atRest(
              I14,
              "a visit inside one that does not live",
              "update wm_activity_instance set parent = 99 where instance_id = @retrying"),
          atRest(
              I14,
              "a bookmark of another tenant",
              "update wm_bookmark set tenant = 'other' where instance_id = @waiting"),
          atRest(
              I14,
              "an open bookmark of a visit that does not live",
              """
              insert into wm_bookmark (instance_id, tag, tenant, visit, kind, key, state, created)
              select id, 1, tenant, 99, 0, 'x', 0, created from wm_instance where id = @waiting
              """),
          atRest(
              I14,
              "a history without its instance",
              """
              insert into wm_history (instance_id, version, ordinal, type, visit, attempt,
                                      actor, command_id, at, events)
              select id, 1, 0, 0, 0, 0, 'x', 'x', started, 0 from wm_node
              """),
          atRest(
              I14,
              "an event without its instance",
              """
              insert into wm_history (instance_id, version, ordinal, type, visit, attempt,
                                      actor, command_id, at, events)
              select id, 1, 0, 0, 0, 0, 'x', 'x', started, 1 from wm_node;
              insert into wm_outbox (lane, sink, event_id, instance_id, version, ordinal, type,
                                     data, state, attempts, error)
              select 0, 's', 'e', id, 1, 0, 't', '{}', 2, 24, 'x' from wm_node
              """),
          atRest(
              I14,
              "a command of another tenant",
              "update wm_command set tenant = 'other' where scope = 'cancel'"),
          atRest(
              I14,
              "a message that another tenant spent",
              "update wm_inbox set tenant = 'other' where state = 1"),
          atRest(
              I14,
              "an instance without its definition",
              "update wm_instance set definition_id = 0 where id = @waiting"),
          atRest(
              I14,
              "a definition of another tenant",
              "update wm_definition set tenant = 'other' where key = 'loop'"));

  private static final List<Planted> SCHEDULES =
      List.of(
          atRest(
              I11,
              "a schedule that nobody looks at",
              "update wm_schedule set due = (select created from wm_instance where id = @waiting)"),
          atRest(
              I11,
              "a schedule that sleeps past its next occurrence",
              "update wm_schedule set next = (select created from wm_instance where id ="
                  + " @waiting)"),
          atRest(
              I14,
              "a schedule of a definition that nobody deployed",
              "update wm_schedule set definition = 'nothing'"),
          atRest(
              I14, "turns of a group of nobody's tenant", "update wm_turn set tenant = 'nobody'"));

  static final List<Planted> ALL =
      Stream.of(
              OUTBOX_TRUTH,
              DURABLE,
              MessagePlantings.ALL,
              TIME,
              BOUNDED_TROUBLE,
              STATE_EQUALS_LOG,
              BELONGING,
              SCHEDULES)
          .flatMap(List::stream)
          .toList();

  private MorePlantings() {}
}
