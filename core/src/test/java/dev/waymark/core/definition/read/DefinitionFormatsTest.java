package dev.waymark.core.definition.read;

import static dev.waymark.core.definition.read.DefinitionParserTest.APPROVAL;
import static dev.waymark.core.definition.read.DefinitionParserTest.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.definition.Activity;
import dev.waymark.core.definition.Definition;
import dev.waymark.core.expression.Expressions;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Definitions in YAML and in JSON: both formats give the same values. */
class DefinitionFormatsTest {

  private static final String APPROVAL_AS_JSON =
      """
      {"waymark": 1, "key": "expense-approval", "name": "Expense approval",
       "input": {"type": "object", "required": ["requestId", "amount", "requester"]},
       "variables": {"level": 1},
       "labels": {"requester": "${ Variables.requester }"},
       "maxVisits": 20,
       "start": "validate",
       "activities": {
         "validate": {"type": "set", "with": {"high": "${ Variables.amount > 10000 }"},
                      "next": "manager"},
         "manager": {"type": "wait", "with": {"key": "approve ${ Variables.requestId }"},
                     "next": [{"when": "Output.outcome == 'approved'", "to": "pay"},
                              {"to": "rejected"}]},
         "pay": {"type": "charge", "with": {"amount": "${ Variables.amount }"},
                 "output": {"receipt": "${ Output.id }"},
                 "retry": {"attempts": 5, "backoff": "PT1S", "maxBackoff": "PT30S", "jitter": 0.2},
                 "timeout": "PT1M", "repeatable": false, "next": "done"},
         "rejected": {"type": "end"},
         "done": {"type": "end"}}}
      """;

  private final DefinitionParser parser = new DefinitionParser(TestType.ALL, new Expressions());

  @Test
  void yaml_and_json_give_the_same_definition() {
    assertThat(seen(parser.parse(APPROVAL_AS_JSON))).isEqualTo(seen(parser.parse(APPROVAL)));
  }

  @Test
  void a_definition_may_be_json_with_tabs_and_a_byte_order_mark() {
    String text =
        "\uFEFF\n{\t\"waymark\":\t1,\n\t\"key\": \"k\", \"start\": \"a\","
            + " \"activities\": {\"a\": {\"type\": \"end\"}}}";

    assertThat(parser.parse(text).key()).isEqualTo("k");
  }

  @Test
  void values_are_those_of_yaml_1_2() {
    Definition definition =
        parser.parse(
            small("  a: { type: set }")
                + """
                variables:
                  zip: 01234
                  octal: 0o17
                  hexadecimal: 0xff
                  money: 10.10
                  large: 1e3
                  "yes": yes
                  "off": off
                  truth: True
                  nothing: ~
                  empty:
                  quoted: "12"
                  date: 2026-01-31
                  underscored: 1_000
                  block: |
                    two
                    lines
                """);

    Map<String, Object> expected = new LinkedHashMap<>();
    expected.put("zip", 1234L);
    expected.put("octal", 15L);
    expected.put("hexadecimal", 255L);
    expected.put("money", new BigDecimal("10.10"));
    expected.put("large", 1000L);
    expected.put("yes", "yes");
    expected.put("off", "off");
    expected.put("truth", true);
    expected.put("nothing", null);
    expected.put("empty", null);
    expected.put("quoted", "12");
    expected.put("date", "2026-01-31");
    expected.put("underscored", "1_000");
    expected.put("block", "two\nlines\n");
    assertThat(definition.variables()).containsExactlyEntriesOf(expected);
  }

  @Test
  void variables_are_taken_as_they_are() {
    Definition definition =
        parser.parse(small("  a: { type: set }") + "variables: { text: '${ 1 + }' }\n");

    assertThat(definition.variables()).containsEntry("text", "${ 1 + }");
  }

  private static String small(String activities) {
    return "waymark: 1\nkey: k\nstart: a\nactivities:\n" + activities.stripTrailing() + "\n";
  }

  /**
   * The parts of a definition that can be compared; its templates and its graph have no equality of
   * their own.
   */
  private static Map<String, Object> seen(Definition definition) {
    Map<String, Object> seen = new LinkedHashMap<>();
    seen.put("key", definition.key());
    seen.put("name", definition.name());
    seen.put("variables", definition.variables());
    seen.put("labels", definition.labels().get("requester").evaluate(SCOPE));
    seen.put("maxVisits", definition.maxVisits());
    seen.put("start", definition.start());
    seen.put("input", definition.input().check(Map.of()));
    for (String id : definition.activities().keySet()) {
      Activity activity = definition.activity(id);
      List<Object> parts = new ArrayList<>();
      parts.add(activity.type());
      parts.add(activity.with().evaluate(SCOPE));
      parts.add(activity.output() == null ? "none" : activity.output().evaluate(SCOPE));
      activity
          .next()
          .forEach(way -> parts.add(way.to() + (way.when() == null ? "" : way.when().source())));
      parts.add(activity.retry());
      parts.add(activity.timeout());
      parts.add(activity.repeatable());
      definition.activities().keySet().stream()
          .filter(other -> definition.graph().reaches(id, other))
          .sorted()
          .forEach(parts::add);
      seen.put(id, parts);
    }
    return seen;
  }
}
