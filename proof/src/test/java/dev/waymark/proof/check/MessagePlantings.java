package dev.waymark.proof.check;

import static dev.waymark.engine.store.Invariant.I10;
import static dev.waymark.engine.store.Invariant.I14;
import static dev.waymark.engine.store.Invariant.I5;
import static dev.waymark.proof.check.Planted.atRest;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** More ways of breaking an invariant: those about messages, signals and families. */
final class MessagePlantings {

  private static final List<Planted> INBOUND_ONCE =
      List.of(
          atRest(
              I10,
              "a message spent in a step that consumed nothing",
              "update wm_inbox set spent_version = 1 where state = 1 and name = 'paid'"),
          atRest(
              I10,
              "two messages for one bookmark",
              """
              insert into wm_inbox (tenant, source, id, instance_id, name, sender, received, state,
                                    spent_version)
              select tenant, source, 'again', instance_id, name, sender, received, state,
                     spent_version
                from wm_inbox
               where state = 1
                 and name = 'paid'
              """),
          atRest(
              I10,
              "a message that waits beside its bookmark",
              "update wm_inbox set name = 'paid' where state = 0 and name = 'unknown'"),
          atRest(
              I10,
              "a step's message that was spent and is kept",
              "update wm_inbox set source = 'instance' where state = 1 and name = 'paid'"),
          atRest(
              I10,
              "a report that history does not have",
              "update wm_inbox set spent_version = 1 where source = '$report'"),
          atRest(
              I10,
              "a run that two messages began",
              """
              insert into wm_inbox (tenant, source, id, instance_id, name, sender, received,
                                    correlation, state, spent_version)
              select tenant, source, 'again', instance_id, name, sender, received, 'o-2', state,
                     spent_version
                from wm_inbox
               where name = 'placed'
              """),
          atRest(
              I10,
              "a run that a message began that no definition begins with",
              "update wm_definition set starts = null where key = 'intake'"),
          atRest(
              I10,
              "a free message that begins nothing",
              """
              insert into wm_inbox (tenant, source, id, name, sender, received, correlation)
              select tenant, 'shop', 'lost', 'placed', 'x', created, 'o-2'
                from wm_instance
               where id = @waiting
              """),
          atRest(
              I10,
              "a correlated message that waits beside its bookmark",
              """
              update wm_bookmark set correlation = 'o-1' where key = 'paid' and state = 0;
              insert into wm_inbox (tenant, source, id, name, sender, received, correlation)
              select tenant, 'bank', 'lost', 'paid', 'x', created, 'o-1'
                from wm_instance
               where id = @waiting
              """),
          atRest(
              I10,
              "a request that nobody grants",
              """
              insert into wm_inbox (tenant, source, id, instance_id, name, sender, received)
              select i.tenant, 'instance', 'lost', n.id, '$start', 'x', i.created
                from wm_node n cross join wm_instance i
               where i.id = @waiting
              """),
          atRest(
              I10,
              "a cancellation that nobody delivers",
              """
              insert into wm_inbox (tenant, source, id, instance_id, name, sender, received)
              select tenant, 'instance', 'lost', id, '$cancel', 'x', created
                from wm_instance
               where id = @waiting
              """));

  private static final List<Planted> SIGNALS =
      List.of(
          atRest(
              I10,
              "a broadcast that nobody hands out",
              """
              update wm_inbox set state = 0, spent_version = null
               where instance_id is null
              """),
          atRest(
              I10,
              "a signal without its broadcast",
              "delete from wm_inbox where instance_id is null"),
          atRest(
              I10,
              "a signal of another broadcast",
              "update wm_inbox set name = '$signal:calm' where source = '$signal'"),
          atRest(
              I10,
              "a signal further than its broadcast has come",
              """
              update wm_inbox
                 set state = 0, spent_version = null, reached = null,
                     received = (select valid_until from wm_node)
               where instance_id is null;
              update wm_inbox set received = (select valid_until from wm_node)
               where source = '$signal'
              """),
          atRest(
              I10,
              "a signal that waits beside its bookmark",
              """
              insert into wm_inbox (tenant, source, id, instance_id, name, sender, received, state,
                                    spent_version)
              select tenant, 'radio', 's2', null, '$signal:calm', 'x', updated, 1, 0
                from wm_instance
               where id = @warned;
              insert into wm_inbox (tenant, source, id, instance_id, name, sender, received)
              select tenant, '$signal', 's2', id, '$signal:calm', 'x', updated
                from wm_instance
               where id = @warned
              """));

  private static final List<Planted> FAMILIES =
      List.of(
          atRest(
              I5,
              "a parent whose child is neither there nor asked for",
              """
              update wm_instance set parent_id = null, parent_visit = null, parent_reports = null
               where id = @daughter;
              update wm_bookmark set key = '$ended:00000000-0000-0000-0000-00000000000f'
               where state = 0 and instance_id = @mother
              """),
          atRest(
              I5,
              "a parent whose child has ended without a word",
              """
              update wm_instance set parent_id = null, parent_visit = null, parent_reports = null
               where id = @daughter;
              update wm_bookmark
                 set key = (select key from wm_bookmark where state = 1 and instance_id = @father)
               where state = 0 and instance_id = @mother
              """),
          atRest(
              I5,
              "a parent that waits for what is no child",
              """
              update wm_instance set parent_id = null, parent_visit = null, parent_reports = null
               where id = @daughter;
              update wm_bookmark set key = '$ended:somebody'
               where state = 0 and instance_id = @mother
              """),
          atRest(
              I14,
              "a child whose parent never was",
              "update wm_instance set parent_id = (select id from wm_node) where id = @daughter"),
          atRest(
              I14,
              "a child of a visit that was never given out",
              "update wm_instance set parent_visit = 99 where id = @daughter"));

  private static final List<Planted> KEPT =
      List.of(
          new Planted(
              Set.of(I5, I14),
              Planted.Mode.AT_REST,
              "a run that only remembers, with a wait that nobody stands at",
              "update wm_activity_instance set state = 4 where instance_id = @waiting"));

  static final List<Planted> ALL =
      Stream.of(INBOUND_ONCE, SIGNALS, FAMILIES, KEPT).flatMap(List::stream).toList();

  private MessagePlantings() {}
}
