package dev.waymark.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.definition.Activity;
import dev.waymark.core.definition.ActivityType;
import dev.waymark.core.definition.Definition;
import dev.waymark.core.definition.DefinitionParser;
import dev.waymark.core.definition.Reaction;
import dev.waymark.core.expression.Expressions;
import dev.waymark.core.step.Kinds;
import dev.waymark.engine.CrashPoints.Point;
import dev.waymark.engine.Messages;
import dev.waymark.engine.store.sqlite.SqliteStore;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.engine.Drill.Act;
import dev.waymark.testkit.engine.Drill.Outcome;
import dev.waymark.testkit.engine.Drill.Scene;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every kind of activity and every reaction, on a process that is killed right before or right
 * after each of its commits: the next one brings the run to the same end.
 */
final class CrashAtEachCommitTest {

  private static Act answer(String key) {
    return answer(key, Map.of());
  }

  private static Act answer(String key, Map<String, Object> payload) {
    return (drill, name) -> drill.resume(key, payload, name);
  }

  private static Act vote(String who, String outcome) {
    return (drill, name) -> drill.resume(who, "spend", Map.of("outcome", outcome), name);
  }

  private static Act send(String message) {
    return (drill, name) -> drill.send(message, name);
  }

  private static Act signal(String signal) {
    return (drill, name) ->
        drill
            .in()
            .signal(
                signal, Map.of("by", "signal"), "test", name, dev.waymark.engine.Caller.of("anna"));
  }

  private static Act correlate(String key) {
    return (drill, name) ->
        drill
            .in()
            .messages()
            .correlate(
                Messages.Correlated.of("placed", key, Map.of("by", key), "test", name),
                dev.waymark.engine.Caller.of("anna"));
  }

  private static Act pass(Duration time) {
    return (drill, name) -> drill.pass(time);
  }

  private static final Act HOURS = pass(Duration.ofHours(3));

