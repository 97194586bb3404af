package dev.waymark.proof.death;

import static dev.waymark.proof.death.Acts.HOURS;
import static dev.waymark.proof.death.Acts.answer;
import static dev.waymark.proof.death.Acts.attend;
import static dev.waymark.proof.death.Acts.vote;

import java.util.List;
import java.util.Map;

/** Scenes of people at work: approvals and tasks. */
public final class PeopleScenes {

  private PeopleScenes() {}

  public static List<Scene> all() {
    return List.of(
        Scene.of(
            "approval with two levels",
            """
              a:
                type: approval
                with:
                  key: spend
                  exclude: rita
                  levels:
                    - { approvers: [anna, bert, carl], mode: { atLeast: 2 } }
                    - { approvers: [dora], escalate: [{ after: PT1H, to: eve }], remind: { after: PT30M } }
                output: { outcome: "${ Output.outcome }", by: "${ Output.by }" }
                next: b
              b: { type: work }
            """,
            vote("anna", "rejected"),
            vote("rita", "approved"),
            vote("bert", "approved"),
            vote("carl", "approved"),
            HOURS,
            vote("eve", "approved")),
        Scene.of(
            "user task from hand to hand, escalated",
            """
              a:
                type: user-task
                with: { key: t, candidates: [anna, bert], escalate: [{ after: PT1H, to: carl }] }
                next: b
              b: { type: user-task, with: { key: u, assignee: dora, autoComplete: { after: PT1H, outcome: late } }, next: c }
              c: { type: work }
            """,
            attend("anna", "t", new dev.waymark.core.step.TaskAction.Assign("bert", true)),
            attend("bert", "t", new dev.waymark.core.step.TaskAction.Comment("Mine")),
            HOURS,
            (drill, name) -> drill.resume("carl", "t", Map.of("done", true), name),
            HOURS),
        Scene.of(
            "user task that is assigned by turns",
            """
              a: { type: user-task, with: { key: t, assign: { group: clerks, by: round-robin } }, next: b }
              b: { type: user-task, with: { key: u, assign: { group: clerks, by: least-loaded } }, next: c }
              c: { type: work }
            """,
            answer("t"),
            answer("u")));
  }
}
