package dev.waymark.tck.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Step.Spend.Guard;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.Inbox;
import dev.waymark.engine.store.Leases.Claim;
import dev.waymark.engine.store.Load;
import dev.waymark.engine.store.UnitRows.BookmarkRow;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.tck.Rows;
import dev.waymark.tck.StoreContract;
import dev.waymark.tck.StoreFactory;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bookmarks and messages that a step spends, and the guards that check them. */
public abstract class SpendContract extends StoreContract {

  private final InstanceId id = Rows.newId();

  public SpendContract(StoreFactory stores) {
    super(stores);
  }

  @BeforeEach
  void startWithATaskAndATimer() {
    given(start(id).task(1).timer(2, now().plus(MINUTE)));
  }

  @Test
  void a_spent_bookmark_is_closed_and_says_by_whom() {
    given(step(id, 1).spend(1, Guard.ANY, 0));

    BookmarkRow closed = bookmark(1);
    assertThat(closed.state()).isEqualTo(1);
    assertThat(closed.closedBy()).isEqualTo("anna");
    assertThat(closed.closedAt()).isEqualTo(now());
    assertThat(load(id).bookmarks()).extracting(BookmarkRow::tag).containsExactly(2L);
  }

  @Test
  void a_bookmark_is_spent_once() {
    given(step(id, 1).spend(1, Guard.ANY, 0));

    refused(step(id, 2).spend(1, Guard.ANY, 0));
  }

  @Test
  void a_bookmark_that_never_was_cannot_be_spent() {
    refused(step(id, 1).spend(99, Guard.ANY, 0));
  }

  @Test
  void several_bookmarks_are_spent_together_or_not_at_all() {
    refused(step(id, 1).spend(1, Guard.ANY, 0).spend(2, Guard.DUE, 0));

    clock.advance(MINUTE);
    given(step(id, 1).spend(1, Guard.ANY, 0).spend(2, Guard.DUE, 0));
    assertThat(load(id).bookmarks()).isEmpty();
  }

  @Test
  void a_timer_is_not_spent_a_microsecond_before_it_is_due() {
    clock.advance(MINUTE.minus(MICRO));
    refused(step(id, 1).spend(2, Guard.DUE, 0));

    clock.advance(MICRO);
    assertThat(outcome(step(id, 1).spend(2, Guard.DUE, 0))).isEqualTo(Outcome.COMMITTED);
  }

  @Test
  void a_free_bookmark_is_spent_without_a_fence() {
    assertThat(outcome(step(id, 1).spend(1, Guard.FREE, 0))).isEqualTo(Outcome.COMMITTED);
  }

  @Test
  void a_claimed_bookmark_is_not_free_until_its_lease_has_lapsed() {
    var unused = claim("anna");
    refused(step(id, 1).spend(1, Guard.FREE, 0));

    clock.advance(MINUTE);
    assertThat(outcome(step(id, 1).spend(1, Guard.FREE, 0))).isEqualTo(Outcome.COMMITTED);
  }

  @Test
  void a_claim_is_spent_by_its_fence_and_ends_with_it() {
    long fence = claim("anna").lease().fence();

    given(step(id, 1).spend(1, Guard.FENCE, fence));

    BookmarkRow closed = bookmark(1);
    assertThat(closed.holder()).isNull();
    assertThat(closed.leaseUntil()).isNull();
    assertThat(closed.fence()).isEqualTo(fence);
  }

  @Test
  void a_claim_that_has_lapsed_is_spent_while_nobody_else_has_begun() {
    long fence = claim("anna").lease().fence();
    clock.advance(HOUR);

    assertThat(outcome(step(id, 1).spend(1, Guard.FENCE, fence))).isEqualTo(Outcome.COMMITTED);
  }

  @Test
  void a_fence_of_an_earlier_claim_spends_nothing() {
    long stale = claim("anna").lease().fence();
    clock.advance(HOUR);
    long current = claim("bob").lease().fence();

    refused(step(id, 1).spend(1, Guard.FENCE, stale));

    assertThat(outcome(step(id, 1).spend(1, Guard.FENCE, current))).isEqualTo(Outcome.COMMITTED);
  }

  @Test
  void the_fence_of_a_claim_that_was_given_back_spends_nothing() {
    Claim claim = claim("anna");
    assertThat(store.leases().release(claim.bookmark(), claim.lease().fence())).isTrue();

    refused(step(id, 1).spend(1, Guard.FENCE, claim.lease().fence()));
  }

  @Test
  void a_message_is_spent_with_the_step() {
    MessageRow message = givenMessage("m-1");

    given(step(id, 1).receive(message.key()));

    assertThat(store.inbox().waitingFor(Rows.TENANT, id, Inbox.Place.START, 10)).isEmpty();
  }

  @Test
  void a_message_is_spent_once() {
    MessageRow message = givenMessage("m-1");
    given(step(id, 1).receive(message.key()));

    refused(step(id, 2).receive(message.key()));
  }

  @Test
  void a_message_that_never_came_cannot_be_spent() {
    refused(step(id, 1).receive(new Message.Key(Rows.TENANT, "partner", "unknown")));
  }

  @Test
  void a_bookmark_and_a_message_are_spent_together_or_not_at_all() {
    MessageRow message = givenMessage("m-1");

    refused(step(id, 1).spend(99, Guard.ANY, 0).receive(message.key()));
    assertThat(store.inbox().waitingFor(Rows.TENANT, id, Inbox.Place.START, 10))
        .containsExactly(message);

    given(step(id, 1).spend(1, Guard.ANY, 0).receive(message.key()));
  }

  @Test
  void a_message_that_is_sent_waits_for_its_addressee() {
    InstanceId addressee = Rows.newId();
    MessageRow message = Rows.message(addressee, "m-1", "paid", now());

    given(step(id, 1).send(message));
    given(step(id, 2).send(message));

    assertThat(store.inbox().waitingFor(Rows.TENANT, addressee, Inbox.Place.START, 10))
        .containsExactly(message);
  }

  private MessageRow givenMessage(String messageId) {
    MessageRow message = Rows.message(id, messageId, "paid", now());
    assertThat(store.inbox().receive(message)).isTrue();
    return message;
  }

  private Claim claim(String holder) {
    List<Claim> claims =
        store.leases().claim(Rows.TENANT, BookmarkKind.USER_ACTION, holder, MINUTE, 1);
    assertThat(claims).hasSize(1);
    return claims.get(0);
  }

  private void refused(Rows unit) {
    Map<String, List<String>> before = tables.rowsOf(id);
    assertThat(outcome(unit)).isEqualTo(Outcome.NOT_SPENDABLE);
    assertThat(tables.rowsOf(id)).isEqualTo(before);
  }

  private BookmarkRow bookmark(long tag) {
    Load question = new Load(id, Rows.TENANT, null, null, tag, null);
    BookmarkRow found = store.load(List.of(question)).get(0).bookmark();
    if (found == null) {
      throw new AssertionError("Expected bookmark " + tag + ", but there is none");
    }
    return found;
  }
}
