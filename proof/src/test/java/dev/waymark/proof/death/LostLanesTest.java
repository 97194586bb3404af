package dev.waymark.proof.death;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.engine.Settings;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.StoreException;
import dev.waymark.proof.support.StoreHooks;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A node whose lanes of the outbox are no longer its own. */
final class LostLanesTest {

  private static final String FLOW =
      """
      waymark: 1
      key: flow
      start: a
      activities:
        a: { type: set, with: { x: 1 } }
      """;

  private final VirtualClock clock = new VirtualClock();
  private final Map<String, Integer> heard = new HashMap<>();

  private WorkflowTestKit kit(Store store) {
    return WorkflowTestKit.on(
        store,
        clock,
        builder ->
            builder
                .settings(Settings.DEFAULT)
                .subscribe("all", type -> true, event -> heard.merge(event.id(), 1, Integer::sum)));
  }

  private static void execute(Store store, String sql) {
    int rows =
        store.inTransaction(
            connection -> {
              try (PreparedStatement statement = connection.prepareStatement(sql)) {
                return statement.executeUpdate();
              }
            });
    assertThat(rows).isPositive();
  }

  @ParameterizedTest
  @EnumSource
  void what_lies_in_lanes_of_another_node_is_not_delivered_over_and_over(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = kit(store)) {
      kit.deploy(FLOW);
      // Another node has taken them over; this one hears of it with its next lease, within 5 s.
      execute(
          store,
          stores == Stores.SQLITE
              ? "update wm_lane set holder = zeroblob(16)"
              : "update wm_lane set holder = '00000000-0000-0000-0000-000000000000'");
      kit.start(StartRequest.of("flow"));
      for (int i = 0; i < 40; i++) {
        kit.advance(Duration.ofMillis(100));
        kit.start(StartRequest.of("flow"));
      }

      assertThat(heard).isNotEmpty();
      assertThat(heard.values()).allMatch(times -> times <= 2, "at most twice");
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_event_that_cannot_be_deleted_is_delivered_once(Stores stores) {
    AtomicBoolean full = new AtomicBoolean();
    Store store =
        StoreHooks.before(
            stores.create().open(clock),
            "delivered",
            () -> {
              if (full.get()) {
                StoreHooks.fail(StoreException.Kind.TRANSIENT).run();
              }
            });
    try (WorkflowTestKit kit = kit(store)) {
      kit.deploy(FLOW);
      full.set(true);
      for (int i = 0; i < 100; i++) {
        kit.start(StartRequest.of("flow"));
        kit.advance(Duration.ofMillis(100));
      }
      assertThat(heard).isNotEmpty();
      assertThat(heard.values()).containsOnly(1);

      full.set(false);
      kit.advance(Duration.ofSeconds(6));
      assertThat(heard).hasSizeGreaterThanOrEqualTo(100);
      assertThat(heard.values()).containsOnly(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_node_that_was_declared_dead_and_comes_back_delivers_each_event_in_time(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = kit(store)) {
      kit.deploy(FLOW);
      kit.start(StartRequest.of("flow"));
      var before = kit.engine().node();
      heard.clear();

      execute(store, "update wm_node set state = 1");
      for (int i = 0; i < 120; i++) {
        kit.advance(Duration.ofMillis(100));
        if (i == 60) {
          kit.start(StartRequest.of("flow"));
        }
      }

      assertThat(kit.engine().node()).as("it is another node now").isNotEqualTo(before);
      // Sooner than the lanes of the node that it was before would have lapsed.
      assertThat(store.outbox().backlog().pending()).isZero();
      assertThat(heard).hasSizeGreaterThanOrEqualTo(2);
      assertThat(heard.values()).allMatch(times -> times <= 2, "at most twice");
    }
  }
}
