package demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.store.Store;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.sqlite.SqliteStore;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.WorkflowTestKit;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The first hour of a new user: hello on both stores, a typed record, a test with the kit. */
class HelloTest {

  public record Line(String item, int count) {}

  public record Order(
      String id, BigDecimal amount, LocalDate due, List<Line> lines, Optional<String> note) {}

  private static final String HELLO =
      """
      waymark: 1
      key: hello
      input: { type: object, required: [order] }
      start: ask
      activities:
        ask: { type: wait, with: { payload: { question: "${ 'How many, ' + Variables.order.id }" } }, next: greet }
        greet: { type: greet, next: rest }
        rest: { type: timer, with: { after: PT0.2S } }
      """;

  private static final Order ORDER =
      new Order(
          "4711",
          new BigDecimal("10.10"),
          LocalDate.of(2026, 2, 28),
          List.of(new Line("tea", 2)),
          Optional.of("soon"));

  private static ActivityResult greet(dev.waymark.engine.activity.ActivityContext context) {
    Order order = context.variable("order", Order.class);
    return ActivityResult.completed(
        Map.of("greeting", order.id() + " costs " + order.amount(), "back", order));
  }

  private static void hello(Store store) {
    Caller you = Caller.of("you");
    try (Engine engine = Engine.builder(store).activity("greet", HelloTest::greet).start()) {
      engine.definitions().deploy(HELLO, you);
      InstanceId id =
          engine
              .instances()
              .start(StartRequest.of("hello").input(Map.of("order", ORDER)), you)
              .orThrow();
      var question = engine.instances().find(id, you).orElseThrow().bookmarks().firstKey();
      engine.bookmarks().resume(question, Map.of("count", 2), you).orThrow();
      var ended = engine.instances().awaitEnd(id, Duration.ofSeconds(30), you);
      assertThat(ended.variables()).containsEntry("greeting", "4711 costs 10.10");
      assertThat(ended.variables().get("back").toString()).contains("2026-02-28", "soon", "tea");
    }
  }

  @Test
  void hello_on_sqlite() {
    hello(SqliteStore.inMemory(InstantSource.system()));
  }

  @Test
  void hello_on_postgres() throws Exception {
    try (EmbeddedPostgres server = EmbeddedPostgres.start()) {
      hello(
          PostgresStore.open(
              server.getJdbcUrl("postgres", "postgres"),
              "postgres",
              "postgres",
              PostgresOptions.DEFAULTS));
    }
  }

  @Test
  void a_test_with_the_kit() {
    try (WorkflowTestKit kit =
        WorkflowTestKit.with(engine -> engine.activity("greet", HelloTest::greet))) {
      kit.deploy(HELLO);
      Run run = kit.start("hello", Map.of("order", ORDER));
      assertThat(run.waitsAt()).containsExactly("ask");

      run.resume("ask", Map.of("count", 2)).orThrow();
      kit.advance(Duration.ofSeconds(1));

      assertThat(run).isCompleted();
    }
  }
}
