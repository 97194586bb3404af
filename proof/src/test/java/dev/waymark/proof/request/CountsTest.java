package dev.waymark.proof.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.InterventionAction;
import dev.waymark.engine.Caller;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.query.StateCount;
import dev.waymark.engine.store.Checker.Options;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How many runs there are of what, and which ones need a person. */
final class CountsTest {

  private static final Caller ANNA = Caller.of("anna");
  private static final Caller ADMIN =
      Caller.of(new Actor("adam", Actor.DEFAULT_TENANT, Set.of(), Set.of("workflow-admin")));

  private static final String FLOW =
      """
      waymark: 1
      key: flow
      start: first
      activities:
        first: { type: work, with: { code: "${ Variables.first }" }, next: second }
        second: { type: work, with: { code: "${ Variables.second }" }, next: ask }
        ask: { type: wait }
      """;

  private static List<InstanceId> ids(WorkflowTestKit kit, InstanceQuery query) {
    return kit.engine().instances().list(query, ANNA).stream().map(Instance::id).toList();
  }

  private static Run start(WorkflowTestKit kit, String first, String second) {
    return kit.start("flow", Map.of("first", first, "second", second));
  }

  @ParameterizedTest
  @EnumSource
  void runs_are_found_by_the_time_at_which_they_began(Stores stores) {
    VirtualClock clock = new VirtualClock();
    try (WorkflowTestKit kit = stores.create().process(clock, builder -> {})) {
      kit.deploy("waymark: 1\nkey: ask\nstart: ask\nactivities: { ask: { type: wait } }");
      InstanceId early = kit.start("ask", Map.of()).id();
      kit.advance(Duration.ofHours(1));
      Instant noon = clock.instant();
      InstanceId late = kit.start("ask", Map.of()).id();
      Instant after = noon.plus(Duration.ofHours(1));

      assertThat(ids(kit, InstanceQuery.ALL.begunBetween(noon, null))).containsExactly(late);
      assertThat(ids(kit, InstanceQuery.ALL.begunBetween(null, noon))).containsExactly(early);
      assertThat(ids(kit, InstanceQuery.ALL.begunBetween(noon, after))).containsExactly(late);
      assertThat(ids(kit, InstanceQuery.ALL.begunBetween(after, null))).isEmpty();
      assertThat(ids(kit, InstanceQuery.ALL.begunBetween(noon, noon.plusNanos(1))))
          .containsExactly(late);
      assertThat(ids(kit, InstanceQuery.ALL.begunBetween(noon.plusNanos(1), after))).isEmpty();
      assertThatThrownBy(() -> InstanceQuery.ALL.begunBetween(after, noon))
          .hasMessageContaining("Expected a period that ends after it begins");
    }
  }

  @ParameterizedTest
  @EnumSource
  void live_runs_are_counted_by_version_with_parked_apart_from_held_and_found_so(Stores stores) {
    VirtualClock clock = new VirtualClock();
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit =
        WorkflowTestKit.on(
            store,
            clock,
            builder ->
                builder.activity(
                    "work",
                    context ->
                        context.input().get("code").equals("OK")
                            ? ActivityResult.completed(Map.of())
                            : ActivityResult.failedForGood(
                                String.valueOf(context.input().get("code")), "It is broken")))) {
      kit.deploy(FLOW);
      Run ended = start(kit, "OK", "OK");
      ended.resume("ask", Map.of());
      Run held = start(kit, "OK", "OK");
      kit.engine().operations().suspend(held.id(), "wait", ANNA).orThrow();
      Run broke = start(kit, "BROKE", "OK");
      Run stuck = start(kit, "OK", "STUCK");
      kit.deploy(FLOW + "# another version\nname: Another\n");
      Run waits = start(kit, "OK", "OK");
      Run broken = start(kit, "OK", "BROKE");

      assertThat(kit.engine().instances().counts(ANNA))
          .containsExactly(new StateCount("flow", 1, 0, 2, 1), new StateCount("flow", 2, 1, 1, 0));
      assertThat(kit.engine().instances().counts(Caller.of(Actor.of("anna").in("other"))))
          .isEmpty();
      InstanceQuery all = InstanceQuery.ALL;
      assertThat(ids(kit, all.held())).containsExactly(held.id());
      assertThat(ids(kit, all.parked()))
          .containsExactlyInAnyOrder(broken.id(), stuck.id(), broke.id());
      assertThat(ids(kit, all.parkedAt("first"))).containsExactly(broke.id());
      assertThat(ids(kit, all.parkedWith("BROKE")))
          .containsExactlyInAnyOrder(broken.id(), broke.id());
      assertThat(ids(kit, all.parkedWith("BROKE").parkedAt("second"))).containsExactly(broken.id());
      assertThat(ids(kit, all.parkedWith("BROKE").withLabel("team", "x"))).isEmpty();
      assertThat(ids(kit, all.parkedWith("OTHER"))).isEmpty();
      assertThat(waits.id()).isNotIn(ids(kit, all.parked()));

      kit.engine()
          .operations()
          .intervene(
              broke.bookmark("first").id(), InterventionAction.SKIP_ACTIVITY, "Done by hand", ADMIN)
          .orThrow();
      assertThat(ids(kit, all.parkedWith("BROKE"))).containsExactly(broken.id());
      assertThat(store.checker().check(Options.live().replayingAll())).isEmpty();
    }
  }
}
