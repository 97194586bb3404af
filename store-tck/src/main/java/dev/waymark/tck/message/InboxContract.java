package dev.waymark.tck.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Step.Spend.Guard;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.Inbox;
import dev.waymark.engine.store.Inbox.Place;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.tck.Race;
import dev.waymark.tck.Rows;
import dev.waymark.tck.StoreContract;
import dev.waymark.tck.StoreFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages that wait. */
public abstract class InboxContract extends StoreContract {

  private final InstanceId id = Rows.newId();

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private Inbox inbox;

  public InboxContract(StoreFactory stores) {
    super(stores);
  }

  @BeforeEach
  void askInbox() {
    inbox = store.inbox();
  }

  @Test
  void a_message_waits_as_it_was_received() {
    MessageRow message = message("m-1", "paid");

    assertThat(inbox.receive(message)).isTrue();

    assertThat(inbox.waitingFor(Rows.TENANT, id, Inbox.Place.START, 10)).containsExactly(message);
  }

  @Test
  void a_second_delivery_is_a_duplicate_and_changes_nothing() {
    MessageRow message = message("m-1", "paid");
    assertThat(inbox.receive(message)).isTrue();

    assertThat(inbox.receive(message("m-1", "other"))).isFalse();

    assertThat(inbox.waitingFor(Rows.TENANT, id, Inbox.Place.START, 10)).containsExactly(message);
  }

  @Test
  void a_delivery_after_the_message_was_spent_is_a_duplicate_too() {
    MessageRow message = message("m-1", "paid");
    given(start(id));
    assertThat(inbox.receive(message)).isTrue();
    given(step(id, 1).receive(message.key()));

    assertThat(inbox.receive(message)).isFalse();

    assertThat(inbox.waitingFor(Rows.TENANT, id, Inbox.Place.START, 10)).isEmpty();
  }

  @Test
  void a_message_is_waiting_from_its_receipt_until_it_is_spent() {
    MessageRow message = message("m-1", "paid");
    given(start(id));
    assertThat(inbox.isWaiting(message.key(), id)).isFalse();

    assertThat(inbox.receive(message)).isTrue();
    assertThat(inbox.isWaiting(message.key(), id)).isTrue();
    assertThat(inbox.isWaiting(message.key(), new InstanceId(new UUID(0, 99)))).isFalse();

    given(step(id, 1).receive(message.key()));
    assertThat(inbox.isWaiting(message.key(), id)).isFalse();
  }

  @Test
  void the_same_id_from_another_source_or_tenant_is_another_message() {
    MessageRow message = message("m-1", "paid");

    assertThat(inbox.receive(message)).isTrue();
    assertThat(inbox.receive(withKey(message, new Message.Key(Rows.TENANT, "bank", "m-1"))))
        .isTrue();
    assertThat(inbox.receive(withKey(message, new Message.Key("umbrella", "partner", "m-1"))))
        .isTrue();

    assertThat(inbox.waitingFor(Rows.TENANT, id, Inbox.Place.START, 10)).hasSize(2);
    assertThat(inbox.waitingFor("umbrella", id, Inbox.Place.START, 10)).hasSize(1);
  }

  @Test
  void of_eight_deliveries_of_one_message_one_is_new() throws Exception {
    List<Boolean> isNew = Race.run(i -> () -> inbox.receive(message("m-1", "paid")));

    assertThat(isNew).containsOnlyOnce(true);
    assertThat(inbox.waitingFor(Rows.TENANT, id, Inbox.Place.START, 10)).hasSize(1);
  }

