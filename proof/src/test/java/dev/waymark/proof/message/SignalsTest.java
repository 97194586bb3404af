package dev.waymark.proof.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Settings;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.spi.CrashPoints;
import dev.waymark.engine.spi.CrashPoints.Point;
import dev.waymark.engine.store.Checker.Options;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.StoreException.Kind;
import dev.waymark.proof.support.StoreHooks;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is said to everybody who listens. */
final class SignalsTest {

  private static final Caller ALICE = Caller.of("alice");

  /** Waits for the signal again and again, and counts. */
  private static final String LISTENER =
      """
      waymark: 1
      key: listener
      variables: { heard: 0 }
      start: listen
      activities:
        listen: { type: wait, with: { for: signal, key: storm }, next: count }
        count: { type: set, with: { heard: "${ Variables.heard + 1 }" }, next: listen }
      """;

  private static final String SHOUTER =
      """
      waymark: 1
      key: shouter
      start: shout
      activities:
        shout: { type: signal, with: { name: storm, payload: { force: 9 } }, next: rest }
        rest: { type: wait }
      """;

  private final VirtualClock clock = new VirtualClock();

  private static void assertSound(Store store) {
    assertThat(store.checker().check(Options.live().withMaxLateness(Duration.ZERO).replayingAll()))
        .isEmpty();
  }

  private static int delivered(Store store) {
    return store.inTransaction(
        connection -> {
          try (Statement statement = connection.createStatement();
              ResultSet rows =
                  statement.executeQuery(
                      "select count(*) from wm_inbox where source = '$signal' and state = 1")) {
            rows.next();
            return rows.getInt(1);
          }
        });
  }

  private static long heard(WorkflowTestKit kit, InstanceId listener) {
    return (Long) kit.run(listener).variables().get("heard");
  }

