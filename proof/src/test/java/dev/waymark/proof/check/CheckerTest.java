package dev.waymark.proof.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.waymark.engine.store.Checker;
import dev.waymark.engine.store.Checker.Options;
import dev.waymark.engine.store.Checker.Violation;
import dev.waymark.engine.store.Invariant;
import dev.waymark.engine.store.Store;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * A checker that cannot fail proves nothing: it must find nothing in clean data, and each planted
 * violation in data that is broken on purpose. Every planting is rolled back.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class CheckerTest {

  private static final int FEWEST_FOR_EACH = 2;

  @SuppressWarnings("NullAway.Init") // Set before all tests.
  private Store store;

  @SuppressWarnings("NullAway.Init") // Set before all tests.
  private WorkflowTestKit kit;

  abstract Store open(VirtualClock clock);

  @BeforeAll
  final void play() {
    VirtualClock clock = new VirtualClock();
    store = open(clock);
    kit = Scenes.play(store, clock);
  }

  @AfterAll
  final void close() {
    kit.close();
  }

  @Test
  final void nothing_is_found_in_what_the_engine_wrote() {
    Options all = Options.atRest().replayingAll().withAcknowledged(Scenes.acknowledged());

    assertThat(store.checker().check(all)).isEmpty();
    assertThat(store.checker().check(Options.live().replaying(3))).isEmpty();
  }

  @Test
  final void a_body_that_runs_on_a_living_node_is_fine_until_all_should_be_at_rest() {
    Planted running =
        Planted.live(
            Invariant.I5,
            "a body runs",
            """
            update wm_activity_instance set state = 1, due = null, node = (select id from wm_node)
             where instance_id = @retrying
            """);

    assertThat(found(running)).isEmpty();
  }

  @Test
  final void no_more_is_told_than_anybody_can_read() {
    Planted flood =
        Planted.atRest(
            Invariant.I14,
            "4,096 labels without an instance",
            """
            insert into wm_label (instance_id, name, value, tenant)
            select n.id, 'n' || a.lane || '-' || b.lane, 'v', 't'
              from wm_node n cross join wm_lane a cross join wm_lane b
            """);

    assertThat(found(flood)).hasSize(Checker.MAX_VIOLATIONS);
  }

  @TestFactory
  final Stream<DynamicTest> every_planted_violation_is_found_and_nothing_else() {
    return Plantings.ALL.stream()
        .map(
            planted ->
                dynamicTest(
                    planted.toString(),
                    () ->
                        assertThat(found(planted))
                            .extracting(Violation::invariant)
                            .hasSameElementsAs(planted.breaks())));
  }

  @Test
  final void every_invariant_is_tried_more_than_once() {
    Map<Invariant, Long> plantings =
        Plantings.ALL.stream()
            .flatMap(planted -> planted.breaks().stream())
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));

    // The fourth is about external calls, which are not there yet.
    assertThat(plantings.keySet()).isEqualTo(EnumSet.complementOf(EnumSet.of(Invariant.I4)));
    assertThat(plantings.values()).allMatch(count -> count >= FEWEST_FOR_EACH);
  }

  /** What is found while the damage is there. */
  private List<Violation> found(Planted planted) {
    try {
      store.inTransaction(
          connection -> {
            planted.on(connection);
            throw new Undone(store.checker().checkOn(connection, planted.options()));
          });
      throw new AssertionError("Expected the damage to be undone");
    } catch (Undone undone) {
      return undone.violations;
    }
  }

  /** Carries what was found out of a transaction that must not be committed. */
  private static final class Undone extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<Violation> violations;

    Undone(List<Violation> violations) {
      super("Damage undone", null, false, false);
      this.violations = violations;
    }
  }
}
