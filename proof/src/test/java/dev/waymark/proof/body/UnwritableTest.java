package dev.waymark.proof.body;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Correction.SetVariables;
import dev.waymark.core.step.InterventionAction;
import dev.waymark.engine.Caller;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Steps that are too large to be stored: a person sees them, and nothing spins or stands still. */
final class UnwritableTest {

  private static final Caller ADMIN =
      Caller.of(new Actor("admin", "default", Set.of(), Set.of("workflow-admin")));

  /** Nearly 2 MB; one more piece is too much. */
  private static final Map<String, Object> LARGE =
      Map.of("piece", "p".repeat(200_000), "a", "x".repeat(950_000), "b", "y".repeat(800_000));

  private static final String GROW =
      """
        s: { type: set, with: { more: "${ Variables.piece }" } }
      """;

  private static String flow(String start) {
    return "waymark: 1\nkey: flow\nstart: t\nactivities:\n" + start.indent(2) + GROW;
  }

  private static WorkflowTestKit kit(Stores stores) {
    VirtualClock clock = new VirtualClock();
    return WorkflowTestKit.on(
        stores.create().open(clock),
        clock,
        builder -> builder.activity("work", context -> ActivityResult.completed(Map.of())));
  }

  private static void assertParkedOnce(Run run, String activity) {
    assertThat(run.status()).isEqualTo(Status.SUSPENDED);
    assertThat(run.instance().activities().values())
        .filteredOn(visit -> visit.activity().equals(activity))
        .extracting(visit -> visit.fault() == null ? "none" : visit.fault().code())
        .containsExactly(Fault.NOT_STORABLE);
  }

  private static void makeRoom(WorkflowTestKit kit, Run run) {
    kit.engine()
        .operations()
        .edit(run.id(), new SetVariables(Map.of(), List.of("a")), "made room", ADMIN)
        .orThrow();
    run.intervene(InterventionAction.RETRY_ACTIVITY, "there is room now").orThrow();
    kit.advance(Duration.ofMinutes(1));
  }

  @ParameterizedTest
  @EnumSource
  void a_timer_whose_step_is_too_large_parks_its_visit(Stores stores) {
    try (WorkflowTestKit kit = kit(stores)) {
      kit.deploy(flow("t: { type: timer, with: { after: PT1S }, next: s }"));
      Run run = kit.start("flow", LARGE);

      kit.advance(Duration.ofSeconds(5));
      assertParkedOnce(run, "t");
      long version = run.instance().version();
      kit.advance(Duration.ofMinutes(5));
      assertThat(run.instance().version()).isEqualTo(version);

      makeRoom(kit, run);
      assertThat(run.status()).isEqualTo(Status.COMPLETED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_message_whose_step_is_too_large_parks_who_waits_for_it(Stores stores) {
    try (WorkflowTestKit kit = kit(stores)) {
      kit.deploy(flow("t: { type: wait, with: { for: external-message, key: go }, next: s }"));
      Run run = kit.start("flow", LARGE);

      run.send("go", Map.of());
      kit.advance(Duration.ofSeconds(5));
      assertParkedOnce(run, "t");

      makeRoom(kit, run);
      assertThat(run.status()).isEqualTo(Status.COMPLETED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_body_whose_result_leads_to_a_step_that_is_too_large_is_parked(Stores stores) {
    try (WorkflowTestKit kit = kit(stores)) {
      kit.deploy(flow("t: { type: work, next: s, on: { error: { to: s } } }"));
      Run run = kit.start("flow", LARGE);

      kit.advance(Duration.ofSeconds(5));
      assertParkedOnce(run, "t");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_task_of_as_many_as_may_be_asked_can_be_escalated(Stores stores) {
    try (WorkflowTestKit kit = kit(stores)) {
      kit.deploy(
          """
          waymark: 1
          key: flow
          start: t
          activities:
            t:
              type: user-task
              with:
                candidates: "${ Variables.all }"
                escalate: [{ after: PT1H, to: [boss] }]
          """);
      List<String> all = IntStream.range(0, 1_000).mapToObj(i -> "user-" + i).toList();
      Run run = kit.start(StartRequest.of("flow").input(Map.of("all", all)));

      kit.advance(Duration.ofHours(2));

      assertThat(run.status()).isEqualTo(Status.RUNNING);
      assertThat(run.history()).anyMatch(e -> e.type() == HistoryEntry.Type.WAIT_ESCALATED);
      assertThat(run.bookmark("t").terms().candidates().users()).hasSize(1_001).contains("boss");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_run_whose_whole_state_is_too_large_for_a_copy_goes_on(Stores stores) {
    try (WorkflowTestKit kit = kit(stores)) {
      kit.deploy(
          """
          waymark: 1
          key: flow
          start: ask
          maxVisits: 1000
          activities:
            ask: { type: wait, with: { key: ask, payload: { big: "${ Variables.p }" } }, next: ask }
          """);
      Run run = kit.start("flow", Map.of("p", "z".repeat(200_000)));
      run.resume("ask", Map.of("a", "x".repeat(950_000))).orThrow();
      run.resume("ask", Map.of("b", "y".repeat(900_000))).orThrow();

      for (int i = 0; i < 210; i++) {
        run.resume("ask", Map.of("n", i)).orThrow();
      }

      assertThat(run.instance().version()).isGreaterThan(200);
      assertThat(kit.engine().instances().stateAt(run.id(), 205, ADMIN).orElseThrow().variables())
          .containsEntry("n", 201L)
          .containsKeys("a", "b");
    }
  }
}
