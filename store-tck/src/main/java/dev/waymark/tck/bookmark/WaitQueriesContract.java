package dev.waymark.tck.bookmark;

import static java.util.Collections.nCopies;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Step.Spend.Guard;
import dev.waymark.engine.query.InboxPlace;
import dev.waymark.engine.store.ClaimQuery;
import dev.waymark.engine.store.Waits;
import dev.waymark.engine.store.Waits.Count;
import dev.waymark.engine.store.Waits.WaitRow;
import dev.waymark.tck.Rows;
import dev.waymark.tck.StoreContract;
import dev.waymark.tck.StoreFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The questions of operators and workers about open waits. */
public abstract class WaitQueriesContract extends StoreContract {

  private final InstanceId id = Rows.newId();

  public WaitQueriesContract(StoreFactory stores) {
    super(stores);
  }

  private Waits waits() {
    return store.waits();
  }

  private Instant in(long minutes) {
    return now().plus(MINUTE.multipliedBy(minutes));
  }

  private static List<Long> tags(List<WaitRow> rows) {
    return rows.stream().map(row -> row.bookmark().tag()).toList();
  }

  @Test
  void a_wait_is_found_by_its_id_also_when_it_is_closed_and_only_by_its_tenant() {
    given(start(id).task(1));
    BookmarkId task = new BookmarkId(id, 1);

    given(step(id, 1).spend(1, Guard.ANY, 0));

    WaitRow found = requireNonNull(waits().find(Rows.TENANT, task));
    assertThat(found.bookmark().state()).isEqualTo(1);
    assertThat(waits().find("umbrella", task)).isNull();
    assertThat(waits().find(Rows.TENANT, new BookmarkId(id, 7))).isNull();
  }

  @Test
  void open_waits_are_found_by_key_and_by_correlation() {
    InstanceId other = Rows.newId();
    given(start(id).taskFor(1, null, "user:anna").task(2), start(other).taskFor(1, null));
    given(step(id, 1).spend(2, Guard.ANY, 0));

    assertThat(waits().byKey(Rows.TENANT, "task-1", 10))
        .extracting(WaitRow::instance)
        .containsExactly(id, other);
    assertThat(waits().byKey(Rows.TENANT, "task-2", 10)).isEmpty();
    assertThat(waits().byKey("umbrella", "task-1", 10)).isEmpty();
    assertThat(waits().byCorrelation(Rows.TENANT, "order-1", 10)).hasSize(2);
    assertThat(waits().byCorrelation(Rows.TENANT, "order-2", 10)).isEmpty();
    assertThat(waits().byCorrelation("umbrella", "order-1", 10)).isEmpty();
  }

  @Test
  void what_is_open_of_a_kind_is_listed_in_pages_without_a_gap() {
    for (int i = 0; i < 4; i++) {
      given(
          start(Rows.newId())
              .taskFor(1, in(1))
              .taskFor(2, null, "user:bob")
              .bookmark(3, BookmarkKind.APPROVAL, "approve", null)
              .timer(4, in(2))
              .bookmark(5, BookmarkKind.EXTERNAL_MESSAGE, "$ended:x", null));
    }
    var unused = store.leases().claim(Rows.TENANT, BookmarkKind.USER_ACTION, "anna", MINUTE, 1);

    assertThat(pages(BookmarkKind.USER_ACTION)).hasSize(8).doesNotHaveDuplicates();
    assertThat(pages(BookmarkKind.APPROVAL)).hasSize(4);
    assertThat(pages(BookmarkKind.TIMER)).hasSize(4).doesNotHaveDuplicates();
    assertThat(pages(BookmarkKind.EXTERNAL_MESSAGE)).isEmpty();
  }

  private List<BookmarkId> pages(BookmarkKind kind) {
    List<BookmarkId> seen = new ArrayList<>();
    @Nullable InboxPlace after = InboxPlace.START;
    while (after != null) {
      List<WaitRow> page = waits().open(Rows.TENANT, kind, after, 3);
      page.forEach(row -> seen.add(row.id()));
      after = page.isEmpty() ? null : page.getLast().place();
    }
    return seen;
  }

