package dev.waymark.tck.bookmark;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Bookmark.End;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Step.Spend.Guard;
import dev.waymark.engine.store.ClosedWaits;
import dev.waymark.engine.store.Load;
import dev.waymark.engine.store.Waits.WaitRow;
import dev.waymark.tck.Race;
import dev.waymark.tck.Rows;
import dev.waymark.tck.StoreContract;
import dev.waymark.tck.StoreFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The retention of closed waits. */
public abstract class ClosedWaitsContract extends StoreContract {

  private final InstanceId id = Rows.newId();

  public ClosedWaitsContract(StoreFactory stores) {
    super(stores);
  }

  private ClosedWaits closed() {
    return store.closedWaits();
  }

  private BookmarkId task(long tag) {
    return new BookmarkId(id, tag);
  }

  private int in(String table) {
    return tables.rowsOf(id).getOrDefault(table, List.of()).size();
  }

  /** Tasks 1 to n, closed one after another, an hour between them. */
  private void givenConsumed(int n) {
    Rows start = start(id);
    for (long tag = 1; tag <= n; tag++) {
      start.task(tag);
    }
    given(start);
    for (long tag = 1; tag <= n; tag++) {
      given(step(id, tag).spend(tag, Guard.ANY, 0));
      clock.advance(HOUR);
    }
  }

  @Test
  void a_batch_is_bounded_and_takes_the_oldest() {
    givenConsumed(5);

    assertThat(closed().archive(End.CONSUMED, now(), 2)).isEqualTo(2);

    assertThat(closed().find(Rows.TENANT, task(1))).isNotNull();
    assertThat(closed().find(Rows.TENANT, task(2))).isNotNull();
    assertThat(closed().find(Rows.TENANT, task(3))).isNull();
    assertThat(in("wm_bookmark")).isEqualTo(3);
    assertThat(closed().archive(End.CONSUMED, now(), 2)).isEqualTo(2);
    assertThat(closed().archive(End.CONSUMED, now(), 2)).isEqualTo(1);
    assertThat(closed().archive(End.CONSUMED, now(), 2)).isZero();
    assertThat(in("wm_bookmark_archive")).isEqualTo(5);
  }

  @Test
  void what_was_closed_at_the_cutoff_or_later_stays() {
    givenConsumed(3);

    assertThat(closed().archive(End.CONSUMED, now().minus(HOUR.multipliedBy(2)), 10)).isEqualTo(1);

    assertThat(store.waits().find(Rows.TENANT, task(2))).isNotNull();
  }

  @Test
  void what_is_open_stays_whatever_is_asked_for() {
    given(start(id).task(1).timer(2, now()).taskFor(3, now(), "user:anna"));
    clock.advance(HOUR);

    for (End end : End.values()) {
      assertThat(closed().archive(end, now(), 10)).isZero();
    }

    assertThat(load(id).bookmarks()).hasSize(3);
  }

  @Test
  void each_end_is_archived_by_itself() {
    given(start(id).task(1).task(2).task(3));
    given(step(id, 1).spend(1, Guard.ANY, 0).close(2, End.EXPIRED).close(3, End.WITHDRAWN));
    clock.advance(HOUR);

    assertThat(closed().archive(End.EXPIRED, now(), 10)).isEqualTo(1);

    assertThat(requireNonNull(closed().find(Rows.TENANT, task(2))).bookmark().state()).isEqualTo(3);
    assertThat(closed().archive(End.WITHDRAWN, now(), 10)).isEqualTo(1);
    assertThat(requireNonNull(closed().find(Rows.TENANT, task(3))).bookmark().state()).isEqualTo(2);
    assertThat(store.waits().find(Rows.TENANT, task(1))).isNotNull();
  }

  @Test
  void an_archived_wait_is_found_as_it_was_and_only_by_its_tenant() {
    givenConsumed(1);
    WaitRow before = requireNonNull(store.waits().find(Rows.TENANT, task(1)));

    assertThat(closed().archive(End.CONSUMED, now(), 10)).isEqualTo(1);

    assertThat(store.waits().find(Rows.TENANT, task(1))).isNull();
    assertThat(requireNonNull(closed().find(Rows.TENANT, task(1))).bookmark())
        .isEqualTo(before.bookmark());
    assertThat(closed().find("another", task(1))).isNull();
  }

  @Test
  void the_archive_forgets_the_oldest_in_batches() {
    givenConsumed(4);
    assertThat(closed().archive(End.CONSUMED, now(), 10)).isEqualTo(4);

    assertThat(closed().forget(now().minus(HOUR), 2)).isEqualTo(2);
    assertThat(closed().forget(now().minus(HOUR), 2)).isEqualTo(1);

    assertThat(in("wm_bookmark_archive")).isEqualTo(1);
    assertThat(closed().find(Rows.TENANT, task(4))).isNotNull();
    assertThat(closed().forget(now().minus(HOUR), 2)).isZero();
  }

  @Test
  void the_ids_of_commands_outlive_their_waits() {
    given(start(id).task(1));
    given(step(id, 1).spend(1, Guard.ANY, 0).by("click-1").remember("resume", "click-1", "f"));
    clock.advance(HOUR);

    assertThat(closed().archive(End.CONSUMED, now(), 10)).isEqualTo(1);
    assertThat(closed().forget(now(), 10)).isEqualTo(1);

    Load question = new Load(id, Rows.TENANT, "resume", "click-1", 1L, null);
    Load.Answer answer = store.load(List.of(question)).get(0);
    assertThat(requireNonNull(answer.command()).version()).isEqualTo(2);
    assertThat(answer.bookmark()).isNull();
  }

  @Test
  void many_who_archive_at_the_same_time_move_each_wait_once() throws Exception {
    givenConsumed(20);

    List<Integer> moved =
        Race.run(
            runner ->
                () -> {
                  int mine = 0;
                  for (int round = 0; round < 10; round++) {
                    mine += closed().archive(End.CONSUMED, now(), 3);
                  }
                  return mine;
                });

    assertThat(moved.stream().mapToInt(Integer::intValue).sum()).isEqualTo(20);
    assertThat(in("wm_bookmark_archive")).isEqualTo(20);
    assertThat(in("wm_bookmark")).isZero();
  }

  @Test
  void one_of_many_takes_the_housekeeping_on_until_it_is_due_again() throws Exception {
    List<Boolean> first = Race.run(runner -> () -> closed().takeTurn(HOUR));
    assertThat(Collections.frequency(first, true)).isEqualTo(1);

    clock.advance(HOUR.minus(MICRO));
    List<Boolean> turns = new ArrayList<>();
    turns.add(closed().takeTurn(HOUR));
    clock.advance(MICRO);
    turns.add(closed().takeTurn(HOUR));
    turns.add(closed().takeTurn(HOUR));

    assertThat(turns).containsExactly(false, true, false);
  }
}
