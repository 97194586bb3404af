package dev.waymark.proof.bookmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.store.Checker;
import dev.waymark.engine.store.Store;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import dev.waymark.sqlite.SqliteStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * All of fifty approvers click at the same instant, on real threads and real databases: the run
 * goes on once, every time, and is never stuck.
 *
 * <p>{@code -Dapproval.rounds=1000} plays a thousand rounds of each; a build plays a few.
 */
final class ApprovalRacesTest {

  private static final int ROUNDS = Integer.getInteger("approval.rounds", 10);
  private static final int APPROVERS = 50;
  private static final Caller RITA = Caller.of("rita");

  /** How much approval is enough, and how many of the clicks can be part of it. */
  record Way(String name, String mode, int least, int most) {}

  private static final List<Way> WAYS =
      List.of(
          new Way("any", "any", 1, 1),
          new Way("all", "all", APPROVERS, APPROVERS),
          new Way("three", "{ atLeast: 3 }", 3, 3));

  enum Place {
    SQLITE,
    POSTGRES,
    /** Clicks come in at two engines that know nothing of each other but the database. */
    TWO_ON_POSTGRES
  }

  static Stream<org.junit.jupiter.params.provider.Arguments> everything() {
    return Stream.of(Place.values())
        .flatMap(
            place ->
                WAYS.stream()
                    .map(way -> org.junit.jupiter.params.provider.Arguments.of(place, way)));
  }

  private static List<Store> stores(Place place) {
    if (place == Place.SQLITE) {
      return List.of(SqliteStore.inMemory(InstantSource.system()));
    }
    String url = PostgresServer.shared().url(PostgresServer.shared().newDatabase());
    return IntStream.range(0, place == Place.POSTGRES ? 1 : 2)
        .mapToObj(
            i ->
                (Store)
                    PostgresStore.open(
                        url,
                        PostgresServer.USER,
                        PostgresServer.PASSWORD,
                        PostgresOptions.DEFAULTS))
        .toList();
  }

  private static String definition(Way way) {
    return """
    waymark: 1
    key: %s
    start: ask
    activities:
      ask:
        type: approval
        with: { approvers: "${ Variables.people }", mode: %s }
        next: went-on
      went-on: { type: went-on }
    """
        .formatted(way.name(), way.mode());
  }

  @ParameterizedTest
  @MethodSource("everything")
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void fifty_click_at_the_same_instant_and_it_goes_on_once(Place place, Way way) throws Exception {
    AtomicInteger wentOn = new AtomicInteger();
    List<Store> stores = stores(place);
    List<Engine> engines = new ArrayList<>();
    for (Store store : stores) {
      engines.add(
          Engine.builder(store)
              .activity(
                  "went-on",
                  context -> {
                    wentOn.incrementAndGet();
                    return ActivityResult.completed();
                  })
              .start());
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(APPROVERS)) {
      engines.get(0).definitions().deploy(definition(way), RITA);
      for (int round = 1; round <= ROUNDS; round++) {
        play(way, engines, threads);
        assertThat(wentOn.get()).as("bodies after round %d", round).isEqualTo(round);
      }
      assertThat(stores.get(0).checker().check(Checker.Options.live())).isEmpty();
    } finally {
      engines.forEach(Engine::close);
    }
  }

  private static void play(Way way, List<Engine> engines, ExecutorService threads)
      throws Exception {
    List<String> people = IntStream.range(0, APPROVERS).mapToObj(i -> "p" + i).toList();
    Engine first = engines.get(0);
    InstanceId id =
        first
            .instances()
            .start(StartRequest.of(way.name()).input(Map.of("people", people)), RITA)
            .orThrow();
    BookmarkId asked = first.instances().find(id, RITA).orElseThrow().bookmarks().firstKey();
    CountDownLatch together = new CountDownLatch(1);
    List<Future<Answer>> clicks = new ArrayList<>();
    for (int i = 0; i < APPROVERS; i++) {
      Engine engine = engines.get(i % engines.size());
      Caller caller = Caller.of(people.get(i));
      clicks.add(
          threads.submit(
              () -> {
                together.await();
                return engine.approvals().approve(asked, "", caller);
              }));
    }
    together.countDown();
    int counted = 0;
    for (Future<Answer> click : clicks) {
      switch (click.get(60, TimeUnit.SECONDS)) {
        case Answer.Done done -> counted++;
        case Answer.Unchanged unchanged ->
            throw new AssertionError("Nobody clicked twice: " + unchanged);
        case Answer.Refused refused -> {
          assertThat(refused.rejection().code()).isEqualTo(Rejection.Code.ALREADY_CLOSED);
          assertThat(refused.rejection().message()).contains("consumed by p");
        }
      }
    }
    assertThat(counted).isBetween(way.least(), way.most());
    Instance ended = ended(first, id);
    assertThat(ended.status()).isEqualTo(Status.COMPLETED);
    List<HistoryEntry> history = first.instances().history(id, 1, 1_000, RITA);
    assertThat(count(history, HistoryEntry.Type.VOTE_CAST)).isEqualTo(counted);
    assertThat(count(history, HistoryEntry.Type.BOOKMARK_CONSUMED)).isEqualTo(1);
    assertThat(count(history, HistoryEntry.Type.ACTIVITY_COMPLETED)).isEqualTo(2);
    assertThat(first.approvals().decisions(id, RITA)).hasSize(counted);
  }

  // What another node has ended a node hears of by looking once a second, which is too slow here.
  private static Instance ended(Engine engine, InstanceId id) {
    long patience = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    Instance instance = engine.instances().find(id, RITA).orElseThrow();
    while (!instance.status().isTerminal() && System.nanoTime() < patience) {
      instance = engine.instances().find(id, RITA).orElseThrow();
    }
    return instance;
  }

  private static long count(List<HistoryEntry> history, HistoryEntry.Type type) {
    return history.stream().filter(entry -> entry.type() == type).count();
  }
}
