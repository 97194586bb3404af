package dev.waymark.proof.death;

import static dev.waymark.proof.death.Acts.HOURS;
import static dev.waymark.proof.death.Acts.answer;
import static dev.waymark.proof.death.Acts.correlate;

import java.util.List;

/** Scenes of runs that talk: with their children, with each other and with partners. */
public final class MessageScenes {

  private MessageScenes() {}

  public static List<Scene> all() {
    return List.of(
        new Scene(
                "sub-workflow",
                List.of(
                    Scene.flow(
                        "flow",
                        "",
                        """
                          a:
                            type: sub-workflow
                            with: { definition: child, input: { n: 4 } }
                            output: { got: "${ Output.m }" }
                            next: z
                          z: { type: work }
                        """)),
                List.of(answer("child")))
            .and(
                Scene.flow(
                    "child",
                    "output: { m: \"${ Variables.n + 1 }\" }\n",
                    """
                      a: { type: work, next: b }
                      b: { type: wait, with: { key: child }, next: c }
                      c: { type: work }
                    """)),
        new Scene(
                "sub-workflow that fails",
                List.of(
                    Scene.flow(
                        "flow",
                        "",
                        """
                          a:
                            type: sub-workflow
                            with: { definition: child }
                            on: { error: { match: "Error.code == 'X'", to: z } }
                          z: { type: work }
                        """)),
                List.of())
            .and(
                Scene.flow(
                    "child", "", "  a: { type: terminate, with: { status: failed, code: X } }\n")),
        new Scene(
                "sub-workflow that is no longer wanted",
                List.of(
                    Scene.flow(
                        "flow",
                        "",
                        """
                          a:
                            type: sub-workflow
                            with: { definition: child }
                            on: { timeout: { after: PT1H, to: z } }
                          z: { type: work }
                        """)),
                List.of(HOURS))
            .and(Scene.flow("child", "", "  a: { type: wait, with: { key: never } }\n")),
        Scene.of(
            "signal",
            """
              a: { type: fork, with: { branches: [b, c, d] } }
              b: { type: wait, with: { for: signal, key: go }, next: j }
              c: { type: wait, with: { for: signal, key: go }, next: j }
              d: { type: wait, with: { key: d }, next: s }
              s: { type: signal, with: { name: go, payload: { x: 1 } }, next: j }
              j: { type: join, next: z }
              z: { type: work }
            """,
            answer("d")),
        Scene.of(
            "send",
            """
              a: { type: fork, with: { branches: [b, c] } }
              b: { type: wait, with: { for: external-message, key: hi }, next: j }
              c:
                type: send
                with: { to: "${ Context.instance }", name: hi, payload: { x: 1 } }
                next: j
              j: { type: join, next: z }
              z: { type: work }
            """),
        Scene.of(
            "a callback, and reports before and after it",
            """
              a: { type: wait, with: { key: a }, next: b }
              b: { type: wait, with: { for: webhook, key: hook }, next: c }
              c: { type: wait, with: { key: c }, next: d }
              d: { type: work }
            """,
            (drill, name) -> drill.report("hook", name),
            answer("a"),
            (drill, name) -> drill.report("hook", name),
            (drill, name) -> drill.callBack("hook"),
            (drill, name) -> drill.report("hook", name),
            answer("c")),
        Scene.of(
                "messages that begin runs",
                """
                  a: { type: wait, with: { for: external-message, key: placed, correlate: one }, next: b }
                  b: { type: work }
                """,
                correlate("one"),
                correlate("two"),
                correlate("two"))
            .and(
                Scene.flow(
                    "begun",
                    "startOn: placed\n",
                    """
                      a: { type: wait, with: { for: external-message, key: placed, correlate: two }, next: b }
                      b: { type: work }
                    """)));
  }
}
