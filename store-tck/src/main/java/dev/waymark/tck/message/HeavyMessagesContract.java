package dev.waymark.tck.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.store.Correlations.Match;
import dev.waymark.engine.store.Correlations.MatchPlace;
import dev.waymark.engine.store.Correlations.Place;
import dev.waymark.engine.store.Inbox;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.tck.Rows;
import dev.waymark.tck.StoreContract;
import dev.waymark.tck.StoreFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Pages of messages with large payloads: bounded by bytes, and going on behind the last row. */
public abstract class HeavyMessagesContract extends StoreContract {

  private static final int MESSAGES = 11;
  private static final int LIMIT = Limits.MESSAGES_PER_PAGE;
  private static final String LARGE = "{\"text\":\"" + "x".repeat(1_900_000) + "\"}";
  private static final int MOST_OF_A_PAGE = Limits.BATCH_BYTES / LARGE.length() + 1;

  public HeavyMessagesContract(StoreFactory stores) {
    super(stores);
  }

  @Test
  void pages_of_addressed_messages_are_cut_by_bytes_and_reach_all() {
    List<InstanceId> runs = List.of(Rows.newId(), Rows.newId(), Rows.newId());
    for (int i = 0; i < MESSAGES; i++) {
      receive(message(i, runs.get(i % 3), null, LARGE));
    }
    runs.forEach(run -> given(start(run).bookmark(1, BookmarkKind.EXTERNAL_MESSAGE, "paid", null)));

    assertHeavy(
        readAll(
            Inbox.Place.START, after -> store.inbox().matchable(after, LIMIT), Inbox.Place::of));
    assertHeavy(
        readAll(
            Inbox.Place.START,
            after -> store.inbox().matchableOf(runs, after, LIMIT),
            Inbox.Place::of));
  }

  @Test
  void pages_of_correlated_messages_are_cut_by_bytes_and_reach_all() {
    // Two waits of one run and one of another; the first has more messages than fit into a page.
    InstanceId one = Rows.newId();
    InstanceId other = Rows.newId();
    Set<Message.Key> keys = new HashSet<>();
    for (int i = 0; i < MESSAGES; i++) {
      String order = i < 7 ? "order-1" : i < 9 ? "order-2" : "order-3";
      keys.add(receive(message(i, null, order, LARGE)));
    }
    given(
        start(one).awaiting(1, "paid", "order-1").awaiting(2, "paid", "order-3"),
        start(other).awaiting(1, "paid", "order-2"));

    assertHeavy(
        messages(
            readAll(
                Place.START,
                after -> store.correlations().matchable(after, LIMIT),
                match -> Place.of(match.message()))));
    assertHeavy(
        messages(
            readAll(
                MatchPlace.START,
                after -> store.correlations().to(List.of(one, other), after, LIMIT),
                MatchPlace::of)));
    assertHeavy(messages(readAllOf(keys, store.correlations()::of, Match::message)));
  }

  @Test
  void pages_of_free_messages_are_cut_by_bytes_and_reach_all() {
    Set<Message.Key> keys = new HashSet<>();
    for (int i = 0; i < MESSAGES; i++) {
      keys.add(receive(message(i, null, "order-" + i, LARGE)));
    }

    assertHeavy(
        readAll(
            Place.startOf(Rows.TENANT),
            after -> store.starts().free(Rows.TENANT, List.of("paid"), after, LIMIT),
            Place::of));
    assertHeavy(readAllOf(keys, left -> store.starts().free(left), row -> row));
  }

  @Test
  void a_message_larger_than_a_page_comes_alone_and_one_without_payload_counts_nothing() {
    InstanceId run = Rows.newId();
    String huge = "\"" + "x".repeat(Limits.BATCH_BYTES + 1) + "\"";
    MessageRow empty = message(0, run, null, null);
    receive(empty);
    receive(message(1, run, null, huge));
    receive(message(2, run, null, huge));
    receive(message(3, run, null, null));
    given(start(run).bookmark(1, BookmarkKind.EXTERNAL_MESSAGE, "paid", null));

    List<Page<MessageRow>> pages =
        readAll(
            Inbox.Place.START,
            after -> store.inbox().matchableOf(List.of(run), after, LIMIT),
            Inbox.Place::of);

    assertThat(pages).extracting(page -> page.rows().size()).containsExactly(2, 1, 1);
    assertThat(pages.getFirst()).first().isEqualTo(empty);
  }

  @Test
  void of_waits_with_one_correlation_key_each_message_is_found_for_each_run_page_by_page() {
    List<InstanceId> runs = List.of(Rows.newId(), Rows.newId());
    for (int i = 0; i < 5; i++) {
      receive(message(i, null, "order-1", "{}"));
    }
    runs.forEach(run -> given(start(run).awaiting(1, "paid", "order-1")));

    List<Page<Match>> pages =
        readAll(MatchPlace.START, after -> store.correlations().to(runs, after, 3), MatchPlace::of);

    assertThat(pages).hasSize(4);
    assertThat(pages.stream().flatMap(page -> page.rows().stream()))
        .hasSize(10)
        .doesNotHaveDuplicates();
  }

  private MessageRow message(
      int number,
      @Nullable InstanceId run,
      @Nullable String correlation,
      @Nullable String payload) {
    return new MessageRow(
        new Message.Key(Rows.TENANT, "bank", "m-%02d".formatted(number)),
        run,
        "paid",
        payload,
        "bob",
        now().plusSeconds(number),
        correlation,
        null);
  }

  private Message.Key receive(MessageRow message) {
    assertThat(store.inbox().receive(message)).isTrue();
    return message.key();
  }

  private static <P, T> List<Page<T>> readAll(
      P start, Function<P, Page<T>> read, Function<T, P> place) {
    List<Page<T>> pages = new ArrayList<>();
    P after = start;
    do {
      pages.add(read.apply(after));
      List<T> last = pages.getLast().rows();
      after = last.isEmpty() ? after : place.apply(last.getLast());
    } while (pages.getLast().more());
    return pages;
  }

  /** Asks for those that were not answered yet. */
  private static <T> List<Page<T>> readAllOf(
      Set<Message.Key> keys,
      Function<Set<Message.Key>, Page<T>> read,
      Function<T, MessageRow> message) {
    Set<Message.Key> left = new HashSet<>(keys);
    List<Page<T>> pages = new ArrayList<>();
    do {
      pages.add(read.apply(left));
      pages.getLast().forEach(row -> left.remove(message.apply(row).key()));
    } while (pages.getLast().more());
    return pages;
  }

  private static List<Page<MessageRow>> messages(List<Page<Match>> pages) {
    return pages.stream()
        .map(page -> new Page<>(page.rows().stream().map(Match::message).toList(), page.more()))
        .toList();
  }

  private static void assertHeavy(List<Page<MessageRow>> pages) {
    assertThat(pages.stream().flatMap(page -> page.rows().stream()).map(row -> row.key().id()))
        .hasSize(MESSAGES)
        .doesNotHaveDuplicates();
    assertThat(pages)
        .allSatisfy(page -> assertThat(page.rows()).hasSizeLessThanOrEqualTo(MOST_OF_A_PAGE));
  }
}