  @Test
  void waiting_messages_of_an_instance_come_the_oldest_first_page_by_page() {
    inbox.receive(Rows.message(id, "m-3", "paid", now().plusSeconds(3)));
    inbox.receive(Rows.message(id, "m-2", "paid", now().plusSeconds(2)));
    inbox.receive(Rows.message(id, "m-1", "paid", now().plusSeconds(2)));
    inbox.receive(Rows.message(Rows.newId(), "m-0", "paid", now()));

    assertThat(ids(waiting(id))).containsExactly("m-1", "m-2", "m-3");
    Page<MessageRow> first = inbox.waitingFor(Rows.TENANT, id, Inbox.Place.START, 2);
    assertThat(ids(first.rows())).containsExactly("m-1", "m-2");
    assertThat(first.more()).isTrue();
    Inbox.Place place = Inbox.Place.of(first.rows().getLast());
    assertThat(ids(inbox.waitingFor(Rows.TENANT, id, place, 2).rows())).containsExactly("m-3");
    assertThat(inbox.waitingFor("another", id, Inbox.Place.START, 10)).isEmpty();
  }

  @Test
  void a_message_is_matchable_while_its_addressee_waits_for_its_name() {
    inbox.receive(message("m-1", "paid"));
    inbox.receive(message("m-2", "shipped"));
    assertThat(inbox.matchable(Place.START, 10)).isEmpty();

    given(start(id).bookmark(1, BookmarkKind.EXTERNAL_MESSAGE, "paid", null));
    assertThat(ids(inbox.matchable(Place.START, 10))).containsExactly("m-1");

    given(step(id, 1).spend(1, Guard.ANY, 0));
    assertThat(inbox.matchable(Place.START, 10)).isEmpty();
  }

  @Test
  void neither_another_kind_of_bookmark_nor_another_instance_makes_a_message_matchable() {
    inbox.receive(message("m-1", "paid"));

    given(
        start(id).bookmark(1, BookmarkKind.USER_ACTION, "paid", null),
        start(Rows.newId()).bookmark(1, BookmarkKind.EXTERNAL_MESSAGE, "paid", null));

    assertThat(inbox.matchable(Place.START, 10)).isEmpty();
  }

  @Test
  void a_message_is_matchable_once_however_many_bookmarks_wait_for_it() {
    inbox.receive(Rows.message(id, "m-2", "paid", now().plusSeconds(2)));
    inbox.receive(Rows.message(id, "m-1", "paid", now().plusSeconds(1)));

    given(
        start(id)
            .bookmark(1, BookmarkKind.EXTERNAL_MESSAGE, "paid", null)
            .bookmark(2, BookmarkKind.EXTERNAL_MESSAGE, "paid", null));

    assertThat(ids(inbox.matchable(Place.START, 10))).containsExactly("m-1", "m-2");
    assertThat(ids(inbox.matchable(Place.START, 1))).containsExactly("m-1");
  }

  @Test
  void matchable_messages_come_by_instance_and_age_and_in_pages() {
    InstanceId other = Rows.newId();
    inbox.receive(Rows.message(other, "m-4", "paid", now().plusSeconds(1)));
    inbox.receive(Rows.message(id, "m-2", "paid", now().plusSeconds(3)));
    inbox.receive(Rows.message(id, "m-1", "paid", now().plusSeconds(2)));
    inbox.receive(Rows.message(id, "m-3", "paid", now().plusSeconds(3)));
    given(
        start(id).bookmark(1, BookmarkKind.EXTERNAL_MESSAGE, "paid", null),
        start(other).bookmark(1, BookmarkKind.EXTERNAL_MESSAGE, "paid", null));

    List<String> seen = new ArrayList<>();
    Place place = Place.START;
    for (int page = 0; page < 4; page++) {
      MessageRow next = inbox.matchable(place, 1).rows().get(0);
      seen.add(next.key().id());
      place = Place.of(next);
    }

    assertThat(seen).containsExactly("m-1", "m-2", "m-3", "m-4");
    assertThat(inbox.matchable(place, 1)).isEmpty();
    assertThat(ids(inbox.matchable(Place.START, 9))).isEqualTo(seen);
  }

