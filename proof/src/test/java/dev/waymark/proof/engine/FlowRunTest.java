package dev.waymark.proof.engine;

import static dev.waymark.engine.flow.Activities.activity;
import static dev.waymark.engine.flow.Activities.body;
import static dev.waymark.engine.flow.Activities.forEach;
import static dev.waymark.engine.flow.Activities.fork;
import static dev.waymark.engine.flow.Activities.join;
import static dev.waymark.engine.flow.Activities.race;
import static dev.waymark.engine.flow.Activities.scope;
import static dev.waymark.engine.flow.Activities.set;
import static dev.waymark.engine.flow.Activities.terminate;
import static dev.waymark.engine.flow.Activities.transactionalBody;
import static dev.waymark.engine.flow.Clauses.anyError;
import static dev.waymark.engine.flow.Clauses.attempts;
import static dev.waymark.engine.flow.Clauses.expr;
import static dev.waymark.engine.flow.Clauses.match;
import static dev.waymark.engine.flow.Clauses.otherwise;
import static dev.waymark.engine.flow.Clauses.rival;
import static dev.waymark.engine.flow.Clauses.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.definition.text.InvalidDefinition;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.activity.Activity;
import dev.waymark.engine.activity.ActivityContext;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.flow.Flow;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Definitions written in Java, and activities that say what they must be given. */
final class FlowRunTest {

  private static final Caller ALICE = Caller.of("alice");

  private static Flow order() {
    return Flow.named("order")
        .variable("rate", 2)
        .output("total", expr("Variables.total"))
        .start("both")
        .activity(fork("both").branches("prices", "stock"))
        .activity(
            forEach("prices")
                .items(expr("Variables.lines"))
                .parallel(2)
                .item("line")
                .variable("price", 0)
                .start("price")
                .activity(
                    body(
                            "price",
                            context ->
                                ActivityResult.completed(
                                    Map.of("price", context.input("amount", Integer.class) * 10)))
                        .with("amount", expr("Variables.line * Variables.rate")))
                .collect(expr("Variables.price"))
                .output("prices", expr("Output.results"))
                .next("together"))
        .activity(
            scope("stock")
                .variable("tries", 0)
                .start("look")
                .activity(
                    transactionalBody(
                            "look",
                            (context, connection) -> {
                              throw new IllegalStateException("nothing there");
                            })
                        .retry(attempts(1))
                        .onError(match("Error.code == 'IllegalStateException'").to("note")))
                .activity(set("note").put("tries", expr("Variables.tries + 1")))
                .output("tries", expr("Output.tries"))
                .next("together"))
        .activity(join("together").next("decide"))
        .activity(
            race("decide")
                .between(
                    rival("answer").userAction().key("answer").to("sum"),
                    rival("late").after(Duration.ofDays(2)))
                .next(when("Output.winner == 'late'").to("late"), otherwise("sum")))
        .activity(set("sum").put("total", expr("Variables.prices[0] + Variables.prices[1]")))
        .activity(terminate("late").failed("LATE", "Nobody answered ${ Context.instance }"));
  }

  @Test
  void a_flow_runs_like_any_definition_with_its_lambdas_as_bodies() {
    try (var kit = WorkflowTestKit.with(builder -> builder.flow(order()))) {
      kit.engine().definitions().deploy(order(), ALICE);

      Run run = kit.start("order", Map.of("lines", List.of(1, 2)));
      assertThat(run).isWaitingAt("decide");
      assertThat(run.variables()).containsEntry("tries", 1L);
      kit.engine().bookmarks().resume(run.bookmark("answer").id(), Map.of(), ALICE).orThrow();
      kit.runUntilIdle();

      assertThat(run).isCompleted().hasVariable("total", 60L);
    }
  }

