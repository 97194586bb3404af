package dev.waymark.tck.bookmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Lease;
import dev.waymark.core.step.Step.Spend.Guard;
import dev.waymark.engine.store.Leases;
import dev.waymark.engine.store.Leases.Claim;
import dev.waymark.tck.Race;
import dev.waymark.tck.Rows;
import dev.waymark.tck.StoreContract;
import dev.waymark.tck.StoreFactory;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims on bookmarks. */
public abstract class LeasesContract extends StoreContract {

  private final InstanceId id = Rows.newId();

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private Leases leases;

  public LeasesContract(StoreFactory stores) {
    super(stores);
  }

  @BeforeEach
  void askLeases() {
    leases = store.leases();
  }

  @Test
  void a_claim_holds_the_bookmark_for_its_time() {
    given(start(id).task(1));

    Claim claim = claim("anna", 10).get(0);

    assertThat(claim.bookmark()).isEqualTo(new BookmarkId(id, 1));
    assertThat(claim.key()).isEqualTo("task-1");
    assertThat(claim.payload()).isEqualTo("{\"b\":1}");
    assertThat(claim.lease()).isEqualTo(new Lease("anna", 1, now().plus(MINUTE)));

    var held = load(id).bookmarks().get(0);
    assertThat(held.holder()).isEqualTo("anna");
    assertThat(held.leaseUntil()).isEqualTo(now().plus(MINUTE));
    assertThat(held.fence()).isEqualTo(1);
    assertThat(versionOf(id)).isEqualTo(1);
  }

  @Test
  void a_held_bookmark_is_claimed_by_nobody_else_until_it_lapses() {
    given(start(id).task(1));
    var unused = claim("anna", 10);

    clock.advance(MINUTE.minus(MICRO));
    assertThat(claim("bob", 10)).isEmpty();

    clock.advance(MICRO);
    assertThat(claim("bob", 10)).extracting(c -> c.lease().fence()).containsExactly(2L);
  }

  @Test
  void only_open_bookmarks_of_that_tenant_and_kind_are_claimed() {
    given(
        start(id)
            .task(1)
            .task(2)
            .bookmark(3, BookmarkKind.APPROVAL, "approve", null)
            .timer(4, now()),
        start(Rows.newId()).tenant("umbrella").task(1));
    given(step(id, 1).spend(2, Guard.ANY, 0));

    assertThat(claim("anna", 10))
        .extracting(Claim::bookmark)
        .containsExactly(new BookmarkId(id, 1));
  }

  @Test
  void free_bookmarks_go_by_age_and_no_more_than_the_limit() {
    given(start(id).task(1));
    clock.advance(MINUTE);
    given(step(id, 1).task(2));
    clock.advance(MINUTE);
    given(step(id, 2).task(-3));

    assertThat(claim("anna", 2))
        .extracting(c -> c.bookmark().tag())
        .containsExactlyInAnyOrder(1L, 2L);
    assertThat(claim("anna", 2)).extracting(c -> c.bookmark().tag()).containsExactly(-3L);
    assertThat(claim("anna", 2)).isEmpty();
  }

  @Test
  void lapsed_claims_go_before_free_bookmarks() {
    given(start(id).task(1).task(2).task(3));
    Claim lapsed = claim("anna", 1).get(0);
    clock.advance(MINUTE);

    assertThat(claim("bob", 1)).extracting(Claim::bookmark).containsExactly(lapsed.bookmark());
    assertThat(claim("bob", 10)).hasSize(2);
  }

  @Test
  void eight_claimers_pass_each_other() throws Exception {
    Rows start = start(id);
    for (int tag = 1; tag <= 40; tag++) {
      start.task(tag);
    }
    given(start);

    List<List<Claim>> claims = Race.run(i -> () -> claim("worker-" + i, 6));

    assertThat(claims).allSatisfy(own -> assertThat(own).hasSizeLessThanOrEqualTo(6));
    assertThat(claims.stream().flatMap(List::stream).map(Claim::bookmark)).doesNotHaveDuplicates();
    assertThat(claims.stream().flatMap(List::stream))
        .extracting(c -> c.lease().fence())
        .containsOnly(1L);
    int claimed = claims.stream().mapToInt(List::size).sum();
    assertThat(claimed + claim("rest", 100).size()).isEqualTo(40);
  }

