package dev.waymark.tck.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Step.Spend.Guard;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.Load;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.engine.store.UnitRows.ActivityRow;
import dev.waymark.engine.store.UnitRows.HistoryRow;
import dev.waymark.engine.store.UnitRows.InstanceRow;
import dev.waymark.tck.Race;
import dev.waymark.tck.Rows;
import dev.waymark.tck.StoreContract;
import dev.waymark.tck.StoreFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** One unit by itself: the rows that it writes, and the gates that stop it. */
public abstract class CommitContract extends StoreContract {

  public CommitContract(StoreFactory stores) {
    super(stores);
  }

  @Test
  void a_start_writes_the_instance_as_it_was_given() {
    InstanceId id = Rows.newId();
    Rows start = start(id).variables("{\"amount\":7}").correlationId("order-7").beginWaiting(1);

    assertThat(outcome(start)).isEqualTo(Outcome.COMMITTED);

    Load.Answer answer = load(id);
    assertThat(answer.instance()).isEqualTo(start.build().instance());
    assertThat(answer.activities()).isEqualTo(start.build().begun());
  }

  @Test
  void no_units_give_no_results() {
    assertThat(store.commit(node, List.of())).isEmpty();
  }

  @Test
  void a_start_of_an_instance_that_exists_changes_nothing() {
    InstanceId id = givenStarted();
    Map<String, List<String>> before = tables.rowsOf(id);

    assertThat(outcome(start(id).beginWaiting(5).label("a", "b"))).isEqualTo(Outcome.EXISTS);

    assertThat(tables.rowsOf(id)).isEqualTo(before);
  }

  @Test
  void of_eight_starts_of_one_instance_one_commits() throws Exception {
    InstanceId id = Rows.newId();

    List<Outcome> outcomes = Race.run(i -> () -> outcome(start(id).by("command-" + i)));

    assertThat(outcomes).containsOnlyOnce(Outcome.COMMITTED);
    assertThat(outcomes).isSubsetOf(Outcome.COMMITTED, Outcome.EXISTS, Outcome.BUSY);
  }

  @Test
  void a_step_moves_the_version_it_stands_on() {
    InstanceId id = givenStarted();

    assertThat(outcome(step(id, 1))).isEqualTo(Outcome.COMMITTED);

    assertThat(versionOf(id)).isEqualTo(2);
  }

  @Test
  void a_step_without_variables_keeps_those_that_are_there() {
    InstanceId id = Rows.newId();
    given(start(id).variables("{\"amount\":7}"));

    given(step(id, 1));

    assertThat(load(id).instance()).extracting(InstanceRow::variables).isEqualTo("{\"amount\":7}");
  }

  @Test
  void a_step_on_a_version_that_has_passed_is_stale() {
    InstanceId id = givenStarted();
    given(step(id, 1));
    Map<String, List<String>> before = tables.rowsOf(id);

    assertThat(outcome(step(id, 1).beginWaiting(9))).isEqualTo(Outcome.STALE);

    assertThat(tables.rowsOf(id)).isEqualTo(before);
  }

  @Test
  void a_step_of_an_instance_that_is_not_there_is_stale() {
    InstanceId id = Rows.newId();

    assertThat(outcome(step(id, 1))).isEqualTo(Outcome.STALE);

    assertThat(tables.rowsOf(id)).isEmpty();
  }

  @Test
  void a_unit_of_several_steps_leaves_the_history_of_all_and_one_image_of_its_rows() {
    InstanceId id = Rows.newId();
    given(start(id).beginWaiting(1));

    given(step(id, 1).version(4).end(1).beginWaiting(4).event("sink", 0));

    assertThat(versionOf(id)).isEqualTo(4);
    assertThat(store.instances().history(id, 1, 10))
        .extracting(HistoryRow::version)
        .containsExactly(1L, 2L, 3L, 4L);
    assertThat(load(id).activities()).extracting(ActivityRow::visit).containsExactly(4L);
  }

  @Test
  void a_visit_is_begun_changed_and_ended() {
    InstanceId id = Rows.newId();
    given(start(id).beginReady(1, now()).beginWaiting(2));

    Rows change = step(id, 1).changeToRunning(1, 1, node);
    given(change);
    assertThat(load(id).activities()).contains(change.build().changed().get(0));

    given(step(id, 2).end(1));
    assertThat(load(id).activities()).extracting(ActivityRow::visit).containsExactly(2L);
  }

  @Test
  void labels_that_are_given_replace_those_before() {
    InstanceId id = Rows.newId();
    given(start(id).labels(Map.of("team", "red", "area", "north")));

    given(step(id, 1).labels(Map.of("team", "blue")));
    given(step(id, 2));

    assertThat(tables.rowsOf(id).get("wm_label"))
        .singleElement()
        .asString()
        .contains("team", "blue");
  }

  @Test
  void empty_labels_remove_those_before() {
    InstanceId id = Rows.newId();
    given(start(id).labels(Map.of("team", "red")));

    given(step(id, 1).labels(Map.of()));

    assertThat(tables.rowsOf(id)).doesNotContainKey("wm_label");
  }

  @Test
  void a_second_start_with_a_business_key_that_is_taken_writes_nothing() {
    InstanceId second = Rows.newId();
    given(start(Rows.newId()).businessKey("order-1"));

    assertThat(outcome(start(second).businessKey("order-1").label("a", "b")))
        .isEqualTo(Outcome.EXISTS);

    assertThat(tables.rowsOf(second)).isEmpty();
  }