  @Test
  void its_timers_are_durations_of_java() {
    try (var kit = WorkflowTestKit.with(builder -> builder.flow(order()))) {
      kit.engine().definitions().deploy(order(), ALICE);

      Run run = kit.start("order", Map.of("lines", List.of(1, 2)));
      kit.advance(Duration.ofDays(2).minusSeconds(1));
      assertThat(run).isWaitingAt("decide");
      kit.advance(Duration.ofSeconds(1));

      assertThat(run.status()).isEqualTo(Status.FAILED);
    }
  }

  @Test
  void a_flow_whose_lambdas_the_engine_does_not_know_is_refused() {
    try (var kit = WorkflowTestKit.with(builder -> {})) {
      assertThatThrownBy(() -> kit.engine().definitions().deploy(order(), ALICE))
          .isInstanceOf(InvalidDefinition.class)
          .hasMessageContaining("/activities/prices/activities/price/type")
          .hasMessageContaining("'order.price'");
    }
  }

  @Test
  void a_flow_cannot_be_registered_twice() {
    assertThatThrownBy(() -> WorkflowTestKit.with(builder -> builder.flow(order()).flow(order())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'order.price' was registered twice");
  }

  @Test
  void where_a_run_stands_can_be_drawn() {
    try (var kit = WorkflowTestKit.with(builder -> builder.flow(order()))) {
      kit.engine().definitions().deploy(order(), ALICE);
      Run run = kit.start("order", Map.of("lines", List.of(1, 2)));

      assertThat(kit.engine().instances().diagram(run.id(), ALICE))
          .get()
          .asString()
          .startsWith("<svg")
          .contains(">decide<", ">waiting<", ">completed<");
      assertThat(
              kit.engine()
                  .instances()
                  .diagram(run.id(), Caller.of(new Actor("eve", "other", Set.of(), Set.of()))))
          .isEmpty();
    }
  }

  // ---- schemas

  private record Typed(Map<String, @Nullable Object> schema) implements Activity {

    @Override
    public ActivityResult execute(ActivityContext context) {
      return ActivityResult.completed(context.input());
    }
  }

  private static final Typed CHARGE =
      new Typed(
          Map.of(
              "type",
              "object",
              "required",
              List.of("amount"),
              "properties",
              Map.of("amount", Map.of("type", "number", "title", "an amount of money"))));

  private static Flow charge(Object amount) {
    return Flow.named("pay")
        .start("pay")
        .activity(
            activity("pay", "charge")
                .with("amount", amount)
                .onError(
                    match("Error.code == 'BAD_INPUT'")
                        .to("refused")
                        .output("why", expr("Error.message")),
                    anyError().fails()))
        .activity(set("refused"));
  }

  @Test
  void what_an_activity_of_yours_is_given_is_checked_on_deploy() {
    try (var kit = WorkflowTestKit.with(builder -> builder.activity("charge", CHARGE))) {
      assertThatThrownBy(() -> kit.engine().definitions().deploy(charge("much"), ALICE))
          .isInstanceOf(InvalidDefinition.class)
          .hasMessageContaining(
              "/activities/pay/with/amount: expected an amount of money, but got 'much'");
    }
  }

  @Test
  void an_evaluated_input_that_does_not_fit_is_a_fault_before_the_body_runs() {
    try (var kit = WorkflowTestKit.with(builder -> builder.activity("charge", CHARGE))) {
      kit.engine().definitions().deploy(charge(expr("Variables.amount")), ALICE);

      assertThat(kit.start("pay", Map.of("amount", 5))).isCompleted().completed("pay");
      assertThat(kit.start("pay", Map.of("amount", "much")))
          .isCompleted()
          .hasVariable(
              "why",
              "Expected an amount of money at /amount in the input of 'pay' (charge), but got"
                  + " 'much'");
    }
  }

  @Test
  void an_activity_with_a_broken_schema_is_refused_by_the_line_that_registers_it() {
    Typed broken = new Typed(Map.of("type", "objekt"));

    assertThatThrownBy(() -> WorkflowTestKit.with(builder -> builder.activity("charge", broken)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Expected a JSON Schema for what 'charge' is given, but /type:");
  }
}
