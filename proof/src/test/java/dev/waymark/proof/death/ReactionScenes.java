package dev.waymark.proof.death;

import static dev.waymark.proof.death.Acts.HOURS;
import static dev.waymark.proof.death.Acts.send;
import static dev.waymark.proof.death.Acts.signal;

import java.util.List;

/** Scenes of what goes otherwise: errors, time-outs, and what is undone. */
public final class ReactionScenes {

  private ReactionScenes() {}

  public static List<Scene> all() {
    return List.of(
        Scene.of(
            "raise, caught by a scope",
            """
              a:
                type: scope
                start: b
                activities:
                  b: { type: fork, with: { branches: [c, d] } }
                  c: { type: wait, with: { key: never } }
                  d: { type: work, next: e }
                  e: { type: raise, with: { code: E } }
                on: { error: { match: "Error.code == 'E'", to: z, output: { why: "${ Error.code }" } } }
              z: { type: work }
            """),
        Scene.of(
            "on error of a body",
            """
              a: { type: broken, on: { error: { to: b } } }
              b: { type: work }
            """),
        Scene.of(
            "on timeout, beside and instead",
            """
              a:
                type: wait
                with: { key: a }
                on:
                  timeout:
                    - { after: PT1H, to: b, interrupt: false }
                    - { after: PT2H, to: c }
              b: { type: work }
              c: { type: work }
            """,
            HOURS),
        Scene.of(
            "on message, beside and instead",
            """
              a:
                type: wait
                with: { key: a }
                on:
                  message:
                    - { name: more, to: b, interrupt: false }
                    - { name: stop, to: c }
              b: { type: work }
              c: { type: work }
            """,
            send("more"),
            send("more"),
            send("stop")),
        Scene.of(
            "on signal, beside and instead",
            """
              a:
                type: wait
                with: { key: a }
                on:
                  signal:
                    - { name: more, to: b, interrupt: false }
                    - { name: stop, to: c }
              b: { type: work }
              c: { type: work }
            """,
            signal("more"),
            signal("stop")),
        Scene.of(
            "on timeout, the run fails",
            """
              a: { type: wait, with: { key: a }, on: { timeout: { after: PT1H, fail: true } } }
            """,
            HOURS),
        new Scene(
            "a whole run that times out",
            List.of(Scene.flow("flow", "timeout: PT1H\n", "  a: { type: wait }\n")),
            List.of(HOURS)),
        Scene.of(
            "compensate",
            """
              a: { type: work, compensate: u, next: b }
              u: { type: work }
              b: { type: work, compensate: v, next: c }
              v: { type: work }
              c: { type: compensate, next: z }
              z: { type: work }
            """),
        new Scene(
            "a whole run that fails and is undone",
            List.of(
                Scene.flow(
                    "flow",
                    "on: { error: { compensate: true, fail: true } }\n",
                    """
                      a: { type: work, compensate: u, next: b }
                      u: { type: work }
                      b: { type: work, compensate: v, next: c }
                      v: { type: work }
                      c: { type: broken }
                    """)),
            List.of()),
        Scene.of(
            "a cancel that undoes",
            """
              a: { type: work, compensate: u, next: b }
              u: { type: work }
              b: { type: wait, with: { key: b } }
            """,
            (drill, name) -> drill.cancel(name)));
  }
}
