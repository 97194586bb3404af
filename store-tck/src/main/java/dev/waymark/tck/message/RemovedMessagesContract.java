package dev.waymark.tck.message;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Step.Spend.Guard;
import dev.waymark.engine.store.Inbox;
import dev.waymark.engine.store.Inbox.Cleared;
import dev.waymark.engine.store.Inbox.Place;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.tck.Race;
import dev.waymark.tck.Rows;
import dev.waymark.tck.StoreContract;
import dev.waymark.tck.StoreFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages that leave the inbox and are not received: they are replaced or cleared. */
public abstract class RemovedMessagesContract extends StoreContract {

  private final InstanceId id = Rows.newId();

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private Inbox inbox;

  public RemovedMessagesContract(StoreFactory stores) {
    super(stores);
  }

  @BeforeEach
  void askInbox() {
    inbox = store.inbox();
  }

  @Test
  void a_waiting_message_is_replaced_once() {
    InstanceId parent = Rows.newId();
    MessageRow request = message("m-1", Message.START);
    MessageRow answer = Rows.message(parent, "m-2", Message.ended(id), now());
    inbox.receive(request);

    assertThat(inbox.replace(request.key(), answer)).isTrue();
    assertThat(inbox.replace(request.key(), answer)).isFalse();

    assertThat(waiting(id, parent)).containsExactly(answer);
    assertThat(inbox.receive(request)).as("no trace of it is left").isTrue();
  }

  @Test
  void a_waiting_message_can_be_replaced_by_nothing_and_a_spent_one_not_at_all() {
    MessageRow dropped = message("m-1", Message.START);
    MessageRow spent = message("m-2", Message.START);
    inbox.receive(dropped);
    inbox.receive(spent);
    given(start(id).receive(spent.key()));

    assertThat(inbox.replace(dropped.key(), null)).isTrue();
    assertThat(inbox.replace(spent.key(), message("m-3", "paid"))).isFalse();

    assertThat(inbox.waitingFor(Rows.TENANT, id, Inbox.Place.START, 10)).isEmpty();
  }

  @Test
  void of_eight_who_replace_a_message_one_does() throws Exception {
    MessageRow request = message("m-1", Message.START);
    inbox.receive(request);

    List<Boolean> replaced =
        Race.run(i -> () -> inbox.replace(request.key(), message("answer-" + i, "paid")));

    assertThat(replaced).containsOnlyOnce(true);
    assertThat(inbox.waitingFor(Rows.TENANT, id, Inbox.Place.START, 10)).hasSize(1);
  }

  @Test
  void messages_to_an_instance_that_has_ended_are_cleared() {
    inbox.receive(message("m-1", "paid"));
    inbox.receive(message("m-2", Message.CANCEL));
    given(start(id));
    assertThat(clear()).isZero();

    given(step(id, 1).status(3));

    assertThat(clear()).isEqualTo(2);
    assertThat(inbox.waitingFor(Rows.TENANT, id, Inbox.Place.START, 10)).isEmpty();
  }

  @Test
  void clearing_goes_through_what_waits_page_by_page() {
    List<InstanceId> ended = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      InstanceId one = givenStarted();
      inbox.receive(Rows.message(one, "m-" + i, "paid", now()));
      ended.add(one);
    }
    InstanceId alive = ended.remove(1);
    ended.forEach(one -> given(step(one, 1).status(2)));

    Cleared first = inbox.clear(Place.START, 2);
    assertThat(first.removed()).isEqualTo(1);
    Cleared second = inbox.clear(requireNonNull(first.last()), 2);
    assertThat(second.removed()).isEqualTo(1);
    assertThat(inbox.clear(requireNonNull(second.last()), 2)).isEqualTo(new Cleared(0, null));
    assertThat(ids(inbox.waitingFor(Rows.TENANT, alive, Inbox.Place.START, 10)))
        .containsExactly("m-1");
  }

  @Test
  void clearing_passes_over_no_message_of_an_instance_that_has_more_than_a_page() {
    given(start(id));
    for (int i = 0; i < 5; i++) {
      inbox.receive(message("m-" + i, "paid"));
    }
    given(step(id, 1).status(2));

    int removed = 0;
    Place after = Place.START;
    while (after != null) {
      Cleared page = inbox.clear(after, 2);
      removed += page.removed();
      after = page.last();
    }

    assertThat(removed).isEqualTo(5);
  }

  @Test
  void a_message_of_another_tenant_is_no_match_and_is_cleared_as_one_for_nobody() {
    given(start(id).bookmark(1, BookmarkKind.EXTERNAL_MESSAGE, "paid", null));
    MessageRow own = message("m-1", "paid");
    MessageRow foreign =
        new MessageRow(
            new Message.Key("mallory", "shop", "m-2"),
            id,
            "paid",
            "{}",
            "mallory",
            now(),
            null,
            null);
    inbox.receive(own);
    inbox.receive(foreign);

    assertThat(inbox.matchable(Place.START, 10)).containsExactly(own);
    assertThat(inbox.matchableOf(List.of(id), Place.START, 10)).containsExactly(own);
    assertThat(clear()).isZero();

    clock.advance(Limits.MESSAGE_FOR_NOBODY.plus(MINUTE));
    assertThat(clear()).isEqualTo(1);
    assertThat(inbox.waitingFor(Rows.TENANT, id, Inbox.Place.START, 10)).containsExactly(own);
  }

  private int clear() {
    return inbox.clear(Place.START, 10).removed();
  }

  @Test
  void what_was_spent_is_not_cleared() {
    MessageRow message = message("m-1", "paid");
    inbox.receive(message);
    given(start(id).receive(message.key()));
    given(step(id, 1).status(2));

    assertThat(clear()).isZero();
    assertThat(inbox.receive(message)).as("it is remembered").isFalse();
  }

  @Test
  void a_second_request_for_a_child_that_is_there_is_cleared() {
    inbox.receive(message("m-1", Message.START));
    assertThat(clear()).isZero();

    given(start(id));

    assertThat(clear()).isEqualTo(1);
  }

  @Test
  void a_signal_is_cleared_once_nobody_waits_for_it() {
    String storm = Message.signal("storm");
    given(start(id).bookmark(1, BookmarkKind.EXTERNAL_MESSAGE, storm, null));
    inbox.receive(message("m-1", storm));
    assertThat(clear()).isZero();
    clock.advance(HOUR);

    given(
        step(id, 1).spend(1, Guard.ANY, 0).bookmark(2, BookmarkKind.EXTERNAL_MESSAGE, storm, null));

    assertThat(clear()).isEqualTo(1);
  }

  @Test
  void messages_for_an_instance_that_never_comes_are_cleared_after_a_while() {
    inbox.receive(message("m-1", "paid"));
    inbox.receive(message("m-2", Message.CANCEL));
    inbox.receive(message("m-3", Message.START));
    InstanceId alive = givenStarted();
    inbox.receive(Rows.message(alive, "m-4", "paid", now()));
    clock.advance(Limits.MESSAGE_FOR_NOBODY);
    assertThat(clear()).isZero();

    clock.advance(MICRO);

    assertThat(clear()).isEqualTo(2);
    assertThat(ids(waiting(id, alive)))
        .as("a child can still be started, and an instance that lives may still ask")
        .containsExactly("m-3", "m-4");
  }

  private MessageRow message(String messageId, String name) {
    return Rows.message(id, messageId, name, now());
  }

  private static List<String> ids(Iterable<MessageRow> messages) {
    List<String> ids = new ArrayList<>();
    messages.forEach(message -> ids.add(message.key().id()));
    return ids;
  }
}
