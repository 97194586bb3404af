package dev.waymark.tck.bookmark;

import static java.util.Collections.nCopies;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Lease;
import dev.waymark.core.step.Step.Spend.Guard;
import dev.waymark.engine.query.ClaimOrder;
import dev.waymark.engine.store.ClaimQuery;
import dev.waymark.engine.store.Leases.Begun;
import dev.waymark.engine.store.Leases.Claim;
import dev.waymark.engine.store.Leases.Look;
import dev.waymark.engine.store.Leases.One;
import dev.waymark.tck.Rows;
import dev.waymark.tck.StoreContract;
import dev.waymark.tck.StoreFactory;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Claims with wishes: for kinds, for names, in an order, and of one bookmark. */
public abstract class ClaimsContract extends StoreContract {

  private static final Set<String> ANNA = Set.of("", "user:anna", "group:finance");

  private final InstanceId id = Rows.newId();

  public ClaimsContract(StoreFactory stores) {
    super(stores);
  }

  private Instant in(long minutes) {
    return now().plus(MINUTE.multipliedBy(minutes));
  }

  private ClaimQuery tasks(Set<String> names, ClaimOrder order) {
    return new ClaimQuery(
        Rows.TENANT, Set.of(BookmarkKind.USER_ACTION), names, "anna", order, MINUTE, 2);
  }

  private List<Long> claim(ClaimQuery query, int limit) {
    return tags(store.leases().claim(query, nCopies(limit, "anna")));
  }

  private static List<Long> tags(List<Claim> claims) {
    return claims.stream().map(claim -> claim.bookmark().tag()).toList();
  }

  @Test
  void a_claim_finds_what_is_for_anybody_and_for_the_names_that_ask_and_nothing_else() {
    given(
        start(id)
            .task(1)
            .taskFor(2, null, "user:anna")
            .taskFor(3, null, "group:finance", "user:carol")
            .taskFor(4, null, "user:bob")
            .taskFor(5, null, "group:legal", "user:bob"));

    assertThat(claim(tasks(ANNA, ClaimOrder.PRIORITY_THEN_AGE), 9))
        .containsExactlyInAnyOrder(1L, 2L, 3L);
  }

  @Test
  void whoever_is_barred_is_passed_over_also_where_anybody_else_may_act() {
    given(
        start(id)
            .task(1)
            .named(1, null, "not:anna")
            .taskFor(2, null, "group:finance")
            .named(2, null, "not:anna")
            .taskFor(3, null, "user:bob", "group:finance")
            .named(3, null, "not:anna")
            .task(4));

    assertThat(claim(tasks(ANNA, ClaimOrder.PRIORITY_THEN_AGE), 9)).containsExactly(4L);
    assertThat(claim(tasks(ANNA, ClaimOrder.DUE), 9)).isEmpty();
    assertThat(look(1, "anna", ANNA).permitted()).isFalse();
    assertThat(look(1, "bob", Set.of("user:bob")).granted()).isNotNull();
  }

  @Test
  void several_kinds_are_claimed_at_once_the_most_urgent_first() {
    given(start(id).bookmark(1, BookmarkKind.APPROVAL, "approve", null));
    clock.advance(MINUTE);
    given(step(id, 1).task(2).taskFor(3, null));
    ClaimQuery both =
        new ClaimQuery(
            Rows.TENANT,
            Set.of(BookmarkKind.USER_ACTION, BookmarkKind.APPROVAL),
            ANNA,
            "anna",
            ClaimOrder.PRIORITY_THEN_AGE,
            MINUTE,
            2);

    assertThat(claim(both, 1)).containsExactly(3L);
    assertThat(claim(both, 1)).containsExactly(1L);
    assertThat(claim(both, 9)).containsExactly(2L);
  }