  @Test
  void a_claim_is_extended_from_now_on() {
    Claim claim = givenClaim();
    clock.advance(MINUTE.dividedBy(2));

    assertThat(leases.extend(claim.bookmark(), "anna", 1, MINUTE))
        .isEqualTo(new Lease("anna", 1, now().plus(MINUTE)));

    clock.advance(MINUTE.minus(MICRO));
    assertThat(claim("bob", 1)).isEmpty();
  }

  @Test
  void a_lapsed_claim_is_extended_while_nobody_else_has_it() {
    Claim claim = givenClaim();
    clock.advance(HOUR);

    assertThat(leases.extend(claim.bookmark(), "anna", 1, MINUTE)).isNotNull();

    assertThat(claim("bob", 1)).isEmpty();
  }

  @Test
  void a_stale_fence_neither_extends_nor_releases() {
    Claim stale = givenClaim();
    clock.advance(HOUR);
    Claim current = claim("bob", 1).get(0);

    assertThat(leases.extend(stale.bookmark(), "anna", stale.lease().fence(), MINUTE)).isNull();
    assertThat(leases.release(stale.bookmark(), stale.lease().fence())).isFalse();

    assertThat(load(id).bookmarks().get(0).holder()).isEqualTo("bob");
    assertThat(leases.release(current.bookmark(), current.lease().fence())).isTrue();
  }

  @Test
  void the_same_holder_with_an_earlier_fence_is_stale_too() {
    Claim stale = givenClaim();
    clock.advance(HOUR);
    Claim current = claim("anna", 1).get(0);

    assertThat(leases.extend(stale.bookmark(), "anna", stale.lease().fence(), MINUTE)).isNull();
    assertThat(leases.extend(current.bookmark(), "anna", current.lease().fence(), MINUTE))
        .isNotNull();
  }

  @Test
  void a_claim_that_is_given_back_is_free_at_once_and_its_fence_stays_used() {
    Claim claim = givenClaim();

    assertThat(leases.release(claim.bookmark(), 1)).isTrue();

    assertThat(leases.release(claim.bookmark(), 1)).isFalse();
    assertThat(leases.extend(claim.bookmark(), "anna", 1, MINUTE)).isNull();
    assertThat(claim("bob", 1)).extracting(c -> c.lease().fence()).containsExactly(2L);
  }

  @Test
  void a_claim_that_is_withdrawn_is_free_at_once() {
    Claim claim = givenClaim();

    assertThat(leases.withdraw(claim.bookmark(), claim.lease())).isTrue();

    assertThat(leases.withdraw(claim.bookmark(), claim.lease())).isFalse();
    assertThat(claim("bob", 1)).extracting(c -> c.lease().fence()).containsExactly(2L);
  }

  /** A claim that was rolled back leaves its fence to the next one. */
  @Test
  void a_claim_that_was_undone_is_not_taken_for_another_with_its_fence() {
    Claim claim = givenClaim();
    Lease held = claim.lease();
    Lease ofAnother = new Lease("bob", held.fence(), held.until());
    Lease ofBefore = new Lease(held.holder(), held.fence(), held.until().minusMillis(1));

    assertThat(leases.withdraw(claim.bookmark(), ofAnother)).isFalse();
    assertThat(leases.withdraw(claim.bookmark(), ofBefore)).isFalse();

    assertThat(load(id).bookmarks().get(0).holder()).isEqualTo("anna");
  }

  @Test
  void a_bookmark_that_is_closed_is_neither_extended_nor_released() {
    Claim claim = givenClaim();
    given(step(id, 1).spend(1, Guard.FENCE, 1));

    assertThat(leases.extend(claim.bookmark(), "anna", 1, MINUTE)).isNull();
    assertThat(leases.release(claim.bookmark(), 1)).isFalse();
    assertThat(claim("bob", 1)).isEmpty();
  }

  @Test
  void a_bookmark_that_never_was_is_neither_extended_nor_released() {
    BookmarkId unknown = new BookmarkId(Rows.newId(), 1);

    assertThat(leases.extend(unknown, "anna", 1, MINUTE)).isNull();
    assertThat(leases.release(unknown, 1)).isFalse();
  }

  private Claim givenClaim() {
    given(start(id).task(1));
    return claim("anna", 1).get(0);
  }

  private List<Claim> claim(String holder, int limit) {
    return leases.claim(Rows.TENANT, BookmarkKind.USER_ACTION, holder, MINUTE, limit);
  }
}
