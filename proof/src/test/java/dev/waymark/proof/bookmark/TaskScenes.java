package dev.waymark.proof.bookmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.engine.spi.PeopleDirectory;
import dev.waymark.engine.store.Checker;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Scenes with tasks and votes, on an engine with a directory of people. */
final class TaskScenes {

  /** Bert stands for Anna. */
  private static final PeopleDirectory DIRECTORY =
      new PeopleDirectory() {
        @Override
        public List<String> members(String tenant, String group) {
          return group.equals("finance") ? List.of("finn", "fred") : List.of();
        }

        @Override
        public Set<String> standsFor(String tenant, String user, Instant at) {
          return user.equals("bert") ? Set.of("anna") : Set.of();
        }
      };

  static final String FLOW =
      """
      waymark: 1
      key: flow
      start: do
      activities:
        do:
          type: user-task
          with:
            title: "Task ${ Variables.n }"
            candidates: "${ Variables.who }"
            exclude: finn
            due: "${ Variables.due }"
            form: { type: object, required: [ok] }
      """;

  private static final String VOTE =
      """
      waymark: 1
      key: vote
      start: ask
      activities:
        ask:
          type: approval
          with: { approvers: [anna, "group:finance"], mode: all, data: { amount: 12.50 } }
          output: { outcome: "${ Output.outcome }" }
      """;

  interface Scene {
    void play(WorkflowTestKit kit);
  }

  static void on(Stores stores, Scene scene) {
    VirtualClock clock = new VirtualClock();
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit =
        WorkflowTestKit.on(store, clock, builder -> builder.directory(DIRECTORY))) {
      kit.deploy(FLOW);
      kit.deploy(VOTE);
      scene.play(kit);
      assertThat(store.checker().check(Checker.Options.live())).isEmpty();
    }
  }

  static Run start(WorkflowTestKit kit, int n, String due, String... who) {
    return kit.start("flow", Map.of("n", n, "due", due, "who", List.of(who)));
  }

  private TaskScenes() {}
}