  static List<Scene> scenes() {
    List<Scene> scenes = new ArrayList<>();
    scenes.add(
        Scene.of(
            "set, a body and end",
            """
              a: { type: set, with: { n: 1 }, next: b }
              b: { type: echo, with: { m: "${ Variables.n + 1 }" }, next: c }
              c: { type: end }
            """));
    scenes.add(
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
            answer("d")));
    scenes.add(
        Scene.of(
            "join any that cancels the rest",
            """
              a: { type: fork, with: { branches: [b, c] } }
              b: { type: wait, with: { key: b }, next: j }
              c: { type: wait, with: { key: c }, next: j }
              j: { type: join, with: { wait: any, rest: cancel }, next: z }
              z: { type: work }
            """,
            answer("c")));
    scenes.add(
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
            """));
    scenes.add(
        Scene.of(
            "timer, emit and terminate",
            """
              a: { type: timer, with: { after: PT1H }, next: b }
              b: { type: emit, with: { type: hello, data: { x: 1 } }, next: c }
              c: { type: terminate, with: { status: failed, code: WANTED } }
            """,
            HOURS));
    scenes.add(
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
            answer("k", Map.of("ok", true))));
    scenes.add(
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
            answer("first")));
    scenes.add(
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
            """));
    scenes.add(
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
            """));
    scenes.add(
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
    scenes.add(
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
                    """)));
    scenes.add(
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
                    "child", "", "  a: { type: terminate, with: { status: failed, code: X } }\n")));
    scenes.add(
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
            .and(Scene.flow("child", "", "  a: { type: wait, with: { key: never } }\n")));
    scenes.add(
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
            answer("d")));
    scenes.add(
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
            """));
    scenes.add(
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
            answer("c")));
    scenes.add(
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
    scenes.add(
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
            """));
    scenes.add(
        Scene.of(
            "on error of a body",
            """
              a: { type: broken, on: { error: { to: b } } }
              b: { type: work }
            """));
    scenes.add(
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
            HOURS));
    scenes.add(
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
            send("stop")));
    scenes.add(
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
            signal("stop")));
    scenes.add(
        new Scene(
            "a whole run that times out",
            List.of(Scene.flow("flow", "timeout: PT1H\n", "  a: { type: wait }\n")),
            List.of(HOURS)));
    scenes.add(
        Scene.of(
            "compensate",
            """
              a: { type: work, compensate: u, next: b }
              u: { type: work }
              b: { type: work, compensate: v, next: c }
              v: { type: work }
              c: { type: compensate, next: z }
              z: { type: work }
            """));
    scenes.add(
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
            List.of()));
    scenes.add(
        Scene.of(
            "a cancel that undoes",
            """
              a: { type: work, compensate: u, next: b }
              u: { type: work }
              b: { type: wait, with: { key: b } }
            """,
            (drill, name) -> drill.cancel(name)));
    scenes.add(
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
            vote("eve", "approved")));
    scenes.add(
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
            attend("anna", "t", new dev.waymark.core.step.Act.Assign("bert", true)),
            attend("bert", "t", new dev.waymark.core.step.Act.Comment("Mine")),
            HOURS,
            (drill, name) -> drill.resume("carl", "t", Map.of("done", true), name),
            HOURS));
    scenes.add(
        Scene.of(
            "user task that is assigned by turns",
            """
              a: { type: user-task, with: { key: t, assign: { group: clerks, by: round-robin } }, next: b }
              b: { type: user-task, with: { key: u, assign: { group: clerks, by: least-loaded } }, next: c }
              c: { type: work }
            """,
            answer("t"),
            answer("u")));
    return scenes;
  }

  private static Act attend(String who, String key, dev.waymark.core.step.Act act) {
    return (drill, name) -> drill.attend(who, key, act, name);
  }

  @ParameterizedTest
  @MethodSource("scenes")
  void a_scene_ends_the_same_wherever_its_process_is_killed(Scene scene) {
    Drill undisturbed = drill(Point.P3_BEFORE_COMMIT, 0);
    Outcome expected = undisturbed.play(scene);
    int commits = undisturbed.seen();
    assertThat(commits).isPositive();
    assertThat(expected.runs()).last().isEqualTo("violations: []");

    for (Point point : List.of(Point.P3_BEFORE_COMMIT, Point.P8_COMMITTED_UNHEARD)) {
      for (int deadly = 1; deadly <= commits; deadly++) {
        assertThat(drill(point, deadly).play(scene))
            .as("%s, killed at %s number %d of %d", scene, point, deadly, commits)
            .isEqualTo(expected);
      }
    }
  }

  private static Drill drill(Point point, int deadly) {
    VirtualClock clock = new VirtualClock();
    return new Drill(SqliteStore.inMemory(clock), clock, point, deadly);
  }

  @Test
  void the_scenes_have_every_kind_and_every_reaction() {
    Set<String> types = new TreeSet<>();
    Set<String> reactions = new TreeSet<>();
    for (Scene scene : scenes()) {
      for (Definition definition : scene.definitions().stream().map(this::parse).toList()) {
        for (Activity activity :
            Stream.concat(definition.activities().values().stream(), Stream.of(definition.root()))
                .toList()) {
          types.add(activity.type());
          activity.reactions().forEach(r -> reactions.add(r.on() + " " + r.interrupt()));
        }
      }
    }

    assertThat(types).containsAll(Kinds.builtIn().stream().map(ActivityType::name).toList());
    List<String> wanted = new ArrayList<>(List.of("ERROR true"));
    for (Reaction.On on : List.of(Reaction.On.TIMEOUT, Reaction.On.MESSAGE, Reaction.On.SIGNAL)) {
      wanted.add(on + " true");
      wanted.add(on + " false");
    }
    assertThat(reactions).containsExactlyInAnyOrderElementsOf(wanted);
  }

  private Definition parse(String text) {
    List<ActivityType> types = new ArrayList<>(Kinds.builtIn());
    List.of("work", "echo", "broken").forEach(name -> types.add(() -> name));
    return new DefinitionParser(types, new Expressions()).parse(text);
  }
}