  @Test
  void the_same_business_key_serves_another_tenant() {
    given(start(Rows.newId()).businessKey("order-1"));

    assertThat(outcome(start(Rows.newId()).tenant("umbrella").businessKey("order-1")))
        .isEqualTo(Outcome.COMMITTED);
  }

  @Test
  void a_key_is_freed_at_the_end_and_can_be_taken_again() {
    InstanceId first = Rows.newId();
    given(start(first).businessKey("order-1"));

    given(step(first, 1).status(2).freeKey(Rows.BUSINESS_KEY, "order-1"));

    assertThat(outcome(start(Rows.newId()).businessKey("order-1"))).isEqualTo(Outcome.COMMITTED);
  }

  @Test
  void of_eight_starts_with_one_business_key_one_commits() throws Exception {
    List<InstanceId> ids = Stream.generate(Rows::newId).limit(8).toList();

    List<Outcome> outcomes = Race.run(i -> () -> outcome(start(ids.get(i)).businessKey("order-1")));

    assertThat(outcomes).containsOnlyOnce(Outcome.COMMITTED);
    assertThat(outcomes).isSubsetOf(Outcome.COMMITTED, Outcome.EXISTS, Outcome.BUSY);
    assertThat(ids).filteredOn(id -> !tables.rowsOf(id).isEmpty()).hasSize(1);
  }

  @Test
  void a_start_whose_command_is_known_exists() {
    InstanceId second = Rows.newId();
    given(start(Rows.newId()).remember("start", "command-1", "abc"));

    assertThat(outcome(start(second).remember("start", "command-1", "abc")))
        .isEqualTo(Outcome.EXISTS);

    assertThat(tables.rowsOf(second)).isEmpty();
  }

  @Test
  void a_step_whose_command_is_known_is_stale_because_loading_again_finds_it() {
    InstanceId id = givenStarted();
    given(start(Rows.newId()).remember("resume", "command-1", "abc"));

    assertThat(outcome(step(id, 1).remember("resume", "command-1", "abc")))
        .isEqualTo(Outcome.STALE);

    assertThat(versionOf(id)).isEqualTo(1);
  }

  @Test
  void a_node_that_has_lapsed_commits_nothing() {
    InstanceId id = givenStarted();
    clock.advance(Duration.ofDays(1));

    assertThat(outcome(step(id, 1))).isEqualTo(Outcome.NODE_NOT_ALIVE);
    assertThat(versionOf(id)).isEqualTo(1);

    var unused = store.nodes().renew(node, HOUR);
    assertThat(outcome(step(id, 1))).isEqualTo(Outcome.COMMITTED);
  }

  @Test
  void a_dead_node_commits_nothing() {
    InstanceId id = givenStarted();
    store.nodes().leave(node);

    List<Rows> units = List.of(step(id, 1), start(Rows.newId()));

    assertThat(store.commit(node, units.stream().map(Rows::build).toList()))
        .extracting(result -> result.outcome())
        .containsOnly(Outcome.NODE_NOT_ALIVE);
    assertThat(versionOf(id)).isEqualTo(1);
  }

  @Test
  void a_node_that_never_registered_commits_nothing() {
    assertThat(store.commit(Rows.newNode(), List.of(start(Rows.newId()).build())))
        .extracting(result -> result.outcome())
        .containsExactly(Outcome.NODE_NOT_ALIVE);
  }

  @Test
  void history_gives_the_entries_of_a_unit_back_as_they_were_written() {
    InstanceId id = Rows.newId();
    UnitRows begun = start(id).by("the-start").build();
    UnitRows moved = step(id, 1).by("the-step").entry(2, 0).entry(2, 1).build();

    assertThat(store.commit(node, List.of(begun))).containsExactly(CommitResult.COMMITTED);
    assertThat(store.commit(node, List.of(moved))).containsExactly(CommitResult.COMMITTED);

    assertThat(store.instances().history(id, 1, begun.history().size())).isEqualTo(begun.history());
    assertThat(store.instances().history(id, 2, 10)).isEqualTo(moved.history());
    assertThat(store.instances().history(Rows.newId(), 1, 10)).isEmpty();
  }

  @Test
  void of_eight_steps_on_one_version_one_commits() throws Exception {
    InstanceId id = givenStarted();

    List<Outcome> outcomes = Race.run(i -> () -> outcome(step(id, 1).by("command-" + i)));

    assertThat(outcomes).containsOnlyOnce(Outcome.COMMITTED);
    assertThat(outcomes).isSubsetOf(Outcome.COMMITTED, Outcome.STALE, Outcome.BUSY);
    assertThat(store.instances().history(id, 2, 10)).hasSize(1);
  }

  @Test
  void of_eight_steps_that_spend_one_bookmark_one_commits() throws Exception {
    InstanceId id = Rows.newId();
    given(start(id).task(1));

    List<Outcome> outcomes = Race.run(i -> () -> outcome(step(id, 1).spend(1, Guard.ANY, 0)));

    assertThat(outcomes).containsOnlyOnce(Outcome.COMMITTED);
    assertThat(load(id).bookmarks()).isEmpty();
  }
}
