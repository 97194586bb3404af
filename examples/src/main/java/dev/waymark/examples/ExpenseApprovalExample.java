package dev.waymark.examples;

import dev.waymark.core.approval.Vote;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.task.Task;
import dev.waymark.sqlite.SqliteStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * An expense goes through as many levels as its amount needs: none up to 5,000, then the team lead,
 * the manager, the director, and above 500,000 the CEO in the director's place. Nobody approves an
 * own expense, and nobody decides at two levels.
 */
public final class ExpenseApprovalExample {

  static final String EXPENSE =
      """
      waymark: 1
      key: expense-approval
      input:
        type: object
        required: [amount, requester]
        properties: { amount: { type: number, exclusiveMinimum: 0 }, requester: { type: string } }
      output: { outcome: "${ Variables.outcome }", levels: "${ Variables.levels }" }
      start: approve
      activities:
        approve:
          type: approval
          with:
            title: "Expense of ${ Variables.requester }"
            data: { amount: "${ Variables.amount }" }
            priority: "${ Variables.amount > 10000 ? 'high' : 'normal' }"
            exclude: ["${ Variables.requester }"]
            bands:
              of: "${ Variables.amount }"
              table:
                - { above: 100000, levels: 3 }
                - { above: 25000, levels: 2 }
                - { above: 5000, levels: 1 }
            levels:
              - name: team-lead
                approvers: [lea]
                due: P1D
                escalate: [{ after: P1D, to: mia }]
              - name: manager
                approvers: [mia]
                due: P3D
                remind: { after: P1D, every: P1D, times: 2 }
                escalate: [{ after: P3D, to: group:finance }]
              - name: director
                approvers: ["${ Variables.amount > 500000 ? 'cleo' : 'dan' }"]
                due: P3D
          next:
            - { when: "Output.outcome == 'approved'", to: pay }
            - { when: "Output.outcome == 'changes-requested'", to: revise }
            - { to: done }
        revise:                     # back to the requester, then through all levels again
          type: user-task
          with:
            title: "Please change your expense: ${ Variables.decisions[size(Variables.decisions) - 1].comment }"
            assignee: "${ Variables.requester }"
            form: { type: object, required: [amount], properties: { amount: { type: number } } }
          next: approve
        pay: { type: pay, next: done }
        done: { type: end }
      """;

  private ExpenseApprovalExample() {}

  public static void main(String[] args) {
    Instance ended = run(SqliteStore.open(Path.of("expense.db")), System.out::println);
    System.out.println("It ended as " + ended.variables().get("outcome"));
  }

  /** Rita asks for 60,000: that takes the team lead and the manager. */
  static Instance run(Store store, Consumer<String> world) {
    Caller rita = Caller.of("rita");
    try (Engine engine =
        Engine.builder(store)
            .activity(
                "pay",
                context -> {
                  world.accept("paid " + context.variables().get("amount"));
                  return ActivityResult.completed();
                })
            .start()) {
      engine.definitions().deploy(EXPENSE, rita);
      InstanceId id =
          engine
              .instances()
              .start(
                  StartRequest.of("expense-approval")
                      .input(Map.of("amount", 60_000, "requester", "rita")),
                  rita)
              .orThrow();

      for (String who : List.of("lea", "mia")) {
        Caller caller = Caller.of(new Actor(who, Actor.DEFAULT_TENANT, Set.of(), Set.of()));
        for (Task task : engine.tasks().inbox(10, caller).tasks()) {
          world.accept("%s sees '%s', level %d".formatted(who, task.title(), task.level()));
          if (engine.approvals().approve(task.id(), "Fine with me", rita)
              instanceof Answer.Refused refused) {
            world.accept("rita may not: " + refused.rejection().code());
          }
          engine.approvals().approve(task.id(), "Fine with me", caller).orThrow();
        }
      }

      Instance ended = engine.instances().awaitEnd(id, Duration.ofSeconds(30), rita);
      for (Vote vote : engine.approvals().decisions(id, rita)) {
        world.accept(
            "level %d: %s by %s".formatted(vote.level(), vote.outcome().word(), vote.by()));
      }
      return ended;
    }
  }
}
