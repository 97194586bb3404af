package dev.waymark.proof.death;

import static dev.waymark.proof.death.Acts.HOURS;
import static dev.waymark.proof.death.Acts.answer;

import java.util.List;
import java.util.Map;

/** Scenes of what moves by itself: bodies, branches, loops and timers. */
public final class FlowScenes {

  private FlowScenes() {}

  public static List<Scene> all() {
    return List.of(
        Scene.of(
            "set, a body and end",
            """
              a: { type: set, with: { n: 1 }, next: b }
              b: { type: echo, with: { m: "${ Variables.n + 1 }" }, next: c }
              c: { type: end }
            """),
        Scene.of(
            "a body that puts a payload",
            """
              a: { type: scan, output: { scan: "${ Output.scan }" }, next: b }
              b: { type: wait, with: { key: b, payload: { look: "${ Variables.scan }" } }, next: c }
              c: { type: echo, with: { again: "${ Variables.scan }" } }
            """,
            answer("b")),
        Scene.of(
            "fork and join",
            """
              a: { type: fork, with: { branches: [b, c, d] } }
              b: { type: work, next: j }
              c: { type: work, next: j }
              d: { type: wait, with: { key: d }, next: j }
              j: { type: join, next: z }
              z: { type: work }
            """,
            answer("d")),
        Scene.of(
            "join any that cancels the rest",
            """
              a: { type: fork, with: { branches: [b, c] } }
              b: { type: wait, with: { key: b }, next: j }
              c: { type: wait, with: { key: c }, next: j }
              j: { type: join, with: { wait: any, rest: cancel }, next: z }
              z: { type: work }
            """,
            answer("c")),
        Scene.of(
            "split",
            """
              a:
                type: split
                next: [{ when: "true", to: b }, { when: "true", to: c }, { to: d }]
              b: { type: work, next: j }
              c: { type: work, next: j }
              d: { type: work, next: j }
              j: { type: join, next: z }
              z: { type: work }
            """),
        Scene.of(
            "timer, emit and terminate",
            """
              a: { type: timer, with: { after: PT1H }, next: b }
              b: { type: emit, with: { type: hello, data: { x: 1 } }, next: c }
              c: { type: terminate, with: { status: failed, code: WANTED } }
            """,
            HOURS),
        Scene.of(
            "wait with a guard",
            """
              a:
                type: wait
                with: { key: k }
                guard: { result: { type: object, required: [ok] } }
                next: b
              b: { type: work }
            """,
            answer("k"),
            answer("k", Map.of("ok", true))),
        Scene.of(
            "race",
            """
              a:
                type: race
                with: { waits: { first: { key: first, to: b }, late: { after: PT1H } } }
                next: c
              b: { type: work }
              c: { type: work }
            """,
            answer("first")),
        Scene.of(
            "scope",
            """
              a:
                type: scope
                variables: { x: 1 }
                start: b
                activities:
                  b: { type: work, next: c }
                  c: { type: set, with: { x: "${ Variables.x + 1 }" } }
                output: { y: "${ Output.x }" }
                next: d
              d: { type: work }
            """),
        Scene.of(
            "for-each one after another",
            """
              a:
                type: for-each
                with: { items: [1, 2, 3] }
                start: b
                activities:
                  b: { type: echo, with: { d: "${ Variables.item * 2 }" }, output: { d: "${ Output.d }" } }
                variables: { d: 0 }
                collect: "${ Variables.d }"
                next: c
              c: { type: work }
            """),
        Scene.of(
            "for-each side by side until it is enough",
            """
              a:
                type: for-each
                with: { items: [1, 2, 3, 4], parallel: 2 }
                start: b
                activities:
                  b: { type: wait, with: { key: "${ 'k' + string(Variables.item) }" } }
                collect: "${ Variables.item }"
                until: "Output.result == 3"
                next: c
              c: { type: work }
            """,
            answer("k2"),
            answer("k3")));
  }
}
