package dev.waymark.tck.bookmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.tck.Race;
import dev.waymark.tck.Rows;
import dev.waymark.tck.StoreContract;
import dev.waymark.tck.StoreFactory;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Round-robin counters of groups. */
public abstract class TurnsContract extends StoreContract {

  private final InstanceId id = Rows.newId();

  public TurnsContract(StoreFactory stores) {
    super(stores);
  }

  @Test
  void every_group_of_every_tenant_counts_for_itself() {
    assertThat(store.turns().next("default", "finance")).isEqualTo(1);
    assertThat(store.turns().next("default", "finance")).isEqualTo(2);
    assertThat(store.turns().next("default", "legal")).isEqualTo(1);
    assertThat(store.turns().next("other", "finance")).isEqualTo(1);
  }

  @Test
  void everybody_who_asks_at_the_same_time_gets_another_turn() throws Exception {
    List<Long> turns = Race.run(runner -> () -> store.turns().next("default", "finance"));

    assertThat(turns).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
  }

  @Test
  void the_load_of_a_person_counts_the_tasks_that_name_them() {
    given(
        start(id)
            .taskFor(1, null, "user:anna")
            .taskFor(2, null, "user:anna", "user:bert")
            .taskFor(3, null, "group:finance"));

    assertThat(store.turns().loads(Rows.TENANT, List.of("anna", "bert", "carl")))
        .isEqualTo(Map.of("anna", 2L, "bert", 1L));
    assertThat(store.turns().loads("other", List.of("anna"))).isEmpty();
  }
}
