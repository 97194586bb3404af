package dev.waymark.proof.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.engine.EngineBuilder;
import dev.waymark.engine.activity.ActivityContext;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.math.BigDecimal;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Variables and inputs as types of the application's own, with what to take where none is. */
final class AccessorsTest {

  private static final String FLOW =
      """
      waymark: 1
      key: it
      start: a
      activities:
        a: { type: "${type}", retry: { attempts: 1 }, with: { price: "${ Variables.price }", days: 3 } }
      """;

  private final VirtualClock clock = new VirtualClock();

  /** What an application calls money. */
  record Price(BigDecimal amount, String currency) {}

  private static ActivityResult read(ActivityContext context) {
    Price price = context.input("price", Price.class);
    return ActivityResult.completed(
        Map.of(
            "amount", price.amount().toPlainString(),
            "currency", price.currency(),
            "days", context.input("days", Integer.class, 7),
            "weeks", context.input("weeks", Integer.class, 7),
            "who", context.variable("who", String.class, "nobody"),
            "nil", context.variable("nil", String.class, "nothing")));
  }

  private static void setUp(EngineBuilder builder) {
    builder
        .activity("read", AccessorsTest::read)
        .activity(
            "missing",
            context -> ActivityResult.completed(Map.of("x", context.input("weeks", Long.class))))
        .activity(
            "other",
            context -> ActivityResult.completed(Map.of("x", context.variable("who", Long.class))));
  }

  private static Run run(WorkflowTestKit kit, String type) {
    kit.deploy(FLOW.replace("${type}", type));
    Map<String, Object> price = Map.of("amount", new BigDecimal("12.50"), "currency", "EUR");
    return kit.start("it", Map.of("price", price, "who", "anna"));
  }

  @ParameterizedTest
  @EnumSource
  void values_come_as_they_are_wanted_or_as_what_was_said_instead(Stores stores) {
    try (WorkflowTestKit kit = stores.create().process(clock, AccessorsTest::setUp)) {
      assertThat(run(kit, "read").variables())
          .containsEntry("amount", "12.50")
          .containsEntry("currency", "EUR")
          .containsEntry("days", 3L)
          .containsEntry("weeks", 7L)
          .containsEntry("who", "anna")
          .containsEntry("nil", "nothing");
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_is_not_there_or_something_else_parks_with_words_that_help(Stores stores) {
    try (WorkflowTestKit kit = stores.create().process(clock, AccessorsTest::setUp)) {
      assertThat(String.valueOf(run(kit, "missing").bookmark("a").payload().get("error")))
          .contains("Expected input 'weeks', but there are only [")
          .contains("price");
      assertThat(String.valueOf(run(kit, "other").bookmark("a").payload().get("error")))
          .contains("Variable 'who': Expected a Long, but")
          .contains("anna");
    }
  }
}
