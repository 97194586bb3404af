package dev.waymark.tck.bookmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Step.Spend.Guard;
import dev.waymark.engine.query.InboxPlace;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.UnitRows.BookmarkRow;
import dev.waymark.engine.store.Waits.WaitRow;
import dev.waymark.tck.Rows;
import dev.waymark.tck.StoreContract;
import dev.waymark.tck.StoreFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Open waits: in whose inboxes they are, how they change while they stay open. */
public abstract class WaitsContract extends StoreContract {

  private static final Set<String> ANNA = Set.of("user:anna", "group:finance");

  private final InstanceId id = Rows.newId();

  public WaitsContract(StoreFactory stores) {
    super(stores);
  }

  private Instant in(long minutes) {
    return now().plus(MINUTE.multipliedBy(minutes));
  }

  private List<Long> inbox(Set<String> who) {
    return store.waits().inbox(Rows.TENANT, who, InboxPlace.START, 100).rows().stream()
        .map(wait -> wait.bookmark().tag())
        .toList();
  }

  @Test
  void an_inbox_shows_what_its_owner_may_act_on_the_first_due_first() {
    given(
        start(id)
            .taskFor(1, null, "user:anna")
            .taskFor(2, in(5), "group:finance")
            .taskFor(3, in(3), "user:anna", "group:finance")
            .taskFor(4, in(1), "user:bob"));

    assertThat(inbox(ANNA)).containsExactly(3L, 2L, 1L);
    assertThat(inbox(Set.of("user:bob"))).containsExactly(4L);
    assertThat(inbox(Set.of("user:carol"))).isEmpty();
    assertThat(inbox(Set.of())).isEmpty();
    assertThat(store.waits().inbox("another", ANNA, InboxPlace.START, 100)).isEmpty();
  }

  @Test
  void pages_of_an_inbox_join_without_a_gap_also_where_many_are_due_at_once() {
    for (int i = 0; i < 5; i++) {
      InstanceId each = Rows.newId();
      given(
          start(each)
              .taskFor(1, in(1), "user:anna", "group:finance")
              .taskFor(2, in(1), "group:finance")
              .taskFor(3, null, "user:anna"));
    }

    List<Object> seen = new ArrayList<>();
    @Nullable InboxPlace after = InboxPlace.START;
    while (after != null) {
      List<WaitRow> page = store.waits().inbox(Rows.TENANT, ANNA, after, 4).rows();
      page.forEach(wait -> seen.add(wait.id()));
      after = page.isEmpty() ? null : page.getLast().place();
    }

    assertThat(seen).hasSize(15).doesNotHaveDuplicates();
  }

  @Test
  void what_is_spent_leaves_every_inbox() {
    given(start(id).taskFor(1, in(1), "user:anna", "group:finance"));

    given(step(id, 1).spend(1, Guard.ANY, 0).dismissed(1, in(1), "user:anna", "group:finance"));

    assertThat(inbox(ANNA)).isEmpty();
  }

  @Test
  void a_wait_that_changes_keeps_its_id_and_goes_to_the_inbox_of_another() {
    given(start(id).taskFor(1, in(1), "user:anna"));

    given(
        step(id, 1)
            .amend(1, "{\"b\":2}", in(9), false)
            .dismissed(1, in(1), "user:anna")
            .named(1, in(9), "user:bob"));

    assertThat(inbox(Set.of("user:anna"))).isEmpty();
    assertThat(inbox(Set.of("user:bob"))).containsExactly(1L);
    BookmarkRow changed = load(id).bookmarks().get(0);
    assertThat(changed.payload()).isEqualTo("{\"b\":2}");
    assertThat(changed.due()).isEqualTo(in(9));
    assertThat(changed.terms().document()).isEqualTo("{\"priority\":7}");
    assertThat(changed.state()).isZero();
  }

  @Test
  void a_change_leaves_the_lease_alone_unless_it_takes_it() {
    given(start(id).taskFor(1, null, "user:anna"));
    var claim =
        store.leases().claim(Rows.TENANT, BookmarkKind.USER_ACTION, "anna", MINUTE, 1).get(0);

    given(step(id, 1).amend(1, "{}", null, false));
    assertThat(load(id).bookmarks().get(0).holder()).isEqualTo("anna");

    given(step(id, 2).amend(1, "{}", null, true));
    assertThat(load(id).bookmarks().get(0).holder()).isNull();
    assertThat(store.leases().release(claim.bookmark(), claim.lease().fence())).isFalse();
  }

  @Test
  void a_wait_that_is_closed_cannot_be_changed() {
    given(start(id).taskFor(1, null, "user:anna"));
    given(step(id, 1).spend(1, Guard.ANY, 0).dismissed(1, null, "user:anna"));

    assertThat(outcome(step(id, 2).amend(1, "{}", null, false))).isEqualTo(Outcome.NOT_SPENDABLE);
  }
}
