package dev.waymark.proof.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.EngineBuilder;
import dev.waymark.engine.Settings;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.spi.IdSource;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.PumpScheduler;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Delivery of events where processes and listeners differ. */
final class ListenersTest {

  private static final Caller ANNA = Caller.of("anna");

  private static final String FLOW =
      """
      waymark: 1
      key: flow
      start: a
      activities:
        a: { type: emit, with: { type: hello, data: { n: "${ Variables.n }" } } }
      """;

  private final VirtualClock clock = new VirtualClock();

  private static List<InstanceId> startMany(Engine engine, int many) {
    List<InstanceId> runs = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      runs.add(
          engine.instances().start(StartRequest.of("flow").input(Map.of("n", i)), ANNA).orThrow());
    }
    return runs;
  }

  private static EngineBuilder listening(EngineBuilder builder, Set<InstanceId> heard) {
    return builder.subscribe(
        "ledger", type -> type.equals("hello"), event -> heard.add(event.instance()));
  }

  @Test
  void events_of_a_node_that_does_not_listen_reach_one_that_does() {
    Stores.Place place = Stores.POSTGRES.create();
    PumpScheduler scheduler = new PumpScheduler(clock);
    Set<InstanceId> heard = new HashSet<>();
    try (Engine listens = listening(engine(place, scheduler, 1), heard).start();
        Engine silent = engine(place, scheduler, 2).start()) {
      listens.definitions().deploy(FLOW, ANNA);
      scheduler.advance(Duration.ofSeconds(12));

      List<InstanceId> here = startMany(listens, 40);
      List<InstanceId> there = startMany(silent, 40);
      scheduler.advance(Duration.ofSeconds(12));

      assertThat(heard).containsAll(here).containsAll(there).hasSize(80);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_event_outlives_a_listener_that_fails_for_a_day(Stores stores) {
    Set<InstanceId> heard = new HashSet<>();
    Instant well = clock.instant().plus(Duration.ofDays(1));
    try (WorkflowTestKit kit =
        stores
            .create()
            .process(
                clock,
                builder ->
                    builder.subscribe(
                        "ledger",
                        type -> type.equals("hello"),
                        event -> {
                          if (clock.instant().isBefore(well)) {
                            throw new IllegalStateException("the ledger is away");
                          }
                          heard.add(event.instance());
                        }))) {
      kit.deploy(FLOW);
      Run run = kit.start("flow", Map.of("n", 1));

      kit.advance(Duration.ofHours(24).minusMinutes(1));
      assertThat(heard).isEmpty();
      kit.advance(Duration.ofHours(2));

      assertThat(heard).containsExactly(run.id());
    }
  }

  @Test
  void events_wait_for_a_name_while_no_process_listens_to_it() {
    Stores.Place place = Stores.POSTGRES.create();
    PumpScheduler scheduler = new PumpScheduler(clock);
    Set<InstanceId> heard = new HashSet<>();
    try (Engine silent = engine(place, scheduler, 1).start()) {
      try (Engine listens = listening(engine(place, scheduler, 2), heard).start()) {
        listens.definitions().deploy(FLOW, ANNA);
        scheduler.advance(Duration.ofSeconds(12));
      }
      List<InstanceId> meanwhile = startMany(silent, 20);
      scheduler.advance(Duration.ofMinutes(1));
      assertThat(heard).isEmpty();

      try (Engine back = listening(engine(place, scheduler, 3), heard).start()) {
        scheduler.advance(Duration.ofSeconds(30));
        assertThat(back.node()).isNotNull();
        assertThat(heard).containsExactlyInAnyOrderElementsOf(meanwhile);
      }
    }
  }

  private EngineBuilder engine(Stores.Place place, PumpScheduler scheduler, long seed) {
    return Engine.builder(place.open(clock))
        .clock(clock)
        .scheduler(scheduler)
        .settings(Settings.DEFAULT)
        .ids(IdSource.timeOrdered(clock, new Random(seed)));
  }

  @ParameterizedTest
  @EnumSource
  void a_listener_that_does_not_return_holds_up_no_other_listener(Stores stores) throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch all = new CountDownLatch(201);
    AtomicBoolean first = new AtomicBoolean(true);
    Set<InstanceId> heard = ConcurrentHashMap.newKeySet();
    try (Engine engine =
        Engine.builder(stores.create().open(clock))
            .subscribe(
                "good",
                type -> type.equals("hello"),
                event -> {
                  if (heard.add(event.instance())) {
                    all.countDown();
                  }
                })
            .subscribe(
                "bad",
                type -> type.equals("hello"),
                event -> {
                  if (first.compareAndSet(true, false)) {
                    hangs.countDown();
                    never.await();
                  }
                })
            .start()) {
      engine.definitions().deploy(FLOW, ANNA);
      startMany(engine, 1);
      assertThat(hangs.await(20, TimeUnit.SECONDS)).isTrue();

      startMany(engine, 200);

      assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
      never.countDown();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_call_that_does_not_return_is_given_up_and_its_event_comes_again(Stores stores)
      throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch again = new CountDownLatch(2);
    try (Engine engine =
        Engine.builder(stores.create().open(clock))
            .clock(clock)
            .subscribe(
                "bad",
                type -> type.equals("hello"),
                event -> {
                  again.countDown();
                  if (again.getCount() > 0) {
                    hangs.countDown();
                    never.await();
                  }
                })
            .start()) {
      engine.definitions().deploy(FLOW, ANNA);
      startMany(engine, 1);
      assertThat(hangs.await(20, TimeUnit.SECONDS)).isTrue();

      int looks = 0;
      while (!again.await(250, TimeUnit.MILLISECONDS) && looks++ < 80) {
        clock.advance(Duration.ofSeconds(2));
      }

      assertThat(again.getCount()).isZero();
      never.countDown();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_listener_whose_words_cannot_be_stored_is_asked_at_growing_distances(Stores stores) {
    List<InstanceId> calls = new ArrayList<>();
    try (WorkflowTestKit kit =
        WorkflowTestKit.on(
            stores.create().open(clock),
            clock,
            builder ->
                builder
                    .settings(Settings.DEFAULT)
                    .subscribe(
                        "broken",
                        type -> type.equals("hello"),
                        event -> {
                          calls.add(event.instance());
                          throw new IllegalStateException("\u0000 is no word, and \ud800 neither");
                        }))) {
      kit.deploy(FLOW);
      kit.start("flow", Map.of("n", 1));

      kit.advance(Duration.ofSeconds(20));

      assertThat(calls).hasSizeBetween(3, 6);
    }
  }
}
