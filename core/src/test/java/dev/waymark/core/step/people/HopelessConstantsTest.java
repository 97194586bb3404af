package dev.waymark.core.step.people;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.waymark.core.definition.read.DefinitionParser;
import dev.waymark.core.definition.text.DefinitionFault;
import dev.waymark.core.definition.text.InvalidDefinition;
import dev.waymark.core.expression.Expressions;
import dev.waymark.core.step.kind.Kinds;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that stand in the text and can never work: told on deploy, not by each run. */
final class HopelessConstantsTest {

  private static final DefinitionParser PARSER =
      new DefinitionParser(Kinds.builtIn(), new Expressions());

  private static final String APPROVAL =
      """
      waymark: 1
      key: k
      start: a
      activities:
        a: { type: approval, with: { title: t, %s } }
      """;

  private static final String STARTED =
      """
      waymark: 1
      key: k
      startOn: %s
      start: a
      activities:
        a: { type: wait }
      """;

  private static List<String> faults(String text) {
    InvalidDefinition refusal =
        catchThrowableOfType(InvalidDefinition.class, () -> PARSER.parse(text));
    return refusal.faults().stream().map(DefinitionFault::path).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "approvers                 | approvers: []",
        "mode                      | approvers: [anna, bert], mode: { atLeast: 3 }",
        "mode                      | approvers: [anna, anna], mode: { atLeast: 2 }",
        "mode                      | approvers: [anna, { user: bert, weight: 2 }], mode: { weight:"
            + " 4 }",
        "levels/1/approvers        | levels: [{ approvers: anna }, { approvers: [] }]",
        "levels/0/mode             | levels: [{ approvers: anna, mode: { atLeast: 2 } }]",
        "bands/table/0/levels      | levels: [{ approvers: anna }], bands: { of: 5, table: [{"
            + " above: 1, levels: 2 }] }",
      })
  void an_approval_that_nobody_can_give_is_refused(String path, String with) {
    assertThat(faults(APPROVAL.formatted(with))).containsExactly("/activities/a/with/" + path);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "approvers: [anna, '${ Variables.b }'], mode: { atLeast: 3 }",
        "approvers: '${ Variables.b }', mode: { atLeast: 3 }",
        "approvers: [anna], mode: { atLeast: '${ Variables.b }' }",
        "approvers: [{ group: g, seats: 3 }], mode: { atLeast: 3 }",
        "approvers: [{ group: g, seats: '${ Variables.b }' }], mode: { atLeast: 3 }",
        "approvers: ['group:g', 'group:g'], mode: { atLeast: 2 }",
        "levels: [{ approvers: anna }], bands: { of: 5, table: [{ above: 1, levels: 1 }] }",
      })
  void an_approval_that_can_still_be_decided_is_accepted(String with) {
    assertThat(PARSER.parse(APPROVAL.formatted(with))).isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/startOn/1       | [m, m]",
        "/startOn/2/name  | [m, n, { name: m, match: 'Output.x' }]",
      })
  void a_message_that_begins_a_run_in_any_case_is_named_once(String path, String starts) {
    assertThat(faults(STARTED.formatted(starts))).containsExactly(path);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{ name: m, match: 'Output.x' }, m]",
        "[{ name: m, match: 'Output.x' }, { name: m, match: 'Output.y' }]",
      })
  void one_that_only_sometimes_does_may_come_again(String starts) {
    assertThat(PARSER.parse(STARTED.formatted(starts))).isNotNull();
  }
}