  @Test
  void what_an_instance_cannot_take_does_not_hide_what_it_can() {
    InstanceId other = Rows.newId();
    inbox.receive(message("m-0", "unknown"));
    inbox.receive(Rows.message(id, "m-1", "paid", now().plusSeconds(1)));
    inbox.receive(Rows.message(other, "m-2", "paid", now()));
    given(
        start(id).bookmark(1, BookmarkKind.EXTERNAL_MESSAGE, "paid", null),
        start(other).bookmark(1, BookmarkKind.EXTERNAL_MESSAGE, "paid", null));

    assertThat(ids(inbox.matchableOf(List.of(id), Place.START, 1))).containsExactly("m-1");
    assertThat(ids(inbox.matchableOf(List.of(other, id), Place.START, 9)))
        .containsExactly("m-1", "m-2");
    Place first = Place.of(inbox.matchableOf(List.of(other, id), Place.START, 1).rows().get(0));
    assertThat(ids(inbox.matchableOf(List.of(other, id), first, 1))).containsExactly("m-2");
    assertThat(inbox.matchableOf(List.of(), Place.START, 9)).isEmpty();
  }

  @Test
  void a_request_for_a_child_is_matchable_until_there_is_one() {
    inbox.receive(message("m-1", Message.START));
    assertThat(ids(inbox.matchable(Place.START, 10))).containsExactly("m-1");
    assertThat(ids(inbox.matchableOf(List.of(id), Place.START, 10))).containsExactly("m-1");

    given(start(id));

    assertThat(inbox.matchable(Place.START, 10)).isEmpty();
    assertThat(inbox.matchableOf(List.of(id), Place.START, 10)).isEmpty();
  }

  @Test
  void a_child_starts_by_spending_the_request_for_it() {
    MessageRow request = message("m-1", Message.START);
    InstanceId parent = Rows.newId();
    Rows child = start(id).childOf(parent, 7, true).receive(request.key());
    assertThat(outcome(child)).isEqualTo(Outcome.NOT_SPENDABLE);
    inbox.receive(request);

    assertThat(outcome(child)).isEqualTo(Outcome.COMMITTED);

    assertThat(inbox.isWaiting(request.key(), id)).isFalse();
    assertThat(load(id).instance()).isEqualTo(child.build().instance());
  }

  @Test
  void a_cancellation_is_matchable_while_its_addressee_lives() {
    inbox.receive(message("m-1", Message.CANCEL));
    assertThat(inbox.matchable(Place.START, 10)).isEmpty();

    given(start(id));
    assertThat(ids(inbox.matchable(Place.START, 10))).containsExactly("m-1");
    assertThat(ids(inbox.matchableOf(List.of(id), Place.START, 10))).containsExactly("m-1");

    given(step(id, 1).status(2));
    assertThat(inbox.matchable(Place.START, 10)).isEmpty();
  }

  @Test
  void a_signal_is_matchable_only_at_a_bookmark_that_was_there_when_it_was_sent() {
    String storm = Message.signal("storm");
    inbox.receive(message("m-1", storm));
    clock.advance(Limits.CLOCK_SKEW.plus(MICRO));
    given(start(id).bookmark(1, BookmarkKind.EXTERNAL_MESSAGE, storm, null));
    assertThat(inbox.matchable(Place.START, 10)).isEmpty();
    assertThat(inbox.matchableOf(List.of(id), Place.START, 10)).isEmpty();

    inbox.receive(message("m-2", storm));
    assertThat(ids(inbox.matchable(Place.START, 10))).containsExactly("m-2");
    assertThat(ids(inbox.matchableOf(List.of(id), Place.START, 10))).containsExactly("m-2");
  }

  private MessageRow message(String messageId, String name) {
    return Rows.message(id, messageId, name, now());
  }

  private static MessageRow withKey(MessageRow message, Message.Key key) {
    return new MessageRow(
        key,
        message.addressee(),
        message.name(),
        message.payload(),
        message.sender(),
        message.received());
  }

  private static List<String> ids(Iterable<MessageRow> messages) {
    List<String> ids = new ArrayList<>();
    messages.forEach(message -> ids.add(message.key().id()));
    return ids;
  }
}