  @ParameterizedTest
  @EnumSource
  void a_signal_from_outside_reaches_everybody_who_waits_and_is_sent_once(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(LISTENER);
      Run one = kit.start("listener", Map.of());
      Run two = kit.start("listener", Map.of());
      Run held = kit.start("listener", Map.of());
      held.suspend("not now");

      assertThat(kit.engine().messages().signal("storm", Map.of("force", 9), "radio", "1", ALICE))
          .isTrue();
      assertThat(kit.engine().messages().signal("storm", Map.of("force", 9), "radio", "1", ALICE))
          .isFalse();
      kit.runUntilIdle();

      assertThat(one).hasVariable("heard", 1).hasVariable("force", 9).isWaitingAt("listen");
      assertThat(two).hasVariable("heard", 1);
      assertThat(held).hasVariable("heard", 0);
      held.continueRun("now");
      assertThat(held).hasVariable("heard", 1);
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_reaction_hears_every_signal_that_came_while_its_run_was_held(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(
          """
          waymark: 1
          key: reacting
          variables: { heard: 0 }
          start: rest
          activities:
            rest:
              type: wait
              on:
                signal: { name: storm, to: count, interrupt: false, output: { } }
            count: { type: set, with: { heard: "${ Variables.heard + 1 }" } }
          """);
      Run run = kit.start("reacting", Map.of());
      run.suspend("not now");
      for (int i = 0; i < 3; i++) {
        assertThat(kit.engine().messages().signal("storm", Map.of(), "radio", "" + i, ALICE))
            .isTrue();
        kit.advance(Duration.ofMinutes(1));
      }

      run.continueRun("now");
      kit.runUntilIdle();

      assertThat(run).hasVariable("heard", 3).isWaitingAt("rest");
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_run_can_tell_all_others(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(LISTENER);
      kit.deploy(SHOUTER);
      Run listener = kit.start("listener", Map.of());

      kit.start("shouter", Map.of());
      kit.start("shouter", Map.of());

      assertThat(listener).hasVariable("heard", 2).hasVariable("force", 9);
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_run_that_waits_too_late_does_not_get_the_signal_even_if_the_signal_is_late_too(
      Stores stores) {
    Stores.Place place = stores.create();
    Store first = place.open(clock);
    WorkflowTestKit dying =
        WorkflowTestKit.on(
            first, clock, builder -> builder.crashPoints(dyingOnce(Point.I1_MESSAGE_STORED)));
    dying.deploy(LISTENER);
    Run early = dying.start("listener", Map.of());
    assertThatThrownBy(
            () -> dying.engine().messages().signal("storm", Map.of(), "radio", "1", ALICE))
        .hasMessage("died on purpose");
    clock.advance(Limits.CLOCK_SKEW.plusMillis(1));
    Run late = dying.start("listener", Map.of());
    first.close();

    Store store = place.open(clock);
    try (WorkflowTestKit next = WorkflowTestKit.on(store, clock, builder -> {})) {
      assertThat(heard(next, early.id())).isEqualTo(1);
      assertThat(heard(next, late.id())).isZero();
      assertSound(store);
    }
  }

  /** The server carries a page out although its connection was cut, after the node has looked. */
  @ParameterizedTest
  @EnumSource
  void a_page_that_is_carried_out_after_its_connection_was_cut_is_delivered_soon(Stores stores) {
    AtomicBoolean armed = new AtomicBoolean(true);
    Store plain = stores.create().open(clock);
    Store store =
        StoreHooks.before(
            plain, "handOut", StoreHooks.once(armed, StoreHooks.fail(Kind.UNKNOWN_OUTCOME)));
    try (WorkflowTestKit kit =
        WorkflowTestKit.on(store, clock, builder -> builder.settings(Settings.DEFAULT))) {
      kit.deploy(LISTENER);
      Run listener = kit.start("listener", Map.of());
      kit.engine().messages().signal("storm", Map.of(), "radio", "1", ALICE);
      kit.runUntilIdle();
      assertThat(armed).isFalse();

      Message.Key late = plain.broadcasts().waiting(1).get(0).key();
      assertThat(plain.broadcasts().handOut(late, Limits.MESSAGES_PER_PAGE)).isNotNull();
      kit.advance(Duration.ofSeconds(5));

      assertThat(listener).hasVariable("heard", 1);
      assertSound(plain);
    }
  }

  private static CrashPoints dyingOnce(Point point) {
    AtomicInteger deaths = new AtomicInteger();
    return reached -> {
      if (reached == point && deaths.getAndIncrement() == 0) {
        throw new IllegalStateException("died on purpose");
      }
    };
  }

  @ParameterizedTest
  @EnumSource
  void a_signal_to_thousands_survives_a_death_in_the_middle(Stores stores) {
    Stores.Place place = stores.create();
    Store first = place.open(clock);
    AtomicInteger pages = new AtomicInteger();
    WorkflowTestKit dying =
        WorkflowTestKit.on(
            first,
            clock,
            builder ->
                builder.crashPoints(
                    point -> {
                      if (point == Point.S1_SIGNAL_PAGE && pages.incrementAndGet() == 2) {
                        throw new IllegalStateException("died on purpose");
                      }
                    }));
    dying.deploy(LISTENER);
    List<CompletableFuture<Answer>> started = new ArrayList<>();
    for (int i = 0; i < 2_500; i++) {
      started.add(dying.engine().instances().startAsync(StartRequest.of("listener"), ALICE));
    }
    dying.runUntilIdle();
    List<InstanceId> listeners = started.stream().map(a -> a.join().orThrow()).toList();
    assertThat(dying.engine().messages().signal("storm", Map.of(), "radio", "1", ALICE)).isTrue();
    assertThatThrownBy(dying::runUntilIdle).hasMessage("died on purpose");
    assertThat(delivered(first)).isEqualTo(1_000);
    first.close();

    Store store = place.open(clock);
    try (WorkflowTestKit next = WorkflowTestKit.on(store, clock, builder -> {})) {
      assertThat(listeners).allMatch(id -> heard(next, id) == 1);
      assertThat(store.checker().check(Options.live().withMaxLateness(Duration.ZERO))).isEmpty();
    }
  }
}
