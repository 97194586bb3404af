package dev.waymark.core.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.waymark.core.Limits;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class MessageTest {

  private static final Instant NOON = Instant.parse("2026-01-12T12:00:00Z");
  private static final InstanceId ID = new InstanceId(new UUID(1, 2));
  private static final Message.Key KEY = new Message.Key("acme", "radio", "s1");

  private static Message message(InstanceId addressee, String name) {
    return new Message(KEY, addressee, name, Map.of(), "bob", NOON);
  }

  private static Bookmark bookmark(BookmarkKind kind, String key, Instant created) {
    return new Bookmark(
        new BookmarkId(ID, 1), 1, kind, key, Map.of(), null, null, created, null, Terms.NONE);
  }

  @Test
  void names_of_the_engine_are_not_for_users() {
    assertThat(Message.given("paid")).isEqualTo("paid");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Message.given(Message.CANCEL))
        .withMessage("Expected a message name that does not begin with '$', but got '$cancel'");
    assertThatIllegalArgumentException().isThrownBy(() -> Message.signal("$storm"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Message.Key.given("acme", Message.FROM_A_STEP, "1"))
        .withMessageContaining("'instance'");
    assertThat(Message.Key.given("acme", "radio", "s1")).isEqualTo(KEY);
  }

  @Test
  void only_a_signal_may_have_no_addressee() {
    assertThat(message(null, Message.signal("storm")).isBroadcast()).isTrue();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> message(null, "paid"))
        .withMessageContaining("'paid' has neither");
  }

  @Test
  void what_a_broadcast_becomes_for_somebody_has_always_the_same_key() {
    Message broadcast = message(null, Message.signal("storm"));

    Message addressed = broadcast.to(ID);

    assertThat(addressed.addressee()).isEqualTo(ID);
    assertThat(addressed.key()).isEqualTo(broadcast.to(ID).key());
    assertThat(addressed.key().source()).isEqualTo(Message.FROM_A_BROADCAST);
    assertThat(addressed.key().id()).endsWith(":00000000000000010000000000000002");
    assertThat(broadcast.to(new InstanceId(new UUID(1, 3))).key()).isNotEqualTo(addressed.key());
  }

  @Test
  void the_longest_keys_make_keys_that_are_not_too_long() {
    String longest = "x".repeat(Limits.NAME_BYTES);
    Message.Key key = new Message.Key("acme", longest, longest);

    assertThat(key.of(ID).id()).hasSizeLessThan(100);
    assertThat(key.stem()).isNotEqualTo(new Message.Key("acme", longest, "x").stem());
  }

  @Test
  void the_name_of_a_childs_end_names_the_child() {
    assertThat(Message.child(Message.ended(ID))).isEqualTo(ID);
    assertThatIllegalArgumentException().isThrownBy(() -> Message.child("$ended:somebody"));
    assertThatIllegalArgumentException().isThrownBy(() -> Message.child("paid"));
  }

  @Test
  void a_message_is_for_a_message_bookmark_of_its_name_whenever_it_was_opened() {
    Message paid = message(ID, "paid");
    Instant later = NOON.plusSeconds(86_400);

    assertThat(paid.isFor(bookmark(BookmarkKind.EXTERNAL_MESSAGE, "paid", later))).isTrue();
    assertThat(paid.isFor(bookmark(BookmarkKind.EXTERNAL_MESSAGE, "sent", later))).isFalse();
    assertThat(paid.isFor(bookmark(BookmarkKind.USER_ACTION, "paid", later))).isFalse();
  }

  @Test
  void a_signal_is_for_those_who_waited_when_it_was_sent() {
    String storm = Message.signal("storm");
    Message signal = message(ID, storm);
    Instant latest = NOON.plus(Limits.CLOCK_SKEW);

    assertThat(signal.isFor(bookmark(BookmarkKind.EXTERNAL_MESSAGE, storm, NOON))).isTrue();
    assertThat(signal.isFor(bookmark(BookmarkKind.EXTERNAL_MESSAGE, storm, latest))).isTrue();
    assertThat(signal.isFor(bookmark(BookmarkKind.EXTERNAL_MESSAGE, storm, latest.plusNanos(1))))
        .isFalse();
  }

  @Test
  void what_parents_and_children_tell_each_other_is_read_as_it_was_written() {
    Instance.Origin.Parent parent = new Instance.Origin.Parent(ID, 7, true);
    ChildStart all =
        new ChildStart("child", 3, Map.of("n", 1L), "key", "corr", "00-trace-01", parent);
    ChildStart least = new ChildStart("child", null, Map.of(), null, null, null, parent);
    Fault fault = new Fault(Fault.Type.STARTUP, "NOT_FOUND", "gone", false);

    assertThat(ChildStart.fromDocument(all.toDocument())).isEqualTo(all);
    assertThat(ChildStart.fromDocument(least.toDocument())).isEqualTo(least);
    for (ChildEnd end :
        new ChildEnd[] {
          ChildEnd.completed(Map.of("n", 2L)), ChildEnd.failed(fault), ChildEnd.cancelled()
        }) {
      assertThat(ChildEnd.fromDocument(end.toDocument())).isEqualTo(end);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ChildStart.fromDocument(Map.of("definition", "child")))
        .withMessageContaining("'parent'");
  }
}