  @Test
  void by_due_time_the_first_due_comes_first_and_what_is_never_due_last() {
    given(
        start(id)
            .task(1)
            .taskFor(2, in(9), "user:anna")
            .bookmark(3, BookmarkKind.USER_ACTION, "three", in(2))
            .taskFor(4, in(5), "group:finance", "user:bob"));

    assertThat(claim(tasks(ANNA, ClaimOrder.DUE), 2)).containsExactly(3L, 4L);
    assertThat(claim(tasks(ANNA, ClaimOrder.DUE), 9)).containsExactly(2L, 1L);
  }

  @Test
  void one_claim_serves_many_holders() {
    given(start(id).task(1).task(2).task(3));

    List<Claim> claims =
        store
            .leases()
            .claim(
                tasks(ANNA, ClaimOrder.PRIORITY_THEN_AGE), List.of("anna", "bob", "carol", "dave"));

    assertThat(claims)
        .extracting(claim -> claim.lease().holder())
        .containsExactly("anna", "bob", "carol");
    assertThat(claims)
        .allSatisfy(
            claim ->
                assertThat(
                        load(id).bookmarks().stream()
                            .filter(b -> b.tag() == claim.bookmark().tag())
                            .findFirst()
                            .orElseThrow()
                            .holder())
                    .isEqualTo(claim.lease().holder()));
  }

  @Test
  void what_has_expired_is_neither_claimed_nor_extended() {
    given(start(id).expiring(1, in(2)).task(2));
    Claim first = store.leases().claim(tasks(ANNA, ClaimOrder.DUE), List.of("anna", "bob")).get(0);

    clock.advance(MINUTE.multipliedBy(2));

    assertThat(claim(tasks(ANNA, ClaimOrder.PRIORITY_THEN_AGE), 9)).containsExactly(2L);
    assertThat(store.leases().extend(new BookmarkId(id, 1), "anna", first.lease().fence(), MINUTE))
        .isNull();
    assertThat(look(1, "anna", ANNA).granted()).isNull();
  }

  @Test
  void a_lease_is_extended_as_often_as_it_may_be_and_no_more() {
    given(start(id).task(1));
    Claim claim =
        store.leases().claim(tasks(ANNA, ClaimOrder.PRIORITY_THEN_AGE), List.of("anna")).get(0);

    assertThat(extend(claim)).isNotNull();
    assertThat(extend(claim)).isNotNull();
    assertThat(extend(claim)).isNull();

    clock.advance(HOUR);
    Claim again =
        store.leases().claim(tasks(ANNA, ClaimOrder.PRIORITY_THEN_AGE), List.of("anna")).get(0);
    assertThat(extend(again)).isNotNull();
  }

  private @Nullable Lease extend(Claim claim) {
    return store
        .leases()
        .extend(claim.bookmark(), claim.lease().holder(), claim.lease().fence(), MINUTE);
  }

  private Look look(long tag, String user, Set<String> names) {
    return requireNonNull(
        store
            .leases()
            .claimOne(new One(Rows.TENANT, new BookmarkId(id, tag), names, user, user, MINUTE, 2)));
  }

  @Test
  void one_bookmark_is_claimed_by_who_may_and_the_next_one_hears_who_has_it_until_when() {
    given(start(id).taskFor(1, null, "group:finance"));

    assertThat(look(1, "bob", Set.of("user:bob")).permitted()).isFalse();
    assertThat(look(1, "anna", ANNA).granted()).isEqualTo(new Lease("anna", 1, now().plus(MINUTE)));

    Look later = look(1, "carol", Set.of("user:carol", "group:finance"));
    assertThat(later.permitted()).isTrue();
    assertThat(later.granted()).isNull();
    assertThat(later.held()).isTrue();
    assertThat(later.row().bookmark().holder()).isEqualTo("anna");
    assertThat(later.row().bookmark().leaseUntil()).isEqualTo(now().plus(MINUTE));

    clock.advance(MINUTE);
    assertThat(look(1, "carol", Set.of("group:finance")).granted())
        .isEqualTo(new Lease("carol", 2, now().plus(MINUTE)));
  }

