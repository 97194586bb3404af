package dev.waymark.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.store.sqlite.SqliteStore;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ExpenseApprovalExampleTest {

  @Test
  void an_expense_goes_through_the_levels_that_it_needs() {
    List<String> world = new ArrayList<>();

    var ended =
        ExpenseApprovalExample.run(SqliteStore.inMemory(InstantSource.system()), world::add);

    assertThat(ended.status()).isEqualTo(Status.COMPLETED);
    assertThat(world)
        .containsExactly(
            "lea sees 'Expense of rita', level 1",
            "rita may not: NOT_YOURS",
            "mia sees 'Expense of rita', level 2",
            "rita may not: NOT_YOURS",
            "paid 60000",
            "level 1: approved by lea",
            "level 2: approved by mia");
  }

  @ParameterizedTest
  @CsvSource({
    "5000, ''",
    "5001, lea",
    "25001, lea mia",
    "100001, lea mia dan",
    "500001, lea mia cleo",
  })
  void each_amount_needs_its_people(long amount, String people) {
    try (WorkflowTestKit kit = kit(ExpenseApprovalExample.EXPENSE)) {
      Run run = kit.start("expense-approval", Map.of("amount", amount, "requester", "rita"));
      for (String who : people.isEmpty() ? new String[0] : people.split(" ", -1)) {
        assertThat(run.status()).isEqualTo(Status.RUNNING);
        approve(kit, run, "approve", Caller.of(who)).orThrow();
      }
      assertThat(run.status()).isEqualTo(Status.COMPLETED);
      assertThat(run.completed()).contains("pay");
    }
  }

  @Test
  void whom_nobody_answers_in_time_it_goes_past() {
    try (WorkflowTestKit kit = kit(ExpenseApprovalExample.EXPENSE)) {
      Run run = kit.start("expense-approval", Map.of("amount", 6000, "requester", "rita"));
      assertThat(approve(kit, run, "approve", Caller.of("mia"))).isInstanceOf(Answer.Refused.class);
      kit.advance(Duration.ofDays(1));

      approve(kit, run, "approve", Caller.of("mia")).orThrow();
      assertThat(run.status()).isEqualTo(Status.COMPLETED);
    }
  }

  /** The first example of the design, as it is written there. */
  private static final String DESIGN =
      """
      waymark: 1
      key: expense-approval
      name: Expense approval
      input:
        type: object
        required: [requestId, amount, requester]
      variables: { level: 1 }
      timeout: P30D
      start: validate
      activities:
        validate:
          type: set
          with: { high: "${ Variables.amount > 10000 }" }
          next: manager
        manager:
          type: approval
          with:
            approvers: ["${ Variables.manager }"]
            mode: any
            exclude: ["${ Variables.requester }"]
            due: P3D
            escalate: [{ after: P3D, to: group:finance }]
          next:
            - when: "Output.outcome == 'approved'"
              to: pay
            - to: rejected
        pay:
          type: http
          with: { service: payments, method: POST, url: "${ Variables.payUrl }", body: "${ Variables }" }
          retry: { attempts: 5, backoff: PT1S, maxBackoff: PT30S, jitter: 0.2 }
          timeout: PT1M
          compensate: refund
          on:
            error: { match: "Error.code == 'INSUFFICIENT_FUNDS'", to: rejected }
            timeout: { after: P1D, to: escalate, interrupt: false }
          next: done
        refund: { type: http }
        escalate: { type: end }
        rejected: { type: end }
        done: { type: end }
      """;

  @Test
  void the_example_of_the_design_runs_as_it_is_written() {
    try (WorkflowTestKit kit = kit(DESIGN)) {
      Map<String, Object> input =
          Map.of(
              "requestId",
              "r1",
              "amount",
              12,
              "requester",
              "rita",
              "manager",
              "mia",
              "payUrl",
              "https://pay");
      Run run = kit.start("expense-approval", input);
      approve(kit, run, "manager", Caller.of("mia")).orThrow();
      assertThat(run.completed()).containsExactly("validate", "manager", "pay", "done");

      Run late = kit.start("expense-approval", input);
      kit.advance(Duration.ofDays(3));
      Actor finn = new Actor("finn", Actor.DEFAULT_TENANT, Set.of("finance"), Set.of());
      kit.engine()
          .approvals()
          .reject(late.bookmark("manager").id(), "No receipt", Caller.of(finn))
          .orThrow();
      kit.runUntilIdle();
      assertThat(late.completed()).containsExactly("validate", "manager", "rejected");
    }
  }

  private static WorkflowTestKit kit(String definition) {
    WorkflowTestKit kit =
        WorkflowTestKit.with(
            builder ->
                builder
                    .activity("pay", context -> ActivityResult.completed())
                    .activity("http", context -> ActivityResult.completed()));
    kit.deploy(definition);
    return kit;
  }

  private static Answer approve(WorkflowTestKit kit, Run run, String key, Caller caller) {
    Answer answer = kit.engine().approvals().approve(run.bookmark(key).id(), "", caller);
    kit.runUntilIdle();
    return answer;
  }
}
