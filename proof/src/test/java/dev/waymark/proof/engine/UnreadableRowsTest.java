package dev.waymark.proof.engine;

import static dev.waymark.proof.engine.Planting.ONLY_ON_POSTGRES;
import static dev.waymark.proof.engine.Planting.PLANTINGS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.EngineBuilder;
import dev.waymark.engine.EngineException;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.Settings;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.UnreadableRow;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.message.Messages.Correlated;
import dev.waymark.engine.schedule.Overlap;
import dev.waymark.engine.schedule.Schedule;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** One row that cannot be read, in each of the tables, and all kinds of work of another tenant. */
final class UnreadableRowsTest {

  private static final Caller MALLORY = caller("mallory");
  private static final Caller BOB = caller("bob");

  private static Caller caller(String who) {
    return Caller.of(new Actor(who, who, Set.of("clerks"), Set.of()));
  }

  private static final String EVERYTHING =
      """
      waymark: 1
      key: everything
      start: work
      activities:
        work: { type: flaky, retry: { attempts: 3, backoff: PT1S, jitter: 0 }, next: pause }
        pause: { type: timer, with: { after: PT5S }, next: tell }
        tell: { type: emit, with: { type: told, data: { who: "${ Variables.who }" } }, next: paid }
        paid:
          type: wait
          with: { for: external-message, key: paid, correlate: "${ Variables.who }" }
          next: go
        go: { type: wait, with: { for: signal, key: go }, next: child }
        child: { type: sub-workflow, with: { definition: child }, next: task }
        task: { type: user-task, with: { candidates: ["group:clerks"] } }
      """;

  private static final String CHILD =
      """
      waymark: 1
      key: child
      start: nap
      activities:
        nap: { type: timer, with: { after: PT1S } }
      """;

  private static final String BEGUN =
      """
      waymark: 1
      key: begun
      startOn: placed
      start: done
      activities:
        done: { type: end }
      """;

  private final VirtualClock clock = new VirtualClock();
  private final List<String> heard = new ArrayList<>();

  static Stream<Arguments> storesAndTables() {
    return Stream.of(Stores.values())
        .flatMap(stores -> tablesOf(stores).map(table -> Arguments.of(stores, table)));
  }

  private static Stream<String> tablesOf(Stores stores) {
    return PLANTINGS.keySet().stream()
        .filter(table -> stores == Stores.POSTGRES || !table.equals(ONLY_ON_POSTGRES));
  }

  @ParameterizedTest
  @EnumSource
  void every_table_has_a_case_here(Stores stores) {
    try (Store store = stores.create().open(clock)) {
      store.migrate();
      assertThat(tables(stores, store)).isEqualTo(tablesOf(stores).collect(toSet()));
    }
  }

