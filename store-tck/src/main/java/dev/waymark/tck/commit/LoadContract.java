package dev.waymark.tck.commit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Instance.Origin.Parent;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Step.Spend.Guard;
import dev.waymark.engine.store.Load;
import dev.waymark.engine.store.Load.EarlierCommand;
import dev.waymark.engine.store.UnitRows.ActivityRow;
import dev.waymark.engine.store.UnitRows.BookmarkRow;
import dev.waymark.tck.Race;
import dev.waymark.tck.Rows;
import dev.waymark.tck.StoreContract;
import dev.waymark.tck.StoreFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Answers to questions about instances. */
public abstract class LoadContract extends StoreContract {

  private final InstanceId id = Rows.newId();

  public LoadContract(StoreFactory stores) {
    super(stores);
  }

  @Test
  void an_instance_that_is_not_there_has_an_empty_answer() {
    assertThat(load(id))
        .isEqualTo(new Load.Answer(null, List.of(), List.of(), List.of(), null, null, null));
  }

  @Test
  void changes_since_the_variables_were_written_as_a_whole_come_with_them_in_their_order() {
    given(start(id).variables("{\"a\":1}"));
    given(step(id, 1).variables("{\"a\":2}"));
    assertThat(load(id).patches()).isEmpty();

    for (long before = 2; before < 13; before++) {
      given(step(id, before).patched("[[\"/variables/a\"," + (before + 1) + "]]"));
    }
    given(step(id, 13));

    Load.Answer answer = load(id);
    assertThat(requireNonNull(answer.instance()).variables()).isEqualTo("{\"a\":2}");
    assertThat(answer.patches()).hasSize(12).last().isEqualTo("[]");
    assertThat(answer.patches().subList(0, 11))
        .containsExactlyElementsOf(
            LongStream.rangeClosed(3, 13).mapToObj(n -> "[[\"/variables/a\"," + n + "]]").toList());
    assertThat(store.loadTogether(List.of(Load.of(id)))).containsExactly(answer);

    given(step(id, 14).variables("{\"a\":14}"));
    assertThat(load(id).patches()).isEmpty();
    given(step(id, 15).patched("[[\"/variables/a\",16]]"));
    assertThat(load(id).patches()).containsExactly("[[\"/variables/a\",16]]");
  }

  @Test
  void changes_that_are_too_long_to_be_of_the_variables_only_are_not_read_with_them() {
    String longest = "[[\"/variables/a\",\"" + "€".repeat(Limits.PATCH_CHARS - 21) + "\"]]";
    assertThat(longest).hasSize(Limits.PATCH_CHARS);
    given(start(id).variables("{\"a\":1}"));
    given(step(id, 1).patched(longest));
    given(step(id, 2).changes("[[\"/bookmarks/1\",\"" + "€".repeat(100_000) + "\"]]"));
    given(step(id, 3).patched("[[\"/variables/a\",4]]"));

    assertThat(load(id).patches()).containsExactly(longest, "[[\"/variables/a\",4]]");
  }

  @Test
  void no_questions_have_no_answers() {
    assertThat(store.load(List.of())).isEmpty();
  }

  @Test
  void of_many_large_instances_not_all_are_read_together_and_each_is_alone() {
    String large = "{\"text\":\"" + "x".repeat(1_900_000) + "\"}";
    List<Load> questions = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      InstanceId one = Rows.newId();
      given(start(one).variables(large));
      questions.add(Load.of(one));
    }
    given(start(id).variables("{}").task(1));
    questions.add(0, Load.of(id));

    List<Load.Answer> together = store.loadTogether(questions);

