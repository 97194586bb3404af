package dev.waymark.proof.body;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.engine.Settings;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.spi.IdSource;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A visit of a type that no living node knows. */
final class UnknownTypeTest {

  private static final String FLOW =
      """
      waymark: 1
      key: flow
      start: a
      activities:
        a: { type: strange }
      """;

  private final VirtualClock clock = new VirtualClock();

  @ParameterizedTest
  @EnumSource
  void it_is_tried_at_growing_distances_until_a_node_knows_it(Stores stores) {
    Stores.Place place = stores.create();
    Run run;
    try (WorkflowTestKit knows =
        place.process(
            clock,
            builder ->
                builder.activity("strange", context -> ActivityResult.completed()).stepByStep())) {
      knows.deploy(FLOW);
      run = knows.start("flow", Map.of());
    }
    Instant entered = clock.instant();
    try (WorkflowTestKit strangers = place.process(clock, builder -> {})) {
      strangers.advance(Duration.ofMinutes(50));

      // The pause is half as long as the visit is old: from one second, and ten minutes at the
      // most. This node leaves the visit to others for 15 seconds more.
      List<Long> seconds =
          strangers.run(run.id()).history().stream()
              .filter(entry -> entry.type() == HistoryEntry.Type.ACTIVITY_RELEASED)
              .map(entry -> Duration.between(entered, entry.at()).toSeconds())
              .toList();
      assertThat(seconds)
          .containsExactly(
              0L, 16L, 39L, 73L, 125L, 203L, 319L, 494L, 756L, 1149L, 1739L, 2354L, 2969L);
    }
    try (WorkflowTestKit knows =
        place.process(
            clock, builder -> builder.activity("strange", context -> ActivityResult.completed()))) {
      knows.advance(Duration.ofMinutes(10));
      assertThat(knows.run(run.id())).isCompleted();
    }
  }

  /**
   * A node that put a visit back knows when it is due again, and would always be the first. SQLite
   * has one node at a time.
   */
  @ParameterizedTest
  @EnumSource(names = "POSTGRES")
  void a_node_without_the_code_leaves_it_to_one_that_polls(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit knows =
            WorkflowTestKit.on(
                store,
                clock,
                builder ->
                    builder
                        .activity("strange", context -> ActivityResult.completed())
                        .settings(Settings.DEFAULT));
        WorkflowTestKit stranger =
            WorkflowTestKit.on(
                store,
                clock,
                builder ->
                    builder
                        .settings(Settings.DEFAULT)
                        .ids(IdSource.timeOrdered(clock, new Random(2))))) {
      knows.deploy(FLOW);
      List<Run> runs = Stream.generate(() -> stranger.start("flow", Map.of())).limit(5).toList();

      // The stranger moves first at every moment.
      for (int tick = 0; tick < 30; tick++) {
        stranger.advance(Duration.ofMillis(100));
        knows.advance(Duration.ZERO);
      }

      assertThat(runs).allSatisfy(run -> assertThat(knows.run(run.id())).isCompleted());
    }
  }

  /** While a release is rolled out, a node that has no code for a visit may take it first. */
  @ParameterizedTest
  @EnumSource
  void a_node_that_knows_it_runs_it_soon_after_one_that_does_not_gave_it_back(Stores stores) {
    Stores.Place place = stores.create();
    Run run;
    try (WorkflowTestKit knows =
        place.process(
            clock,
            builder ->
                builder.activity("strange", context -> ActivityResult.completed()).stepByStep())) {
      knows.deploy(FLOW);
      run = knows.start("flow", Map.of());
    }
    try (WorkflowTestKit strangers = place.process(clock, builder -> {})) {
      strangers.advance(Duration.ofSeconds(1));
      assertThat(strangers.run(run.id()).history())
          .extracting(HistoryEntry::type)
          .contains(HistoryEntry.Type.ACTIVITY_RELEASED);
    }
    try (WorkflowTestKit knows =
        place.process(
            clock, builder -> builder.activity("strange", context -> ActivityResult.completed()))) {
      knows.advance(Duration.ofSeconds(5));
      assertThat(knows.run(run.id())).isCompleted();
    }
  }
}