  @ParameterizedTest
  @MethodSource("storesAndTables")
  void a_row_that_cannot_be_read_holds_up_nobody_else(Stores stores, String table) {
    Planting planting = PLANTINGS.get(table);
    Stores.Place place = stores.create();
    try (WorkflowTestKit before = place.process(clock, this::setUp)) {
      prepare(before, MALLORY);
      prepare(before, BOB);
      before.advance(Duration.ofSeconds(1));
    }
    Store store = place.open(clock);
    plant(store, planting.sql());

    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, this::setUp)) {
      Engine engine = kit.engine();
      var worker =
          engine.worker(BookmarkKind.USER_ACTION).groups(Set.of("clerks")).handle(work -> Map.of());
      signalOnceAll(kit, MALLORY);
      engine
          .instances()
          .start(StartRequest.of("everything").input(Map.of("who", "bob")), BOB)
          .orThrow();
      kit.advance(Duration.ofSeconds(20));
      signalOnceAll(kit, BOB);
      kit.advance(Duration.ofSeconds(40));
      askAboutMallory(engine);

      List<Instance> runs = engine.instances().list(InstanceQuery.ALL, BOB);
      assertThat(runs).filteredOn(run -> run.status() != Status.COMPLETED).isEmpty();
      assertThat(runs).hasSizeGreaterThanOrEqualTo(2 + 2 + 2 + 5);
      assertThat(heard).filteredOn("bob"::equals).hasSize(2);
      assertThat(engine.schedules().find("tick", BOB).orElseThrow().started())
          .isGreaterThanOrEqualTo(5);
      assertThat(engine.definitions().missingActivities()).isEmpty();
      assertThat(engine.operations().unreadable())
          .filteredOn(row -> row.table().equals(table))
          .hasSizeGreaterThanOrEqualTo(planting.seen() ? 1 : 0)
          .allSatisfy(UnreadableRowsTest::assertSaysWhy);
      worker.close();
    }
  }

  private static void assertSaysWhy(UnreadableRow row) {
    assertThat(row.fault()).isNotBlank();
    assertThat(row.key()).isNotBlank();
    assertThat(row.since()).isBeforeOrEqualTo(row.last());
  }

  private void setUp(EngineBuilder builder) {
    Map<Object, Integer> tries = new TreeMap<>();
    builder
        .settings(Settings.DEFAULT)
        .subscribe(
            "ledger",
            type -> type.contains("told"),
            event -> {
              String who = String.valueOf(event.data().get("tenant"));
              if (who.equals("mallory")) {
                throw new IllegalStateException("Nothing of mallory's is taken");
              }
              heard.add(who);
            })
        .activity(
            "flaky",
            context ->
                tries.merge(context.instance().toString(), 1, Integer::sum) == 1
                    ? ActivityResult.failed("FLAKY", "the first time it fails")
                    : ActivityResult.completed());
  }

  /** Leaves a row of a tenant in every table that rows are written to. */
  private static void prepare(WorkflowTestKit kit, Caller who) {
    Engine engine = kit.engine();
    engine.definitions().deploy(CHILD, who);
    engine.definitions().deploy(EVERYTHING, who);
    engine.definitions().deploy(BEGUN, who);
    String name = who.actor().id();
    engine
        .instances()
        .start(StartRequest.of("everything").input(Map.of("who", name)), who.withCommandId("one"))
        .orThrow();
    engine
        .schedules()
        .put(
            Schedule.every("tick", Duration.ofSeconds(10), StartRequest.of("child"))
                .overlap(Overlap.ALLOW),
            who);
    kit.advance(Duration.ofSeconds(7));
    var unused = engine.payloads().put(name.getBytes(UTF_8), "text/plain", who);
    engine.messages().correlate(Correlated.of("strange", name, Map.of(), "shop", "0"), who);
  }

  private static void signalOnceAll(WorkflowTestKit kit, Caller who) {
    Engine engine = kit.engine();
    String name = who.actor().id();
    for (String id : List.of("1", "2")) {
      engine.messages().correlate(Correlated.of("paid", name, Map.of(), "shop", "p" + id), who);
      engine.messages().correlate(Correlated.of("placed", name, Map.of(), "shop", "n" + id), who);
    }
    kit.advance(Duration.ofSeconds(2));
    engine.messages().signal("go", Map.of(), "shop", "s", who);
  }

  /** Questions about mallory's own rows may be refused; the pages are there all the same. */
  private static void askAboutMallory(Engine engine) {
    for (Instance run : engine.instances().list(InstanceQuery.ALL, MALLORY)) {
      try {
        engine.instances().find(run.id(), MALLORY);
        engine.instances().history(run.id(), 1, 100, MALLORY);
      } catch (EngineException refused) {
        assertThat(refused).hasMessageContaining("Expected");
      }
    }
    engine.tasks().inbox(100, MALLORY);
    engine.messages().unmatched(null, 100, MALLORY);
    engine.schedules().list(null, 100, MALLORY);
  }

  private static void plant(Store store, String sql) {
    int planted =
        store.inTransaction(
            connection -> {
              try (var statement = connection.prepareStatement(sql)) {
                statement.setString(1, "mallory");
                return statement.executeUpdate();
              }
            });
    assertThat(planted).isPositive();
  }

  private static Set<String> tables(Stores stores, Store store) {
    return store.inTransaction(
        connection -> {
          Set<String> tables = new TreeSet<>();
          String sql =
              stores == Stores.SQLITE
                  ? "select name from sqlite_master where type = 'table'"
                  : "select table_name from information_schema.tables "
                      + "where table_schema = current_schema()";
          try (Statement statement = connection.createStatement();
              ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
              String name = rows.getString(1);
              if (name.startsWith("wm_") && !name.equals("wm_schema_history")) {
                tables.add(name);
              }
            }
          }
          return tables;
        });
  }
}
