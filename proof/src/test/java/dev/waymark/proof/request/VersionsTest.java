package dev.waymark.proof.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.MigrationPlan;
import dev.waymark.engine.Caller;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.DeployedVersion;
import dev.waymark.engine.Engine;
import dev.waymark.engine.MigrationReport;
import dev.waymark.engine.MigrationRequest;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.store.Store;
import dev.waymark.sqlite.SqliteStore;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Versions side by side, and what moves from one to another. */
final class VersionsTest {

  private static final Caller ANNA = Caller.of("anna");
  private static final String FIRST = flow("{ type: wait, with: { key: ask }, next: done }");
  private static final String SECOND =
      flow(
          "{ type: wait, with: { key: ask }, next: extra }\n"
              + "  extra: { type: set, with: { v: 2 }, next: done }");

  private static String flow(String ask) {
    return """
    waymark: 1
    key: order
    start: ask
    activities:
      ask: %s
      done: { type: end }
    """
        .formatted(ask);
  }

  @Test
  void a_run_stays_on_its_version_and_new_ones_get_the_active_one() {
    try (WorkflowTestKit kit = WorkflowTestKit.with(builder -> {})) {
      kit.deploy(FIRST);
      Run old = kit.start("order", Map.of());
      kit.clock().advance(Duration.ofHours(1));
      assertThat(kit.deploy(SECOND).version()).isEqualTo(2);
      assertThat(kit.deploy(FIRST).version()).isEqualTo(1);
      kit.advance(Duration.ofSeconds(2));
      Run young = kit.start("order", Map.of());

      old.resume("ask", Map.of());
      young.resume("ask", Map.of());

      assertThat(old.variables()).doesNotContainKey("v");
      assertThat(young.variables()).containsEntry("v", 2L);
    }
  }

  @Test
  void a_retired_version_takes_no_new_runs_and_can_be_brought_back() {
    try (WorkflowTestKit kit = WorkflowTestKit.with(builder -> {})) {
      Engine engine = kit.engine();
      kit.deploy(FIRST);
      Run old = kit.start("order", Map.of());
      engine.definitions().retire("order", 1, ANNA);

      assertThatThrownBy(() -> engine.instances().start(StartRequest.of("order"), ANNA).orThrow())
          .isInstanceOf(CommandRefused.class)
          .hasMessageContaining("no active one with key 'order'");
      assertThatThrownBy(
              () -> engine.instances().start(StartRequest.of("order").version(1), ANNA).orThrow())
          .hasMessageContaining("'order' version 1 is retired");
      assertThatThrownBy(() -> engine.definitions().retire("order", 9, ANNA))
          .hasMessageContaining("'order' has no version 9");
      old.resume("ask", Map.of());
      assertThat(old.status()).isEqualTo(Status.COMPLETED);

      engine.definitions().activate("order", 1, ANNA);
      assertThat(engine.definitions().versions("order", ANNA))
          .extracting(DeployedVersion::state)
          .containsExactly(DeployedVersion.State.ACTIVE);
      assertThat(kit.start("order", Map.of()).status()).isEqualTo(Status.RUNNING);
    }
  }

  @Test
  void a_dry_run_changes_nothing_and_the_real_one_does_what_it_said() {
    try (WorkflowTestKit kit = WorkflowTestKit.with(builder -> {})) {
      kit.deploy(FIRST);
      Run run = kit.start("order", Map.of());
      kit.deploy(SECOND);
      MigrationRequest request = new MigrationRequest("order", 1, 2, MigrationPlan.PLAIN);

      MigrationReport dry = kit.engine().operations().checkMigration(request, ANNA);
      assertThat(run.instance().version()).isEqualTo(1);
      MigrationReport real = kit.engine().operations().migrate(request, Caller.of("test"));
      kit.runUntilIdle();
      run.resume("ask", Map.of());

      assertThat(dry).isEqualTo(new MigrationReport(1, 1, 0, List.of()));
      assertThat(real).isEqualTo(dry);
      assertThat(run.variables()).containsEntry("v", 2L);
    }
  }

  @Test
  void what_cannot_move_stays_and_is_listed_with_the_reason() {
    try (WorkflowTestKit kit = WorkflowTestKit.with(builder -> {})) {
      kit.deploy(FIRST);
      Run run = kit.start("order", Map.of());
      kit.deploy(FIRST.replace("ask", "question"));
      MigrationRequest request = new MigrationRequest("order", 1, 2, MigrationPlan.PLAIN);

      MigrationReport report = kit.engine().operations().migrate(request, Caller.of("test"));

      assertThat(report.obstacles())
          .containsExactly(
              new MigrationReport.Obstacle(
                  "Expected an activity for 'ask' in order v2, but there is no 'ask'",
                  1,
                  List.of(run.id())));
      assertThat(report.toString()).contains("1 examined, 0 moved, 0 gone, 1 stay");
      assertThat(run.waitsAt()).containsExactly("ask");
    }
  }

  @Test
  void long_running_instances_are_listed_and_left_alone() {
    try (WorkflowTestKit kit = WorkflowTestKit.with(builder -> {})) {
      kit.deploy(FIRST);
      Run old = kit.start("order", Map.of());
      kit.advance(Duration.ofDays(3));
      Run young = kit.start("order", Map.of());

      assertThat(
              kit.engine().instances().longRunning(Duration.ofDays(1), null, 10, Caller.of("test")))
          .extracting(instance -> instance.id())
          .containsExactly(old.id());
      assertThat(old.status()).isEqualTo(Status.RUNNING);
      assertThat(young.status()).isEqualTo(Status.RUNNING);
    }
  }

  @Test
  void a_missing_implementation_is_reported_and_waited_for(@TempDir Path folder) {
    VirtualClock clock = new VirtualClock();
    String flow = flow("{ type: charge@2, next: done }");
    Path file = folder.resolve("w.db");
    Run run;
    try (WorkflowTestKit kit =
        WorkflowTestKit.on(
            store(file, clock),
            clock,
            builder ->
                builder.activity("charge@2", c -> ActivityResult.completed()).stepByStep())) {
      kit.deploy(flow);
      run = kit.start("order", Map.of());
    }
    try (WorkflowTestKit kit = WorkflowTestKit.on(store(file, clock), clock, builder -> {})) {
      kit.advance(Duration.ofSeconds(5));

      assertThat(kit.engine().definitions().missingActivities())
          .singleElement()
          .satisfies(
              missing -> {
                assertThat(missing.type()).isEqualTo("charge@2");
                assertThat(missing.instances()).isEqualTo(1);
                assertThat(missing.first()).containsExactly(run.id());
              });
      assertThat(kit.run(run.id()).instance().activities().values())
          .singleElement()
          .satisfies(visit -> assertThat(visit.state()).isEqualTo(State.READY));
    }
    try (WorkflowTestKit kit =
        WorkflowTestKit.on(
            store(file, clock),
            clock,
            builder -> builder.activity("charge@2", c -> ActivityResult.completed()))) {
      kit.advance(Duration.ofMinutes(2));

      assertThat(kit.engine().definitions().missingActivities()).isEmpty();
      assertThat(kit.run(run.id()).status()).isEqualTo(Status.COMPLETED);
    }
  }

  private static Store store(Path file, VirtualClock clock) {
    return SqliteStore.open(file, clock);
  }
}
