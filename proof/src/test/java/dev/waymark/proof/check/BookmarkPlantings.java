package dev.waymark.proof.check;

import static dev.waymark.engine.store.Invariant.I1;
import static dev.waymark.engine.store.Invariant.I7;
import static dev.waymark.proof.check.Planted.atRest;

import java.util.List;
import java.util.stream.Stream;

/** More ways of breaking an invariant: those about bookmarks and their leases. */
final class BookmarkPlantings {

  private static final List<Planted> CONSUMED_ONCE =
      List.of(
          atRest(
              I1,
              "a consumed bookmark that history does not name",
              "update wm_history set type = 17 where type = 15 and instance_id = @completed"),
          atRest(
              I1,
              "a withdrawn bookmark that counts as consumed",
              "update wm_bookmark set state = 1 where state = 2 and instance_id = @cancelled"),
          atRest(
              I1,
              "a consumed bookmark that counts as withdrawn",
              "update wm_bookmark set state = 2 where state = 1 and instance_id = @completed"),
          atRest(
              I1,
              "a bookmark that was consumed twice",
              """
              insert into wm_history (instance_id, version, ordinal, type, activity, visit, attempt,
                                      bookmark, actor, command_id, at, events)
              select instance_id, version, ordinal + 1, type, activity, visit, attempt,
                     bookmark, actor, command_id, at, 0
                from wm_history
               where type = 15 and instance_id = @asked
              """),
          atRest(
              I1,
              "a consumed bookmark that is gone",
              "delete from wm_bookmark where state = 1 and instance_id = @completed"),
          atRest(
              I1,
              "a consumed bookmark that is gone, and is younger than what was forgotten",
              """
              update wm_chore set forgotten = (select min(at) from wm_history);
              delete from wm_bookmark where state = 1 and instance_id = @completed
              """),
          atRest(
              I1,
              "a bookmark that is archived and still there",
              """
              insert into wm_bookmark_archive (instance_id, tag, tenant, visit, kind, key, state,
                                               fence, created, closed_by, closed_at)
              select instance_id, tag, tenant, visit, kind, key, 2, fence, created, closed_by,
                     closed_at
                from wm_bookmark where state = 2 and instance_id = @cancelled
              """),
          atRest(
              I1,
              "a consumed bookmark that was archived as withdrawn",
              """
              insert into wm_bookmark_archive (instance_id, tag, tenant, visit, kind, key, state,
                                               fence, created, closed_by, closed_at)
              select instance_id, tag, tenant, visit, kind, key, 2, fence, created, closed_by,
                     closed_at
                from wm_bookmark where state = 1 and instance_id = @completed;
              delete from wm_bookmark where state = 1 and instance_id = @completed
              """),
          atRest(
              I1,
              "a bookmark of another visit",
              "update wm_bookmark set visit = 1 where state = 1 and instance_id = @completed"));

  private static final List<Planted> FENCING =
      List.of(
          atRest(
              I7,
              "an attempt after a later one",
              "update wm_history set attempt = 0 where type = 7 and instance_id = @mended"),
          atRest(
              I7,
              "an attempt with two results",
              "update wm_history set attempt = 1 where type = 7 and instance_id = @mended"),
          atRest(
              I7,
              "a live attempt behind history",
              "update wm_activity_instance set attempt = 0 where instance_id = @retrying"),
          atRest(
              I7,
              "a visit that lives after its end",
              """
              insert into wm_activity_instance (instance_id, visit, activity, parent, state,
                                                attempt, failures, crashes, due, entered)
              select i.id, 1, 'prepare', 0, 0, 1, 0, 0, n.valid_until, i.created
                from wm_instance i cross join wm_node n
               where i.id = @waiting
              """),
          atRest(
              I7,
              "an entry of a visit after its end",
              """
              insert into wm_history (instance_id, version, ordinal, type, activity, visit, attempt,
                                      actor, command_id, at, events)
              select instance_id, version, ordinal + 1, 14, 'prepare', 1, 1,
                     actor, command_id, at, 0
                from wm_history
               where version = 2 and ordinal = 1 and instance_id = @waiting
              """));

  static final List<Planted> ALL = Stream.of(CONSUMED_ONCE, FENCING).flatMap(List::stream).toList();

  private BookmarkPlantings() {}
}
