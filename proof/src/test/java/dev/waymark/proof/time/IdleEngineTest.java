package dev.waymark.proof.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.engine.Settings;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.StoreHooks;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an engine without work asks of its store: an idle service must be no burden on it. */
final class IdleEngineTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final long MOST_PER_SECOND = 3;

  /** Methods of the store that only lead to a part of it, or to what it knows by itself. */
  private static final Set<String> NO_CALLS =
      Arrays.stream(Store.class.getMethods())
          .filter(method -> method.getParameterCount() == 0)
          .map(Method::getName)
          .collect(Collectors.toUnmodifiableSet());

  private final VirtualClock clock = new VirtualClock();
  private final Map<String, Long> calls = new TreeMap<>();

  private void count(String call) {
    if (!NO_CALLS.contains(call)) {
      calls.merge(call, 1L, Long::sum);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_idle_engine_with_a_subscriber_asks_its_store_three_times_a_second_at_most(Stores stores) {
    Store store = StoreHooks.watching(stores.create().open(clock), this::count);
    try (WorkflowTestKit kit =
        WorkflowTestKit.on(
            store,
            clock,
            builder ->
                builder
                    .settings(Settings.DEFAULT)
                    .subscribe("ledger", type -> true, event -> {}))) {
      kit.advance(MINUTE);
      calls.clear();

      kit.advance(MINUTE);

      assertThat(calls).containsEntry("nextWork", MINUTE.toSeconds());
      assertThat(calls.values().stream().mapToLong(Long::longValue).sum())
          .as("calls in a minute: %s", calls)
          .isLessThanOrEqualTo(MOST_PER_SECOND * MINUTE.toSeconds());
    }
  }
}
