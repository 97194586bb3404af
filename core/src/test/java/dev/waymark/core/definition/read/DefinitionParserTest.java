package dev.waymark.core.definition.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.waymark.core.Limits;
import dev.waymark.core.definition.Activity;
import dev.waymark.core.definition.Definition;
import dev.waymark.core.definition.Graph;
import dev.waymark.core.definition.MessageStart;
import dev.waymark.core.definition.RetryPolicy;
import dev.waymark.core.definition.schema.InputSchema;
import dev.waymark.core.definition.text.DefinitionFault;
import dev.waymark.core.definition.text.InvalidDefinition;
import dev.waymark.core.expression.Expressions;
import dev.waymark.core.expression.value.EvaluationScope;
import dev.waymark.core.expression.value.Root;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DefinitionParserTest {

  static final String APPROVAL =
      """
      waymark: 1
      key: expense-approval
      name: Expense approval
      description: Who wants money back asks here.
      input:
        type: object
        required: [requestId, amount, requester]
      variables: { level: 1 }
      labels: { requester: "${ Variables.requester }" }
      maxVisits: 20
      start: validate
      activities:
        validate:
          type: set
          with: { high: "${ Variables.amount > 10000 }" }
          next: manager
        manager:
          type: wait
          with: { key: "approve ${ Variables.requestId }" }
          next:
            - when: "Output.outcome == 'approved'"
              to: pay
            - to: rejected
        pay:
          type: charge
          description: Twice is once, the payment service says.
          with: { amount: "${ Variables.amount }" }
          output: { receipt: "${ Output.id }" }
          retry: { attempts: 5, backoff: PT1S, maxBackoff: PT30S, jitter: 0.2 }
          timeout: PT1M
          repeatable: false
          next: done
        rejected: { type: end }
        done: { type: end }
      """;

  static final EvaluationScope SCOPE =
      EvaluationScope.of(Map.of("amount", 12_000, "requestId", "r7", "requester", "ann"))
          .with(Root.OUTPUT, Map.of("outcome", "approved", "id", "p1"));

  private final DefinitionParser parser = new DefinitionParser(TestType.ALL, new Expressions());

  @Test
  void the_example_of_the_design_is_read() {
    Definition definition = parser.parse(APPROVAL);

    assertThat(definition.key()).isEqualTo("expense-approval");
    assertThat(definition.name()).isEqualTo("Expense approval");
    assertThat(definition.id()).isZero();
    assertThat(definition.version()).isEqualTo(1);
    assertThat(definition.variables()).isEqualTo(Map.of("level", 1L));
    assertThat(definition.labels().get("requester").evaluate(SCOPE)).isEqualTo("ann");
    assertThat(definition.maxVisits()).isEqualTo(20);
    assertThat(definition.start()).isEqualTo("validate");
    assertThat(definition.activities().keySet())
        .containsExactlyInAnyOrder("validate", "manager", "pay", "rejected", "done");
    assertThat(definition.input().check(Map.of()))
        .extracting(InputSchema.Violation::pointer)
        .containsExactlyInAnyOrder("/requestId", "/amount", "/requester");
    assertThat(definition.source()).isEqualTo(APPROVAL);
  }

  @Test
  void an_activity_is_read_with_all_its_fields() {
    Activity pay = parser.parse(APPROVAL).activity("pay");

    assertThat(pay.type()).isEqualTo("charge");
    assertThat(pay.with().evaluate(SCOPE)).isEqualTo(Map.of("amount", 12_000L));
    assertThat(pay.output().evaluate(SCOPE)).isEqualTo(Map.of("receipt", "p1"));
    assertThat(pay.next()).extracting(Activity.Transition::to).containsExactly("done");
    assertThat(pay.retry())
        .isEqualTo(new RetryPolicy(5, Duration.ofSeconds(1), Duration.ofSeconds(30), 0.2));
    assertThat(pay.timeout()).isEqualTo(Duration.ofMinutes(1));
    assertThat(pay.repeatable()).isFalse();
  }

  @Test
  void what_is_left_out_has_a_default() {
    Definition definition = parser.parse(small("  a: { type: set }"));

    assertThat(definition.name()).isEqualTo("k");
    assertThat(definition.input()).isNull();
    assertThat(definition.variables()).isEmpty();
    assertThat(definition.labels()).isEmpty();
    assertThat(definition.maxVisits()).isEqualTo(Limits.MAX_VISITS);
    Activity activity = definition.activity("a");
    assertThat(activity.with().evaluate(EvaluationScope.EMPTY)).isEqualTo(Map.of());
    assertThat(activity.output()).isNull();
    assertThat(activity.next()).isEmpty();
    assertThat(activity.retry()).isEqualTo(RetryPolicy.DEFAULT);
    assertThat(activity.timeout()).isEqualTo(Limits.ACTIVITY_TIMEOUT);
    assertThat(activity.repeatable()).isTrue();
  }

  @Test
  void a_retry_that_says_one_bound_moves_the_other() {
    Definition definition =
        parser.parse(
            small(
                """
                  a: { type: set, retry: { backoff: PT1M }, next: b }
                  b: { type: set, retry: { maxBackoff: PT0.1S } }
                """));

    assertThat(definition.activity("a").retry())
        .isEqualTo(new RetryPolicy(3, Duration.ofMinutes(1), Duration.ofMinutes(1), 0.2));
    assertThat(definition.activity("b").retry())
        .isEqualTo(new RetryPolicy(3, Duration.ofMillis(100), Duration.ofMillis(100), 0.2));
  }

  @Test
  void a_cycle_with_an_exit_is_accepted() {
    assertThat(
            parser.parse(
                small(
                    """
                      a: { type: set, next: b }
                      b:
                        type: set
                        next:
                          - when: "Variables.tries < 3"
                            to: a
                          - to: c
                      c: { type: end }
                    """)))
        .satisfies(definition -> assertThat(definition.graph().onCycle("a")).isTrue());
  }

  @Test
  void a_cycle_with_a_wait_is_accepted() {
    assertThat(parser.parse(small("  a: { type: timer, next: b }\n  b: { type: set, next: a }\n")))
        .satisfies(definition -> assertThat(definition.graph().reaches("a", "a")).isTrue());
  }

  @Test
  void branches_of_a_fork_are_part_of_the_graph() {
    Graph graph =
        parser
            .parse(
                small(
                    """
                      a: { type: fork, with: { branches: [left, right] } }
                      left: { type: set, next: both }
                      right: { type: set, next: both }
                      both: { type: join, next: done }
                      done: { type: end }
                    """))
            .graph();

    assertThat(graph.reaches("a", "done")).isTrue();
    assertThat(graph.reaches("left", "right")).isFalse();
    assertThat(graph.reaches("left", "done", Set.of("both"))).isFalse();
  }

  @Test
  void a_refusal_lists_every_fault_on_a_line_with_its_path() {
    InvalidDefinition refusal =
        catchThrowableOfType(
            InvalidDefinition.class,
            () -> parser.parse(small("  a: { type: sett, next: dne }\n  done: { type: end }\n")));

    assertThat(refusal)
        .hasMessage(
            """
            /activities/a/type: expected one of [charge, end, fork, join, set, timer, wait], but \
            got 'sett' (did you mean 'set'?) at line 5, column 8
            /activities/a/next: expected one of [a, done], but got 'dne' (did you mean 'done'?) at \
            line 5, column 20\
            """);
    assertThat(refusal.faults())
        .extracting(DefinitionFault::path)
        .containsExactly("/activities/a/type", "/activities/a/next");
  }

  @Test
  void a_fault_in_an_expression_shows_the_place_in_it() {
    assertThatThrownBy(
            () -> parser.parse(small("  a: { type: set, with: { x: '${ Variables.a + }' } }")))
        .hasMessageStartingWith("/activities/a/with/x: expected an expression that can run")
        .hasMessageContaining("\n | Variables.a +")
        .hasMessageContaining("^");
  }

  @Test
  void messages_that_begin_runs_are_names_or_objects_with_one() {
    String text = small("  a: { type: end }\n");

    assertThat(parser.parse("startOn: placed\n" + text).starts())
        .containsExactly(new MessageStart("placed", null, null));
    assertThat(
            parser.parse("startOn: [placed, { name: b, match: Output.n > 1 }]\n" + text).starts())
        .extracting(MessageStart::name)
        .containsExactly("placed", "b");
    for (String wrong :
        List.of(
            "[]",
            "7",
            "$cancel",
            "'${ Context.tenant }'",
            "{ match: 'true' }",
            "{ nam: x, x: 1 }")) {
      assertThatThrownBy(() -> parser.parse("startOn: " + wrong + "\n" + text))
          .as(wrong)
          .hasMessageContaining("/startOn");
    }
    assertThatThrownBy(() -> parser.parse("startOn: { name: a, match: Variables.n > 1 }\n" + text))
        .hasMessageContaining("/startOn/match");
    assertThatThrownBy(
            () -> parser.parse("startOn: { name: a, businessKey: '${ Variables.n }' }\n" + text))
        .hasMessageContaining("/startOn/businessKey");
  }

  @Test
  void a_type_given_twice_is_refused() {
    var twice = List.of(TestType.ALL.get(0), TestType.ALL.get(0));

    assertThatThrownBy(() -> new DefinitionParser(twice, new Expressions()))
        .hasMessage("Expected every activity type once, but got 'set' twice");
  }

  @Test
  void the_largest_definition_is_read() {
    String text =
        small(
            IntStream.range(0, Limits.DEFINITION_ACTIVITIES - 1)
                .mapToObj(
                    i ->
                        "  %s: { type: set, with: { x: '${ Variables.x + %d }' }, next: a%d }\n"
                            .formatted(i == 0 ? "a" : "a" + i, i, i + 1))
                .collect(Collectors.joining("", "", "  a999: { type: end }\n")));

    Definition definition = parser.parse(text);

    assertThat(definition.activities()).hasSize(Limits.DEFINITION_ACTIVITIES);
    assertThat(definition.graph().reaches("a", "a999")).isTrue();
  }

  private static String small(String activities) {
    return "waymark: 1\nkey: k\nstart: a\nactivities:\n" + activities.stripTrailing() + "\n";
  }

  @Test
  void dividing_two_integers_that_are_written_out_is_remarked_on() {
    Definition definition =
        parser.parse(
            """
            waymark: 1
            key: half
            start: a
            activities:
              a: { type: set, with: { x: "${ 10 / 4 }", y: "${ Variables.n / 4 }" }, next: b }
              b: { type: set, next: [{ when: "1 / 2 > 0", to: c }, { to: c }] }
              c: { type: end }
            """);

    assertThat(definition.warnings())
        .hasSize(2)
        .anyMatch(
            warning -> warning.startsWith("/activities/a/with/x: ") && warning.contains("div("))
        .anyMatch(warning -> warning.startsWith("/activities/b/next/0/when: "));
  }
}
