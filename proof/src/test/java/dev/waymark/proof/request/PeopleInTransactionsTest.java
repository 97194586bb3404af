package dev.waymark.proof.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.approval.Outcome;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.Lease;
import dev.waymark.core.step.Decision.Rejection.Code;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What people do, in a transaction of the application's. */
final class PeopleInTransactionsTest {

  private static final Caller ANNA = Caller.of("anna");
  private static final Caller BERT = Caller.of("bert");

  private static final String FLOW =
      """
      waymark: 1
      key: flow
      start: do
      activities:
        do:
          type: user-task
          with: { candidates: [anna, bert], form: { type: object, required: [ok] } }
          next: ask
        ask: { type: approval, with: { approvers: [anna], data: { amount: 1 } } }
      """;

  private static Code code(Answer answer) {
    return ((Answer.Refused) answer).rejection().code();
  }

  @ParameterizedTest
  @EnumSource
  void a_task_is_completed_and_a_vote_is_cast_with_the_rows_of_the_application(Stores stores) {
    try (WorkflowTestKit kit = stores.create().process(new VirtualClock(), builder -> {})) {
      Engine engine = kit.engine();
      kit.deploy(FLOW);
      Run run = kit.start("flow", Map.of());
      BookmarkId task = run.bookmark("do").id();
      Lease lease = engine.tasks().claim(task, ANNA).orThrow().lease();
      Map<String, Object> answer = Map.of("ok", true);

      assertThat(code(engine.inTransaction(j -> j.complete(task, answer, BERT))))
          .isEqualTo(Code.LEASED);
      assertThat(code(engine.inTransaction(j -> j.complete(task, lease.fence(), Map.of(), ANNA))))
          .isEqualTo(Code.GUARD);
      assertThatThrownBy(
              () ->
                  engine.inTransaction(
                      joined -> {
                        joined.complete(task, lease.fence(), answer, ANNA).orThrow();
                        throw new IllegalStateException("The application changed its mind");
                      }))
          .hasStackTraceContaining("changed its mind");
      assertThat(run.waitsAt()).containsExactly("do");

      engine.inTransaction(j -> j.complete(task, lease.fence(), answer, ANNA)).orThrow();
      kit.runUntilIdle();
      BookmarkId ask = run.bookmark("ask").id();
      assertThat(code(engine.inTransaction(j -> j.vote(ask, Outcome.APPROVED, "Ok", null, BERT))))
          .isEqualTo(Code.NOT_YOURS);
      engine.inTransaction(j -> j.vote(ask, Outcome.APPROVED, "Ok", null, ANNA)).orThrow();
      kit.runUntilIdle();

      assertThat(run).isCompleted().hasVariable("outcome", "approved");
      assertThat(engine.approvals().decisions(run.id(), ANNA)).hasSize(1);
    }
  }
}
