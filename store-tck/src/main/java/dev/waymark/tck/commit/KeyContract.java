package dev.waymark.tck.commit;

import static dev.waymark.tck.Rows.start;
import static dev.waymark.tck.Rows.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.tck.Rows;
import dev.waymark.tck.StoreContract;
import dev.waymark.tck.StoreFactory;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Several units of one batch that take or free the same business key. */
public abstract class KeyContract extends StoreContract {

  private final InstanceId first = Rows.newId();
  private final InstanceId second = Rows.newId();

  public KeyContract(StoreFactory stores) {
    super(stores);
  }

  @Test
  void of_two_starts_in_a_batch_with_one_key_the_first_gets_it() {
    assertThat(outcomes(start(first).businessKey("k"), start(second).businessKey("k")))
        .containsExactly(Outcome.COMMITTED, Outcome.EXISTS);

    assertThat(tables.rowsOf(second)).isEmpty();
  }

  @Test
  void the_others_of_their_batch_are_committed() {
    InstanceId other = Rows.newId();
    InstanceId last = Rows.newId();

    assertThat(
            outcomes(
                start(first).businessKey("k"),
                start(other),
                start(second).businessKey("k"),
                start(last).businessKey("another")))
        .containsExactly(Outcome.COMMITTED, Outcome.COMMITTED, Outcome.EXISTS, Outcome.COMMITTED);
  }

  @Test
  void a_start_behind_one_that_was_stopped_can_have_the_key_at_the_next_try() {
    given(start(first));

    List<Outcome> outcomes =
        outcomes(start(first).businessKey("k"), start(second).businessKey("k"));

    assertThat(outcomes).first().isEqualTo(Outcome.EXISTS);
    assertThat(outcomes).last().isIn(Outcome.COMMITTED, Outcome.BUSY);
    if (outcomes.get(1) == Outcome.BUSY) {
      assertThat(outcome(start(second).businessKey("k"))).isEqualTo(Outcome.COMMITTED);
    }
    assertThat(outcome(start(Rows.newId()).businessKey("k"))).isEqualTo(Outcome.EXISTS);
  }

  @Test
  void a_start_that_ends_at_once_needs_its_key_to_be_free_and_does_not_hold_it() {
    assertThat(outcome(start(first).status(2).businessKey("k"))).isEqualTo(Outcome.COMMITTED);
    assertThat(outcome(start(second).businessKey("k"))).isEqualTo(Outcome.COMMITTED);

    assertThat(outcome(start(Rows.newId()).status(2).businessKey("k"))).isEqualTo(Outcome.EXISTS);
  }

  @Test
  void a_start_behind_one_that_ends_at_once_can_have_the_key_at_the_next_try() {
    List<Outcome> outcomes =
        outcomes(start(first).status(2).businessKey("k"), start(second).businessKey("k"));

    assertThat(outcomes.get(0)).isEqualTo(Outcome.COMMITTED);
    assertThat(outcomes.get(1)).isIn(Outcome.COMMITTED, Outcome.BUSY);
    if (outcomes.get(1) == Outcome.BUSY) {
      assertThat(outcome(start(second).businessKey("k"))).isEqualTo(Outcome.COMMITTED);
    }
  }

  @Test
  void the_same_key_serves_two_tenants_in_one_batch() {
    assertThat(
            outcomes(
                start(first).businessKey("k"), start(second).tenant("umbrella").businessKey("k")))
        .containsOnly(Outcome.COMMITTED);
  }

  @Test
  void a_start_in_the_batch_that_frees_its_key_has_it_then_or_at_the_next_try() {
    given(start(first).businessKey("k"));

    List<Outcome> outcomes =
        outcomes(
            step(first, 1).status(2).freeKey(Rows.BUSINESS_KEY, "k"),
            start(second).businessKey("k"));

    assertThat(outcomes).first().isEqualTo(Outcome.COMMITTED);
    assertThat(outcomes).last().isIn(Outcome.COMMITTED, Outcome.EXISTS, Outcome.BUSY);
    if (outcomes.get(1) != Outcome.COMMITTED) {
      assertThat(outcome(start(second).businessKey("k"))).isEqualTo(Outcome.COMMITTED);
    }
  }

  private List<Outcome> outcomes(Rows... units) {
    List<UnitRows> batch = Stream.of(units).map(Rows::build).toList();
    return store.commit(node, batch).stream().map(CommitResult::outcome).toList();
  }
}
