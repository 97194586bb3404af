package dev.waymark.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Step.Spend.Guard;
import dev.waymark.engine.store.Inbox;
import dev.waymark.engine.store.UnitRows.MessageRow;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages that wait. */
public abstract class InboxContract extends StoreContract {

  private final InstanceId id = Rows.newId();

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private Inbox inbox;

  protected InboxContract(StoreFactory stores) {
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

    assertThat(inbox.waitingFor(List.of(id), 10)).containsExactly(message);
  }

  @Test
  void a_second_delivery_is_a_duplicate_and_changes_nothing() {
    MessageRow message = message("m-1", "paid");
    assertThat(inbox.receive(message)).isTrue();

    assertThat(inbox.receive(message("m-1", "other"))).isFalse();

    assertThat(inbox.waitingFor(List.of(id), 10)).containsExactly(message);
  }

  @Test
  void a_delivery_after_the_message_was_spent_is_a_duplicate_too() {
    MessageRow message = message("m-1", "paid");
    given(start(id));
    assertThat(inbox.receive(message)).isTrue();
    given(step(id, 1).receive(message.key()));

    assertThat(inbox.receive(message)).isFalse();

    assertThat(inbox.waitingFor(List.of(id), 10)).isEmpty();
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

    assertThat(inbox.waitingFor(List.of(id), 10)).hasSize(3);
  }

  @Test
  void of_eight_deliveries_of_one_message_one_is_new() throws Exception {
    List<Boolean> isNew = Race.run(i -> () -> inbox.receive(message("m-1", "paid")));

    assertThat(isNew).containsOnlyOnce(true);
    assertThat(inbox.waitingFor(List.of(id), 10)).hasSize(1);
  }

  @Test
  void waiting_messages_of_several_instances_come_the_oldest_first() {
    InstanceId other = Rows.newId();
    inbox.receive(Rows.message(other, "m-3", "paid", now().plusSeconds(3)));
    inbox.receive(Rows.message(id, "m-2", "paid", now().plusSeconds(2)));
    inbox.receive(Rows.message(other, "m-1", "paid", now().plusSeconds(1)));
    inbox.receive(Rows.message(Rows.newId(), "m-0", "paid", now()));

    assertThat(ids(inbox.waitingFor(List.of(id, other), 10))).containsExactly("m-1", "m-2", "m-3");
    assertThat(ids(inbox.waitingFor(List.of(id, other), 2))).containsExactly("m-1", "m-2");
    assertThat(inbox.waitingFor(List.of(), 10)).isEmpty();
  }

  @Test
  void a_message_is_matchable_while_its_addressee_waits_for_its_name() {
    inbox.receive(message("m-1", "paid"));
    inbox.receive(message("m-2", "shipped"));
    assertThat(inbox.matchable(10)).isEmpty();

    given(start(id).bookmark(1, BookmarkKind.EXTERNAL_MESSAGE, "paid", null));
    assertThat(ids(inbox.matchable(10))).containsExactly("m-1");

    given(step(id, 1).spend(1, Guard.ANY, 0));
    assertThat(inbox.matchable(10)).isEmpty();
  }

  @Test
  void neither_another_kind_of_bookmark_nor_another_instance_makes_a_message_matchable() {
    inbox.receive(message("m-1", "paid"));

    given(
        start(id).bookmark(1, BookmarkKind.USER_ACTION, "paid", null),
        start(Rows.newId()).bookmark(1, BookmarkKind.EXTERNAL_MESSAGE, "paid", null));

    assertThat(inbox.matchable(10)).isEmpty();
  }

  @Test
  void a_message_is_matchable_once_however_many_bookmarks_wait_for_it() {
    inbox.receive(Rows.message(id, "m-2", "paid", now().plusSeconds(2)));
    inbox.receive(Rows.message(id, "m-1", "paid", now().plusSeconds(1)));

    given(
        start(id)
            .bookmark(1, BookmarkKind.EXTERNAL_MESSAGE, "paid", null)
            .bookmark(2, BookmarkKind.EXTERNAL_MESSAGE, "paid", null));

    assertThat(ids(inbox.matchable(10))).containsExactly("m-1", "m-2");
    assertThat(ids(inbox.matchable(1))).containsExactly("m-1");
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

  private static List<String> ids(List<MessageRow> messages) {
    return messages.stream().map(message -> message.key().id()).toList();
  }
}
