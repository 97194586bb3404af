package dev.waymark.core.step.people;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.definition.text.InvalidDefinition;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Play;
import dev.waymark.core.step.TaskAction;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Users, groups and roles are told apart by a prefix. A name that cannot mean what it says is
 * refused: an exclusion that excludes nobody would void the four eyes without a word.
 */
final class NamesOfPeopleTest {

  private static Play play(String type, String with) {
    return Play.of("do", "  do: { type: %s, with: %s }\n".formatted(type, with));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          user-task | { candidates: [anna], exclude: ['group:interns'] }     | /with/exclude
          user-task | { candidates: ['role:boss'] }                          | /with/candidates
          user-task | { candidates: ['group:'] }                             | /with/candidates
          user-task | { assignee: 'group:g' }                                | /with/assignee
          user-task | { escalate: [{ after: P1D, to: 'role:boss' }] }        | /with/escalate
          approval  | { approvers: [anna], exclude: 'group:interns' }        | /with/exclude
          approval  | { approvers: ['role:boss'] }                           | /with/approvers
          approval  | { approvers: [{ user: 'group:g' }] }                   | /with/approvers
          approval  | { approvers: [anna], substitutes: [{ for: anna, by: 'group:g' }] } | /with/substitutes
          """)
  void a_group_where_a_user_must_stand_is_refused_on_deploy(String type, String with, String at) {
    assertThatThrownBy(() -> play(type, with))
        .isInstanceOf(InvalidDefinition.class)
        .hasMessageContaining("/activities/do" + at);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{ candidates: [anna], exclude: '${ Variables.who }' }",
        "{ assignee: '${ Variables.who }' }"
      })
  void the_same_computed_is_a_fault_of_the_visit(String with) {
    Play play = play("user-task", with).start(Map.of("who", "group:interns"));

    assertThat(play.live().status()).isEqualTo(Status.SUSPENDED);
    assertThat(String.valueOf(play.at("do").fault())).contains("group:interns");
  }

  @Test
  void a_user_may_be_written_as_refusals_write_one() {
    Play task = play("user-task", "{ candidates: ['user:anna'], exclude: ['user:bert'] }");
    task.start(Map.of());

    assertThat(task.work().terms().candidates().users()).containsExactly("anna");
    assertThat(task.work().terms().candidates().excluded()).containsExactly("bert");

    Play approval = play("approval", "{ approvers: ['user:anna'], exclude: ['user:bert'] }");
    approval.start(Map.of());
    assertThat(approval.work().terms().candidates().users()).containsExactly("anna");
  }

  @Test
  void a_task_whose_candidates_are_all_excluded_is_a_fault() {
    Play play = play("user-task", "{ candidates: [anna], exclude: [anna] }").start(Map.of());

    assertThat(play.live().status()).isEqualTo(Status.SUSPENDED);
    assertThat(String.valueOf(play.at("do").fault())).contains("[anna] are excluded");
  }

  @Test
  void a_task_is_given_to_a_person_and_to_no_group() {
    for (String name : List.of("group:finance", "role:boss")) {
      assertThatThrownBy(() -> new TaskAction.Assign(name, false)).hasMessageContaining(name);
      assertThatThrownBy(() -> new TaskAction.Delegate(name, null, null))
          .hasMessageContaining(name);
      assertThatThrownBy(() -> new TaskAction.HandOver("anna", name, "ill"))
          .hasMessageContaining(name);
    }
    assertThat(new TaskAction.Assign("user:anna", false).to()).isEqualTo("anna");
  }
}