    assertThat(together.get(0)).isEqualTo(load(id));
    assertThat(together).filteredOn(Load.Answer::left).isNotEmpty();
    assertThat(together.stream().mapToLong(Load.Answer::bytes).sum())
        .isLessThan(Limits.BATCH_BYTES + 2_000_000L);
    assertThat(store.loadTogether(questions.subList(8, 9)))
        .singleElement()
        .satisfies(
            answer -> assertThat(requireNonNull(answer.instance()).variables()).isEqualTo(large));
  }

  @Test
  void an_answer_holds_what_is_alive_exactly_as_it_was_written() {
    Rows start =
        start(id)
            .variables("{\"text\":\"Zürich ✓ 😀\"}")
            .correlationId("c-1")
            .beginRunning(1, node)
            .beginReady(2, now().plus(MINUTE))
            .beginWaiting(3)
            .timer(-5, now().plus(HOUR))
            .task(7);
    given(start);

    Load.Answer answer = load(id);

    assertThat(answer.instance()).isEqualTo(start.build().instance());
    assertThat(answer.activities())
        .containsExactlyInAnyOrderElementsOf(start.build().begun())
        .extracting(ActivityRow::visit)
        .doesNotHaveDuplicates();
    assertThat(answer.bookmarks()).containsExactlyInAnyOrderElementsOf(start.build().created());
  }

  @Test
  void a_child_knows_its_parent_for_ever() {
    InstanceId parent = Rows.newId();
    InstanceId quiet = Rows.newId();
    given(start(id).childOf(parent, 7, true), start(quiet).childOf(parent, 8, false));
    given(step(id, 1), step(quiet, 1));

    assertThat(requireNonNull(load(id).instance()).parent()).isEqualTo(new Parent(parent, 7, true));
    assertThat(requireNonNull(load(quiet).instance()).parent())
        .isEqualTo(new Parent(parent, 8, false));
  }

  @Test
  void answers_come_in_the_order_of_their_questions() {
    InstanceId other = Rows.newId();
    given(start(id).task(1), start(other).task(2).beginWaiting(1));

    List<Load.Answer> answers =
        store.load(List.of(Load.of(other), Load.of(Rows.newId()), Load.of(id), Load.of(other)));

    assertThat(answers)
        .extracting(answer -> answer.instance() == null ? null : answer.instance().id())
        .containsExactly(other, null, id, other);
    assertThat(answers.get(3)).isEqualTo(answers.get(0));
    assertThat(answers.get(2).bookmarks()).extracting(BookmarkRow::tag).containsExactly(1L);
    assertThat(answers.get(2).activities()).isEmpty();
  }

  @Test
  void an_earlier_command_is_found_by_tenant_scope_and_id() {
    given(start(id).remember("start", "command-1", "abc"));

    assertThat(command("start", "command-1"))
        .isEqualTo(new EarlierCommand("command-1", "abc", id, 1));
    assertThat(command("start", "command-2")).isNull();
    assertThat(command("cancel", "command-1")).isNull();
    assertThat(answer(new Load(id, "umbrella", "start", "command-1", null, null)).command())
        .isNull();
  }

  @Test
  void an_earlier_command_is_found_even_if_it_was_for_another_instance() {
    given(start(id).remember("start", "command-1", "abc"));

    Load question = new Load(Rows.newId(), Rows.TENANT, "start", "command-1", null, null);

    Load.Answer answer = answer(question);
    assertThat(answer.instance()).isNull();
    assertThat(answer.command()).isEqualTo(new EarlierCommand("command-1", "abc", id, 1));
  }

  @Test
  void a_bookmark_that_is_asked_for_comes_along_even_if_it_is_closed() {
    given(start(id).task(1).task(2));
    given(step(id, 1).spend(1, Guard.ANY, 0));

    Load.Answer answer = answer(new Load(id, Rows.TENANT, null, null, 1L, null));

    assertThat(answer.bookmarks()).extracting(BookmarkRow::tag).containsExactly(2L);
    BookmarkRow closed = Objects.requireNonNull(answer.bookmark());
    assertThat(closed.tag()).isEqualTo(1);
    assertThat(closed.state()).isEqualTo(1);
    assertThat(closed.closedBy()).isEqualTo("anna");
  }

  @Test
  void an_open_bookmark_that_is_asked_for_is_in_both_places() {
    given(start(id).task(1));

    Load.Answer answer = answer(new Load(id, Rows.TENANT, null, null, 1L, null));

    assertThat(answer.bookmarks()).containsExactly(Objects.requireNonNull(answer.bookmark()));
    assertThat(answer(new Load(id, Rows.TENANT, null, null, 9L, null)).bookmark()).isNull();
  }

  @Test
  void the_holder_of_a_business_key_is_found_while_it_holds_it() {
    given(start(id).businessKey("order-1"));

    assertThat(keyHolder(Rows.TENANT)).isEqualTo(id);
    assertThat(keyHolder("umbrella")).isNull();

    given(step(id, 1).status(2).freeKey(Rows.BUSINESS_KEY, "order-1"));
    assertThat(keyHolder(Rows.TENANT)).isNull();
  }

  @Test
  void a_load_sees_a_whole_step_or_nothing_of_it() throws Exception {
    given(start(id).beginWaiting(1));

    List<Boolean> whole = Race.run(i -> () -> i == 0 ? commitSteps() : everyLoadIsWhole());

    assertThat(whole).containsOnly(true);
  }

  // Version v has exactly visit v alive: a load that mixes two snapshots shows another one.
  private boolean commitSteps() {
    for (long v = 1; v <= 100; v++) {
      given(step(id, v).end(v).beginWaiting(v + 1));
    }
    return true;
  }

  private boolean everyLoadIsWhole() {
    for (int i = 0; i < 50; i++) {
      Load.Answer answer = load(id);
      long version = Objects.requireNonNull(answer.instance()).version();
      assertThat(answer.activities()).extracting(ActivityRow::visit).containsExactly(version);
    }
    return true;
  }

  private Load.Answer answer(Load question) {
    return store.load(List.of(question)).get(0);
  }

  private @Nullable EarlierCommand command(String scope, String command) {
    return answer(new Load(id, Rows.TENANT, scope, command, null, null)).command();
  }

  private @Nullable InstanceId keyHolder(String tenant) {
    return answer(new Load(Rows.newId(), tenant, null, null, null, "order-1")).keyHolder();
  }

  @Test
  void a_closed_store_says_so() {
    store.close();

    assertThatThrownBy(() -> store.load(List.of(Load.of(Rows.newId()))))
        .hasMessageContaining("Expected an open store, but it is closed");
    assertThatThrownBy(() -> store.commit(node, List.of(start(Rows.newId()).build())))
        .hasMessageContaining("Expected an open store, but it is closed");
  }
}