  @Test
  void a_bookmark_of_another_tenant_a_timer_and_a_closed_one_are_claimed_by_nobody() {
    given(start(id).task(1).timer(2, in(1)).task(3));
    given(step(id, 1).spend(3, Guard.ANY, 0));

    assertThat(
            store
                .leases()
                .claimOne(
                    new One("umbrella", new BookmarkId(id, 1), ANNA, "anna", "anna", MINUTE, 2)))
        .isNull();
    assertThat(look(2, "anna", ANNA).granted()).isNull();
    assertThat(look(3, "anna", ANNA).granted()).isNull();
    assertThat(look(3, "anna", ANNA).row().bookmark().state()).isEqualTo(1);
  }

  @Test
  void the_holder_says_that_it_has_begun_and_how_far_it_is() {
    given(start(id).task(1));
    Claim claim =
        store.leases().claim(tasks(ANNA, ClaimOrder.PRIORITY_THEN_AGE), List.of("anna")).get(0);
    BookmarkId task = claim.bookmark();

    assertThat(store.leases().begin(task, "anna", 1)).isEqualTo(Begun.RUNNING);
    assertThat(store.leases().progress(task, 1L, "{\"percent\":50}")).isTrue();

    var row = look(1, "bob", Set.of("user:bob")).row();
    assertThat(row.handling().begun()).isTrue();
    assertThat(row.handling().extensions()).isEqualTo(2);
    assertThat(row.handling().progress()).isEqualTo("{\"percent\":50}");
    assertThat(store.leases().begin(task, "anna", 7)).isEqualTo(Begun.NOT_CURRENT);
    assertThat(store.leases().begin(task, "bob", 1)).isEqualTo(Begun.NOT_CURRENT);
    assertThat(store.leases().progress(task, 7L, "{}")).isFalse();
    assertThat(store.leases().progress(task, null, "{}")).isFalse();
  }

  @Test
  void how_far_it_is_outlives_the_holder_and_that_it_had_begun_does_not() {
    given(start(id).task(1));
    Claim claim =
        store.leases().claim(tasks(ANNA, ClaimOrder.PRIORITY_THEN_AGE), List.of("anna")).get(0);
    store.leases().begin(claim.bookmark(), "anna", 1);
    store.leases().progress(claim.bookmark(), 1L, "{\"percent\":50}");

    assertThat(store.leases().release(claim.bookmark(), 1)).isTrue();
    var next = look(1, "bob", Set.of("user:bob")).row();

    assertThat(next.handling().begun()).isFalse();
    assertThat(next.handling().progress()).isEqualTo("{\"percent\":50}");
  }

  @Test
  void where_nobody_holds_a_lease_progress_needs_no_fence() {
    given(start(id).task(1));

    assertThat(store.leases().progress(new BookmarkId(id, 1), null, "{\"percent\":1}")).isTrue();
  }

  @Test
  void what_is_given_back_with_a_pause_is_taken_by_nobody_before_it_is_over() {
    given(start(id).task(1));
    Claim claim =
        store.leases().claim(tasks(ANNA, ClaimOrder.PRIORITY_THEN_AGE), List.of("anna")).get(0);

    assertThat(store.leases().release(claim.bookmark(), 1, MINUTE.multipliedBy(5))).isTrue();
    assertThat(store.leases().release(claim.bookmark(), 7, MINUTE)).isFalse();

    clock.advance(MINUTE.multipliedBy(5).minus(MICRO));
    assertThat(claim(tasks(ANNA, ClaimOrder.PRIORITY_THEN_AGE), 1)).isEmpty();
    clock.advance(MICRO);
    assertThat(claim(tasks(ANNA, ClaimOrder.PRIORITY_THEN_AGE), 1)).containsExactly(1L);
  }
}
