package dev.waymark.engine.flow;

import static dev.waymark.engine.flow.Activities.body;
import static dev.waymark.engine.flow.Activities.end;
import static dev.waymark.engine.flow.Activities.race;
import static dev.waymark.engine.flow.Activities.scope;
import static dev.waymark.engine.flow.Activities.set;
import static dev.waymark.engine.flow.Activities.timer;
import static dev.waymark.engine.flow.Clauses.after;
import static dev.waymark.engine.flow.Clauses.expr;
import static dev.waymark.engine.flow.Clauses.literal;
import static dev.waymark.engine.flow.Clauses.match;
import static dev.waymark.engine.flow.Clauses.otherwise;
import static dev.waymark.engine.flow.Clauses.rival;
import static dev.waymark.engine.flow.Clauses.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.definition.text.DefinitionText;
import dev.waymark.engine.activity.ActivityResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class FlowTest {

  @Test
  void a_flow_is_the_same_data_as_its_text() {
    Flow flow = EveryFeature.flow();

    assertThat(DefinitionText.read(flow.toYaml())).isEqualTo(flow.document());
    assertThat(DefinitionText.read(flow.toJson())).isEqualTo(flow.document());
  }

  @Test
  void a_flow_reads_like_a_definition_written_by_hand() {
    Flow flow =
        Flow.named("order")
            .timeout(Duration.ofDays(30))
            .start("check")
            .activity(
                set("check")
                    .put("high", expr("Variables.amount > 100"))
                    .next(when("Variables.high").to("remind"), otherwise("done"))
                    .description("Is it much?")
                    .onError(match("Error.code == 'EXPRESSION'").to("done")))
            .activity(
                timer("remind")
                    .after(Duration.ofHours(36))
                    .onTimeout(after(expr("Variables.patience")).to("done").beside())
                    .next("done"))
            .activity(end("done"));

    assertThat(flow.toYaml())
        .isEqualTo(
            """
            waymark: 1
            key: order
            timeout: P30D
            start: check
            activities:
              check:
                type: set
                description: Is it much?
                with:
                  high: "${ Variables.amount > 100 }"
                next:
                  - when: Variables.high
                    to: remind
                  - to: done
                on:
                  error:
                    match: "Error.code == 'EXPRESSION'"
                    to: done
              remind:
                type: timer
                with:
                  after: P1DT12H
                next: done
                on:
                  timeout:
                    after: "${ Variables.patience }"
                    to: done
                    interrupt: false
              done:
                type: end
            """);
  }

  @Test
  void lambdas_are_named_after_the_flow_and_their_activity_also_inside_of_scopes() {
    assertThat(EveryFeature.flow().bodies()).containsOnlyKeys("order.remind", "order.price");
    assertThat(EveryFeature.flow().transactionalBodies()).containsOnlyKeys("order.refund");

    Flow nested =
        Flow.named("deep")
            .start("outer")
            .activity(
                scope("outer")
                    .start("inner")
                    .activity(
                        scope("inner")
                            .start("work")
                            .activity(body("work", context -> ActivityResult.completed()))));

    assertThat(nested.bodies()).containsOnlyKeys("deep.work");
    assertThat(nested.toYaml()).contains("type: deep.work");
  }

  @Test
  void a_flow_and_its_activities_do_not_change_once_made() {
    Flow before = Flow.named("k").start("a").activity(set("a"));
    SetVariables plain = set("b").put("x", 1);

    var unused = before.activity(plain.put("x", 2).put("y", 3).next("c"));

    assertThat(before.document().get("activities")).isEqualTo(Map.of("a", Map.of("type", "set")));
    assertThat(before.activity(plain).toYaml()).contains("x: 1").doesNotContain("y: 3");
  }

  @Test
  void what_a_text_could_not_say_is_refused_at_once() {
    Flow twice = Flow.named("k").start("a").activities(end("a"), end("a"));

    assertThatThrownBy(twice::document)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Expected every activity once, but got 'a' twice");
    assertThatThrownBy(() -> race("r").between(rival("a").userAction(), rival("a").approval()))
        .hasMessage("Expected every wait of a race once, but got 'a' twice");
    assertThatThrownBy(() -> expr(" "))
        .hasMessage("Expected a CEL expression, but got a blank text");
  }

  @Test
  void values_of_java_become_values_of_the_format_at_any_depth() {
    Map<String, Object> document =
        Flow.named("k")
            .start("a")
            .activity(
                set("a")
                    .put("list", List.of(expr("Variables.x"), Duration.ofMinutes(90), 1.5))
                    .put("object", Map.of("of", Map.of("x", expr("Variables.x"))))
                    .put("text", literal("${ is no expression }")))
            .document();

    assertThat(document.toString())
        .contains("list=[${ Variables.x }, PT1H30M, 1.5]")
        .contains("object={of={x=${ Variables.x }}}")
        .contains("text=$${ is no expression }");
  }
}
