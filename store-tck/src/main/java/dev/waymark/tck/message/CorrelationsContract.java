package dev.waymark.tck.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Step.Spend.Guard;
import dev.waymark.engine.query.NearMiss;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.Correlations.Match;
import dev.waymark.engine.store.Correlations.MatchPlace;
import dev.waymark.engine.store.Correlations.Place;
import dev.waymark.engine.store.Correlations.Stored;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.tck.Rows;
import dev.waymark.tck.StoreContract;
import dev.waymark.tck.StoreFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Messages that name a correlation key, and the waits that they are for. */
public abstract class CorrelationsContract extends StoreContract {

  private final InstanceId id = Rows.newId();

  public CorrelationsContract(StoreFactory stores) {
    super(stores);
  }

  private MessageRow message(String messageId, String correlation) {
    return message(messageId, correlation, null);
  }

  private MessageRow message(String messageId, String correlation, @Nullable Instant expires) {
    return new MessageRow(
        new Message.Key(Rows.TENANT, "bank", messageId),
        null,
        "paid",
        "{\"c\":1}",
        "bob",
        now(),
        correlation,
        expires);
  }

  private List<Stored> receive(MessageRow... messages) {
    return store.correlations().receive(List.of(messages));
  }

  @Test
  void a_message_is_stored_once_also_within_one_batch() {
    assertThat(receive(message("m-1", "order-1"), message("m-1", "order-1")))
        .containsExactly(new Stored(true, null), new Stored(false, null));
    assertThat(receive(message("m-1", "order-1"), message("m-2", "order-2")))
        .extracting(Stored::fresh)
        .containsExactly(false, true);
  }

  @Test
  void who_waits_already_is_told_with_the_receipt() {
    given(start(id).awaiting(1, "paid", "order-1"));

    assertThat(receive(message("m-1", "order-1"), message("m-2", "order-2")))
        .containsExactly(new Stored(true, id), new Stored(true, null));
  }

  @Test
  void a_message_finds_who_began_to_wait_after_it_and_the_wait_finds_the_message() {
    MessageRow early = message("m-1", "order-1");
    receive(early, message("m-2", "order-2"));
    given(start(id).awaiting(1, "paid", "order-1"));

    assertThat(store.correlations().of(Set.of(early.key()))).containsExactly(new Match(early, id));
    assertThat(store.correlations().to(Set.of(id), MatchPlace.START, 10))
        .containsExactly(new Match(early, id));
    assertThat(store.correlations().targets(early.key(), 10)).containsExactly(id);
    assertThat(store.correlations().matchable(Place.START, 10))
        .containsExactly(new Match(early, id));
  }

  @Test
  void a_wait_finds_all_of_its_messages_the_oldest_first() {
    MessageRow first = message("m-1", "order-1");
    MessageRow second = message("m-2", "order-1");
    receive(first);
    receive(second);
    given(start(id).awaiting(1, "paid", "order-1"));

    assertThat(store.correlations().to(Set.of(id), MatchPlace.START, 10))
        .containsExactly(new Match(first, id), new Match(second, id));
    assertThat(store.correlations().to(Set.of(id), MatchPlace.START, 1))
        .containsExactly(new Match(first, id));
  }

  @Test
  void waits_and_messages_of_one_key_are_paired_and_not_matched_each_with_each() {
    List<InstanceId> runs = new ArrayList<>();
    List<MessageRow> messages = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      InstanceId run = Rows.newId();
      given(start(run).awaiting(1, "paid", "order-1").awaiting(2, "paid", "order-" + (i + 2)));
      runs.add(run);
      messages.add(message("m-" + i, "order-1"));
      receive(messages.get(i));
    }
    MessageRow other = message("m-9", "order-4");
    receive(other);
    runs.sort(null);

