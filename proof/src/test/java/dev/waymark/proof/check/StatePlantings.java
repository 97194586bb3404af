package dev.waymark.proof.check;

import static dev.waymark.engine.store.Invariant.I13;
import static dev.waymark.engine.store.Invariant.I14;
import static dev.waymark.proof.check.Planted.atRest;
import static dev.waymark.proof.check.Planted.replay;

import java.util.List;
import java.util.stream.Stream;

/** More ways of breaking an invariant: those about the state of a run and its rows. */
final class StatePlantings {

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

  static final List<Planted> ALL =
      Stream.of(STATE_EQUALS_LOG, BELONGING).flatMap(List::stream).toList();

  private StatePlantings() {}
}
