package dev.waymark.tck.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.store.Correlations.Place;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.StoredDefinitions.DefinitionRow;
import dev.waymark.engine.store.StoredDefinitions.Text;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.tck.Rows;
import dev.waymark.tck.StoreContract;
import dev.waymark.tck.StoreFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Messages that begin runs: which definitions want some, and which messages are free. */
public abstract class StartsContract extends StoreContract {

  private final InstanceId id = Rows.newId();

  public StartsContract(StoreFactory stores) {
    super(stores);
  }

  private DefinitionRow deploy(String tenant, String key, String text, String... starts) {
    return store
        .definitions()
        .deploy(new Text(tenant, key, text, text, List.of(starts)), "anna", true);
  }

  private List<DefinitionRow> wanting(@Nullable String tenant) {
    return store.starts().definitions(tenant, 10);
  }

  @Test
  void definitions_that_begin_with_messages_are_told_apart_by_tenant() {
    DefinitionRow order = deploy(Rows.TENANT, "order", "v1", "placed", "called");
    DefinitionRow other = deploy("umbrella", "order", "v1", "placed");
    deploy(Rows.TENANT, "quiet", "v1");

    assertThat(wanting(Rows.TENANT)).extracting(DefinitionRow::id).containsExactly(order.id());
    assertThat(wanting(null))
        .extracting(DefinitionRow::id)
        .containsExactlyInAnyOrder(order.id(), other.id());
  }

  @Test
  void only_the_active_version_counts() {
    DefinitionRow first = deploy(Rows.TENANT, "order", "v1", "placed");
    clock.advance(Duration.ofSeconds(1));
    DefinitionRow second = deploy(Rows.TENANT, "order", "v2");
    assertThat(wanting(Rows.TENANT)).isEmpty();

    store.definitions().retire(Rows.TENANT, "order", second.version());
    assertThat(wanting(Rows.TENANT)).extracting(DefinitionRow::id).containsExactly(first.id());

    store.definitions().retire(Rows.TENANT, "order", first.version());
    assertThat(wanting(null)).isEmpty();
  }

  private MessageRow message(String messageId, String name, @Nullable Instant expires) {
    return new MessageRow(
        new Message.Key(Rows.TENANT, "shop", messageId),
        null,
        name,
        "{}",
        "bob",
        now(),
        "key-" + messageId,
        expires);
  }

  private void receive(MessageRow... messages) {
    assertThat(store.correlations().receive(List.of(messages))).hasSize(messages.length);
  }

  @Test
  void a_message_is_free_while_it_waits_and_nobody_waits_for_it() {
    MessageRow free = message("m-1", "placed", null);
    MessageRow wanted = message("m-2", "placed", null);
    MessageRow over = message("m-3", "placed", now().plusSeconds(1));
    receive(free, wanted, over);
    given(start(id).awaiting(1, "placed", "key-m-2"));
    clock.advance(Duration.ofSeconds(2));

    assertThat(store.starts().free(List.of(free.key(), wanted.key(), over.key())))
        .containsExactly(free);
    assertThat(store.starts().free(Rows.TENANT, List.of("placed"), start(), 10))
        .containsExactly(free);
  }

  private static Place start() {
    return Place.startOf(Rows.TENANT);
  }

  @Test
  void the_full_look_finds_all_of_these_names_page_by_page() {
    List<MessageRow> all = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      all.add(message("m-" + i, i % 3 == 0 ? "other" : "placed", null));
    }
    receive(all.toArray(MessageRow[]::new));

    List<MessageRow> found = new ArrayList<>();
    Place place = start();
    Page<MessageRow> page;
    do {
      page = store.starts().free(Rows.TENANT, List.of("placed", "called"), place, 2);
      found.addAll(page.rows());
      place = page.rows().isEmpty() ? place : Place.of(page.rows().getLast());
    } while (page.more());

    assertThat(found).containsExactly(all.get(1), all.get(2), all.get(4), all.get(5));
    assertThat(store.starts().free("umbrella", List.of("placed"), Place.startOf("umbrella"), 9))
        .isEmpty();
  }
}