  @Test
  void what_is_overdue_is_listed_the_longest_first_whoever_holds_it() {
    given(
        start(id)
            .taskFor(1, in(5))
            .taskFor(2, in(1), "user:bob")
            .taskFor(3, null)
            .timer(4, in(1))
            .timer(5, in(60)));
    var unused = store.leases().claim(Rows.TENANT, BookmarkKind.USER_ACTION, "anna", HOUR, 1);

    clock.advance(MINUTE.multipliedBy(10));

    assertThat(tags(waits().overdue(Rows.TENANT, BookmarkKind.USER_ACTION, now(), 10)))
        .containsExactly(2L, 1L);
    assertThat(tags(waits().overdue(Rows.TENANT, BookmarkKind.TIMER, now(), 10)))
        .containsExactly(4L);
    assertThat(waits().overdue("umbrella", BookmarkKind.TIMER, now(), 10)).isEmpty();
  }

  @Test
  void leases_that_were_let_pass_are_listed() {
    given(start(id).task(1).task(2));
    var unused = store.leases().claim(Rows.TENANT, BookmarkKind.USER_ACTION, "anna", MINUTE, 1);
    assertThat(waits().lapsedLeases(Rows.TENANT, 10)).isEmpty();

    clock.advance(MINUTE);

    assertThat(waits().lapsedLeases(Rows.TENANT, 10))
        .extracting(row -> row.bookmark().holder())
        .containsExactly("anna");
    assertThat(waits().lapsedLeases("umbrella", 10)).isEmpty();
  }

  @Test
  void what_is_open_is_counted_by_kind_and_by_how_it_stands() {
    given(
        start(id)
            .task(1)
            .task(2)
            .task(3)
            .task(4)
            .expiring(5, in(30))
            .bookmark(6, BookmarkKind.APPROVAL, "approve", null)
            .timer(7, in(1)));
    var query = ClaimQuery.of(Rows.TENANT, BookmarkKind.USER_ACTION, "anna", MINUTE);
    var unused = store.leases().claim(query, nCopies(1, "anna"));
    clock.advance(MINUTE);
    var claims = store.leases().claim(query, nCopies(3, "anna"));
    store.leases().begin(claims.get(0).bookmark(), "anna", claims.get(0).lease().fence());

    assertThat(waits().count(Rows.TENANT))
        .containsExactly(
            new Count(BookmarkKind.USER_ACTION, 2, 2, 1, 0, now().minus(MINUTE)),
            new Count(BookmarkKind.TIMER, 1, 0, 0, 0, now().minus(MINUTE)),
            new Count(BookmarkKind.APPROVAL, 1, 0, 0, 0, now().minus(MINUTE)));

    clock.advance(HOUR);
    assertThat(waits().count(Rows.TENANT))
        .contains(new Count(BookmarkKind.USER_ACTION, 4, 0, 0, 1, now().minus(MINUTE).minus(HOUR)));
    assertThat(waits().count("umbrella")).isEmpty();
  }

  @Test
  void the_tenants_with_something_to_claim_are_told_in_their_order() {
    given(
        start(Rows.newId()).tenant("b").task(1).task(2),
        start(Rows.newId()).tenant("a").task(1),
        start(Rows.newId()).tenant("c").bookmark(1, BookmarkKind.APPROVAL, "approve", null),
        start(Rows.newId()).tenant("d").timer(1, now()));

    assertThat(waits().tenantsWith(BookmarkKind.USER_ACTION, 10)).containsExactly("a", "b");
    assertThat(waits().tenantsWith(BookmarkKind.APPROVAL, 10)).containsExactly("c");
    assertThat(waits().tenantsWith(BookmarkKind.MANUAL_INTERVENTION, 10)).isEmpty();
  }

  @Test
  void what_is_out_of_time_is_found_and_so_is_when_the_next_will_be() {
    assertThat(waits().nextOutOfTime()).isNull();
    given(
        start(id)
            .expiring(1, in(10))
            .bookmark(2, BookmarkKind.MANUAL_INTERVENTION, "parked", in(5))
            .taskFor(3, in(1)));

    assertThat(waits().nextOutOfTime()).isEqualTo(in(5));
    assertThat(waits().outOfTime(10)).isEmpty();

    clock.advance(MINUTE.multipliedBy(5));
    assertThat(waits().outOfTime(10)).containsExactly(new BookmarkId(id, 2));
    clock.advance(MINUTE.multipliedBy(5));
    assertThat(waits().outOfTime(10)).hasSize(2);
  }
}
