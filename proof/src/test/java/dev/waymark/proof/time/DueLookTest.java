package dev.waymark.proof.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.Caller;
import dev.waymark.engine.EngineBuilder;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.Settings;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.schedule.Schedule;
import dev.waymark.engine.store.Nodes.NodeRow;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.StoreException;
import dev.waymark.proof.support.StoreHooks;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Two nodes on one database. One makes work and stands still from then on; the other one finds the
 * work, although it was not told.
 */
final class DueLookTest {

  private static final Caller ALICE = Caller.of("alice");
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration TEN_SECONDS = Duration.ofSeconds(10);
  private static final Duration LEASE = Settings.DEFAULT.nodeLease();

  private static final String NAP =
      """
      waymark: 1
      key: nap
      start: sleep
      activities:
        sleep: { type: timer, with: { after: PT10S } }
      """;

  private static final String WAIT =
      """
      waymark: 1
      key: wait
      start: ask
      activities:
        ask: { type: wait, with: { for: user-action, expires: PT10S } }
      """;

  private static final String WORK =
      """
      waymark: 1
      key: work
      start: go
      activities:
        go: { type: work, retry: { attempts: 2, backoff: PT10S, jitter: 0 } }
      """;

  private static final String TELL =
      """
      waymark: 1
      key: tell
      start: emit
      activities:
        emit: { type: emit, with: { type: hello } }
      """;

  private final VirtualClock clock = new VirtualClock();
  private final Stores.Place place = Stores.POSTGRES.create();
  private final List<String> heard = new ArrayList<>();

  private WorkflowTestKit node(Store store, Settings settings, Consumer<EngineBuilder> setUp) {
    return WorkflowTestKit.on(
        store,
        clock,
        builder -> {
          builder.settings(settings);
          setUp.accept(builder);
        });
  }

  private void listensAndWorks(EngineBuilder builder) {
    works(builder);
    builder.subscribe("ledger", "hello"::equals, event -> heard.add(event.type()));
  }

  private static void works(EngineBuilder builder) {
    builder.activity(
        "work",
        context -> {
          if (context.attempt() == 1) {
            throw new IllegalStateException("not yet");
          }
          return ActivityResult.completed();
        });
  }

  private static List<Run> work(WorkflowTestKit maker) {
    List.of(NAP, WAIT, WORK, TELL).forEach(maker::deploy);
    maker.engine().schedules().put(every(TEN_SECONDS), ALICE);
    maker.start("tell", Map.of());
    return List.of(
        maker.start("nap", Map.of()), maker.start("wait", Map.of()), maker.start("work", Map.of()));
  }

  private static Schedule every(Duration period) {
    return Schedule.every("often", period, StartRequest.of("nap"));
  }

  /** Those that {@link #work} has started, and with them those of its schedule. */
  private static int runs(WorkflowTestKit kit) {
    return kit.engine().instances().list(InstanceQuery.ALL, ALICE).size();
  }

  @Test
  void work_of_another_node_is_done_when_it_is_due() {
    try (WorkflowTestKit finder = node(place.open(clock), Settings.DEFAULT, this::listensAndWorks);
        WorkflowTestKit maker =
            node(place.open(clock), Settings.DEFAULT.alone(), DueLookTest::works)) {
      List<Run> runs = work(maker);

      finder.advance(SECOND);
      assertThat(heard).containsExactly("hello");

      finder.advance(Duration.ofSeconds(9).minusMillis(1));
      assertThat(runs).noneMatch(run -> run.instance().status().isTerminal());
      assertThat(runs(finder)).isEqualTo(4);
      finder.advance(Duration.ofMillis(1));
      assertThat(runs).allSatisfy(run -> assertThat(run).isCompleted());
      assertThat(runs(finder)).isEqualTo(5);
    }
  }

  @Test
  void looks_that_fail_lose_nothing_that_the_next_one_does_not_find() {
    AtomicBoolean failing = new AtomicBoolean();
    Runnable fault = StoreHooks.fail(StoreException.Kind.TRANSIENT);
    Store store =
        StoreHooks.before(
            place.open(clock),
            "nextWork",
            () -> {
              if (failing.get()) {
                fault.run();
              }
            });
    try (WorkflowTestKit finder = node(store, Settings.DEFAULT, this::listensAndWorks);
        WorkflowTestKit maker =
            node(place.open(clock), Settings.DEFAULT.alone(), DueLookTest::works)) {
      failing.set(true);
      List<Run> runs = work(maker);
      finder.advance(TEN_SECONDS);
      assertThat(heard).isEmpty();
      assertThat(runs).noneMatch(run -> run.instance().status().isTerminal());

      failing.set(false);
      finder.advance(SECOND);

      assertThat(heard).containsExactly("hello");
      assertThat(runs).allSatisfy(run -> assertThat(run).isCompleted());
      assertThat(runs(finder)).isEqualTo(5);
    }
  }

  @Test
  void a_visit_that_a_node_cannot_run_does_not_keep_it_busy() {
    AtomicInteger questions = new AtomicInteger();
    Store store = StoreHooks.before(place.open(clock), "ready", questions::incrementAndGet);
    try (WorkflowTestKit finder = node(store, Settings.DEFAULT, builder -> {});
        WorkflowTestKit maker =
            node(place.open(clock), Settings.DEFAULT.alone(), DueLookTest::works)) {
      maker.deploy(WORK);
      maker.start("work", Map.of());
      finder.advance(Duration.ofMinutes(1));
      questions.set(0);

      finder.advance(TEN_SECONDS);

      assertThat(questions).hasValueLessThanOrEqualTo(21);
    }
  }

  @Test
  void nodes_that_lapse_are_declared_dead_within_a_second_and_are_not_asked_for_before() {
    AtomicInteger questions = new AtomicInteger();
    Store store =
        StoreHooks.before(place.open(clock), "declareLapsedDead", questions::incrementAndGet);
    try (WorkflowTestKit judge = node(store, Settings.DEFAULT, builder -> {})) {
      judge.advance(LEASE.multipliedBy(2));
      try (WorkflowTestKit first = node(place.open(clock), Settings.DEFAULT, builder -> {})) {
        judge.advance(SECOND.multipliedBy(2));
        try (WorkflowTestKit second = node(place.open(clock), Settings.DEFAULT, builder -> {})) {
          judge.advance(LEASE.minus(SECOND.multipliedBy(2)).minusMillis(1));
          assertThat(questions).hasValue(0);
          assertThat(alive(store)).hasSize(3);

          judge.advance(SECOND);
          assertThat(alive(store)).hasSize(2).doesNotContain(first.engine().node());
          judge.advance(SECOND.multipliedBy(2));
          assertThat(alive(store)).containsExactly(judge.engine().node());
          assertThat(second.engine().node()).isNotEqualTo(judge.engine().node());

          judge.advance(Duration.ofSeconds(5));
          questions.set(0);
          judge.advance(Duration.ofMinutes(1));
          assertThat(questions).hasValue(0);
        }
      }
    }
  }

  private static List<NodeId> alive(Store store) {
    return store.nodes().list().stream().filter(NodeRow::alive).map(NodeRow::id).toList();
  }
}
