package dev.waymark.proof.check;

import static dev.waymark.engine.store.Invariant.I11;
import static dev.waymark.engine.store.Invariant.I12;
import static dev.waymark.engine.store.Invariant.I14;
import static dev.waymark.engine.store.Invariant.I8;
import static dev.waymark.engine.store.Invariant.I9;
import static dev.waymark.proof.check.Planted.atRest;
import static dev.waymark.proof.check.Planted.live;

import java.util.List;
import java.util.stream.Stream;

/** More ways of breaking an invariant: those about events, commands, time and trouble. */
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

  private static final List<Planted> PAYLOADS =
      List.of(
          atRest(
              I14,
              "a payload that is used and gone",
              "update wm_payload_use set hash = 'gone' where instance_id = @filed"),
          atRest(
              I14,
              "a payload that is used by a run that never was",
              """
              update wm_payload_use set instance_id = (select id from wm_node)
               where instance_id = @filed
              """),
          atRest(
              I14,
              "a payload without one of its parts",
              """
              delete from wm_payload_part
               where upload = (select p.upload
                                 from wm_payload p
                                 join wm_payload_use u on u.tenant = p.tenant and u.hash = p.hash)
              """),
          atRest(
              I14,
              "a payload that is larger than its parts",
              "update wm_payload set size = size + 1"),
          atRest(
              I14,
              "a payload with a part too much",
              """
              insert into wm_payload_part (upload, part, content)
              select upload, 1, content from wm_payload_part
              """),
          atRest(
              I14,
              "a part of nothing",
              """
              insert into wm_payload_part (upload, part, content)
              select n.id, t.part, t.content
                from wm_payload_part t
                join wm_payload p on p.upload = t.upload
                join wm_payload_use u on u.tenant = p.tenant and u.hash = p.hash
               cross join wm_node n
              """));

  static final List<Planted> ALL =
      Stream.of(
              OUTBOX_TRUTH,
              DURABLE,
              MessagePlantings.ALL,
              TIME,
              BOUNDED_TROUBLE,
              StatePlantings.ALL,
              SCHEDULES,
              PAYLOADS)
          .flatMap(List::stream)
          .toList();

  private MorePlantings() {}
}