    assertThat(store.correlations().pairs(runs.subList(0, 3), MatchPlace.START, 100))
        .filteredOn(match -> !match.message().equals(other))
        .containsExactly(
            new Match(messages.get(0), runs.get(0)),
            new Match(messages.get(1), runs.get(1)),
            new Match(messages.get(2), runs.get(2)));
    assertThat(store.correlations().pairs(runs, MatchPlace.START, 100))
        .hasSize(6)
        .doesNotHaveDuplicates()
        .extracting(Match::message)
        .contains(other)
        .doesNotHaveDuplicates();
  }

  @Test
  void pairs_go_on_behind_the_last_wait_of_the_page_before() {
    List<InstanceId> runs = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      InstanceId run = Rows.newId();
      given(start(run).awaiting(1, "paid", "order-" + i));
      runs.add(run);
      receive(message("m-" + i, "order-" + i));
    }
    runs.sort(null);

    Page<Match> first = store.correlations().pairs(runs, MatchPlace.START, 3);
    assertThat(first).extracting(Match::instance).isEqualTo(runs.subList(0, 3));
    assertThat(first.more()).isTrue();
    Page<Match> second = store.correlations().pairs(runs, MatchPlace.of(first.rows().getLast()), 3);
    assertThat(second).extracting(Match::instance).isEqualTo(runs.subList(3, 5));
    assertThat(second.more()).isFalse();
  }

  @Test
  void what_was_stored_can_be_asked_for_by_its_key() {
    MessageRow message = message("m-1", "order-1");
    receive(message);

    assertThat(store.correlations().stored(Set.of(message.key(), message("m-2", "order-1").key())))
        .containsExactly(message);
  }

  @Test
  void a_wait_with_another_name_or_key_is_not_found() {
    given(start(id).awaiting(1, "shipped", "order-1").awaiting(2, "paid", "order-2"));
    MessageRow message = message("m-1", "order-1");

    assertThat(receive(message)).containsExactly(new Stored(true, null));
    assertThat(store.correlations().of(Set.of(message.key()))).isEmpty();
    assertThat(store.correlations().to(Set.of(id), MatchPlace.START, 10)).isEmpty();
    assertThat(store.correlations().nearMisses(message.key(), 10))
        .containsExactlyInAnyOrder(
            new NearMiss(id, "shipped", "order-1"), new NearMiss(id, "paid", "order-2"));
  }

  @Test
  void a_step_spends_the_message_with_the_wait_and_no_other_step_can() {
    given(start(id).awaiting(1, "paid", "order-1"));
    InstanceId other = Rows.newId();
    given(start(other).awaiting(1, "paid", "order-1"));
    MessageRow message = message("m-1", "order-1");
    receive(message);

    given(step(id, 1).spend(1, Guard.ANY, 0).receive(message.key()));

    assertThat(outcome(step(other, 1).spend(1, Guard.ANY, 0).receive(message.key())))
        .isEqualTo(Outcome.NOT_SPENDABLE);
    assertThat(store.correlations().targets(message.key(), 10)).isEmpty();
    assertThat(store.inbox().isWaiting(message.key(), other)).isFalse();
  }

  @Test
  void what_waits_is_listed_in_pages_of_its_tenant() {
    for (int i = 0; i < 7; i++) {
      receive(message("m-" + i, "order-" + i % 3));
    }

    List<String> seen = new ArrayList<>();
    Place after = Place.startOf(Rows.TENANT);
    List<MessageRow> page;
    do {
      page = store.correlations().waiting(Rows.TENANT, after, 3).rows();
      page.forEach(row -> seen.add(row.key().id()));
      after = page.isEmpty() ? after : Place.of(page.getLast());
    } while (!page.isEmpty());

    assertThat(seen).hasSize(7).doesNotHaveDuplicates();
    assertThat(store.correlations().waiting("another", Place.startOf("another"), 3)).isEmpty();
  }

  @Test
  void what_has_waited_too_long_is_removed_and_nothing_else() {
    receive(
        message("m-1", "order-1", now().plus(MINUTE)),
        message("m-2", "order-1", now().plus(MINUTE.multipliedBy(3))),
        message("m-3", "order-1"));
    assertThat(store.correlations().expire(10)).isZero();

    clock.advance(MINUTE);

    given(start(id).awaiting(1, "paid", "order-1"));
    assertThat(store.correlations().of(Set.of(message("m-1", "order-1").key()))).isEmpty();
    assertThat(store.correlations().expire(10)).isEqualTo(1);
    assertThat(store.correlations().waiting(Rows.TENANT, Place.startOf(Rows.TENANT), 10))
        .extracting(row -> row.key().id())
        .containsExactlyInAnyOrder("m-2", "m-3");
  }
}
