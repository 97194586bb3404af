package dev.waymark.tck.message;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Step.Spend.Guard;
import dev.waymark.engine.store.Broadcasts;
import dev.waymark.engine.store.Broadcasts.Handout;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Signals to all instances that wait. */
public abstract class BroadcastsContract extends StoreContract {

  private static final String NAME = Message.signal("storm");

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private MessageRow broadcast;

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private Broadcasts broadcasts;

  public BroadcastsContract(StoreFactory stores) {
    super(stores);
  }

  @BeforeEach
  void askBroadcasts() {
    broadcasts = store.broadcasts();
    broadcast = Rows.message(null, "b-1", NAME, now());
  }

  @Test
  void a_broadcast_waits_until_it_has_reached_everybody() {
    InstanceId one = givenListener();
    givenBroadcast();
    assertThat(broadcasts.waiting(10)).containsExactly(broadcast);

    assertThat(handOut(10)).isEqualTo(new Handout(broadcast, List.of(one), true));

    assertThat(broadcasts.waiting(10)).isEmpty();
    assertThat(broadcasts.handOut(broadcast.key(), 10)).isNull();
  }

  @Test
  void everybody_who_waits_gets_a_message_of_their_own() {
    InstanceId one = givenListener();
    InstanceId two = givenListener();
    givenBroadcast();

    assertThat(handOut(10).addressees()).containsExactlyInAnyOrder(one, two);

    assertThat(waiting(one, two)).containsExactlyInAnyOrder(addressed(one), addressed(two));
    assertThat(store.inbox().matchable(Place.START, 10)).hasSize(2);
  }

  @Test
  void a_broadcast_goes_out_in_pages_and_goes_on_where_it_stopped() {
    List<InstanceId> listeners = Stream.generate(this::givenListener).limit(5).toList();
    givenBroadcast();
    List<InstanceId> reached = new ArrayList<>();

    for (int page = 1; page <= 2; page++) {
      Handout handout = handOut(2);
      assertThat(handout.finished()).isFalse();
      assertThat(handout.addressees()).hasSize(2);
      reached.addAll(handout.addressees());
    }
    assertThat(broadcasts.waiting(10)).hasSize(1);
    Handout last = handOut(2);
    reached.addAll(last.addressees());

    assertThat(last.finished()).isTrue();
    assertThat(reached).containsExactlyInAnyOrderElementsOf(listeners);
  }

  @Test
  void a_full_last_page_is_followed_by_an_empty_one() {
    givenListener();
    givenListener();
    givenBroadcast();

    assertThat(handOut(2).finished()).isFalse();
    assertThat(handOut(2)).isEqualTo(new Handout(broadcast, List.of(), true));
    assertThat(store.inbox().matchable(Place.START, 10)).hasSize(2);
  }

  @Test
  void nobody_waits_and_the_broadcast_is_over() {
    givenBroadcast();

    assertThat(handOut(10)).isEqualTo(new Handout(broadcast, List.of(), true));
    assertThat(broadcasts.waiting(10)).isEmpty();
  }

  @Test
  void only_an_open_message_bookmark_of_that_key_and_tenant_counts() {
    InstanceId closed = givenListener();
    given(step(closed, 1).spend(1, Guard.ANY, 0));
    given(
        start(Rows.newId())
            .bookmark(1, BookmarkKind.EXTERNAL_MESSAGE, Message.signal("calm"), null),
        start(Rows.newId()).bookmark(1, BookmarkKind.USER_ACTION, NAME, null),
        start(Rows.newId())
            .tenant("umbrella")
            .bookmark(1, BookmarkKind.EXTERNAL_MESSAGE, NAME, null));
    givenBroadcast();

    assertThat(handOut(10).addressees()).isEmpty();
  }

  @Test
  void an_instance_with_two_waits_for_a_signal_gets_it_once() {
    InstanceId id = Rows.newId();
    given(
        start(id)
            .bookmark(1, BookmarkKind.EXTERNAL_MESSAGE, NAME, null)
            .bookmark(2, BookmarkKind.EXTERNAL_MESSAGE, NAME, null));
    givenBroadcast();

    assertThat(handOut(10).addressees()).containsExactly(id);
  }

  @Test
  void who_comes_after_the_signal_is_not_told() {
    givenBroadcast();
    clock.advance(Limits.CLOCK_SKEW);
    InstanceId justInTime = givenListener();
    clock.advance(MICRO);
    givenListener();

    assertThat(handOut(10).addressees()).containsExactly(justInTime);
  }

  @Test
  void a_broadcast_of_the_same_key_is_a_duplicate_before_and_after_it_was_handed_out() {
    givenListener();
    givenBroadcast();
    assertThat(store.inbox().receive(broadcast)).isFalse();
    handOut(10);

    assertThat(store.inbox().receive(broadcast)).isFalse();
    assertThat(broadcasts.waiting(10)).isEmpty();
  }

  @Test
  void a_step_can_send_a_broadcast() {
    InstanceId listener = givenListener();

    given(start(Rows.newId()).send(broadcast));

    assertThat(broadcasts.waiting(10)).containsExactly(broadcast);
    assertThat(handOut(10).addressees()).containsExactly(listener);
  }

  @Test
  void the_oldest_broadcast_comes_first() {
    MessageRow older = Rows.message(null, "b-2", Message.signal("rain"), now().minus(HOUR));
    givenBroadcast();
    assertThat(store.inbox().receive(older)).isTrue();

    assertThat(broadcasts.waiting(10)).containsExactly(older, broadcast);
    assertThat(broadcasts.waiting(1)).containsExactly(older);
  }

  @Test
  void a_broadcast_is_nobodys_message_before_it_is_handed_out() {
    InstanceId listener = givenListener();
    givenBroadcast();

    assertThat(store.inbox().waitingFor(Rows.TENANT, listener, Inbox.Place.START, 10)).isEmpty();
    assertThat(store.inbox().matchable(Place.START, 10)).isEmpty();
    assertThat(store.inbox().clear(Place.START, 10)).isEqualTo(new Cleared(0, null));
  }

  @Test
  void eight_who_hand_the_same_broadcast_out_reach_everybody_once() throws Exception {
    List<InstanceId> listeners = Stream.generate(this::givenListener).limit(40).toList();
    givenBroadcast();

    List<List<InstanceId>> reached = Race.run(i -> this::handOutAll);

    assertThat(reached.stream().flatMap(List::stream))
        .containsExactlyInAnyOrderElementsOf(listeners);
    assertThat(waiting(listeners.toArray(InstanceId[]::new))).hasSize(40);
    assertThat(broadcasts.waiting(10)).isEmpty();
  }

  private List<InstanceId> handOutAll() {
    List<InstanceId> reached = new ArrayList<>();
    while (!broadcasts.waiting(1).isEmpty()) {
      Handout handout = broadcasts.handOut(broadcast.key(), 3);
      if (handout != null) {
        reached.addAll(handout.addressees());
      }
    }
    return reached;
  }

  private InstanceId givenListener() {
    InstanceId id = Rows.newId();
    given(start(id).bookmark(1, BookmarkKind.EXTERNAL_MESSAGE, NAME, null));
    return id;
  }

  private void givenBroadcast() {
    assertThat(store.inbox().receive(broadcast)).isTrue();
  }

  private Handout handOut(int limit) {
    return requireNonNull(broadcasts.handOut(broadcast.key(), limit), "handout");
  }

  private MessageRow addressed(InstanceId listener) {
    return new MessageRow(
        broadcast.key().of(listener),
        listener,
        broadcast.name(),
        broadcast.payload(),
        broadcast.sender(),
        broadcast.received());
  }
}
