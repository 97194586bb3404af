package dev.waymark.proof.message;

import static dev.waymark.engine.flow.Activities.race;
import static dev.waymark.engine.flow.Clauses.expr;
import static dev.waymark.engine.flow.Clauses.rival;
import static dev.waymark.proof.message.ChildrenTest.assertSound;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.Caller;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.flow.Flow;
import dev.waymark.engine.message.Messages.Correlated;
import dev.waymark.engine.query.NearMiss;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages that know a business key and not an instance. */
final class CorrelationTest {

  private static final Caller BANK = Caller.of("bank");

  private static final String ORDER =
      """
      waymark: 1
      key: order
      start: paid
      activities:
        paid:
          type: wait
          with: { for: external-message, key: payment, correlate: "${ Variables.order }" }
          guard: { when: "Output.amount >= Variables.amount" }
          on:
            message: { name: cancelled, correlate: "${ Variables.order }", to: stopped }
          next: shipped
        shipped: { type: set, with: { shipped: true } }
        stopped: { type: set, with: { stopped: true } }
      """;

  private final VirtualClock clock = new VirtualClock();

  private WorkflowTestKit kit(Store store) {
    WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {});
    kit.deploy(ORDER);
    return kit;
  }

  private static InstanceId order(WorkflowTestKit kit, String number, int amount) {
    InstanceId id =
        kit.engine()
            .instances()
            .start(StartRequest.of("order").input(Map.of("order", number, "amount", amount)), BANK)
            .orThrow();
    kit.runUntilIdle();
    return id;
  }

  private static boolean pay(WorkflowTestKit kit, String number, int amount, String id) {
    boolean fresh =
        kit.engine()
            .messages()
            .correlate(
                Correlated.of("payment", number, Map.of("amount", amount), "bank", id), BANK);
    kit.runUntilIdle();
    return fresh;
  }

  private static boolean isShipped(WorkflowTestKit kit, InstanceId id) {
    Instance found = kit.engine().instances().find(id, BANK).orElseThrow();
    return Boolean.TRUE.equals(found.variables().get("shipped"));
  }

  @ParameterizedTest
  @EnumSource
  void a_message_reaches_who_waits_with_its_key_and_nobody_else(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = kit(store)) {
      InstanceId first = order(kit, "o-1", 10);
      InstanceId second = order(kit, "o-2", 10);

      assertThat(pay(kit, "o-2", 10, "p-1")).isTrue();
      assertThat(pay(kit, "o-2", 10, "p-1")).isFalse();

      assertThat(isShipped(kit, first)).isFalse();
      assertThat(isShipped(kit, second)).isTrue();
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_message_that_comes_before_its_wait_is_kept_for_it(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = kit(store)) {
      assertThat(pay(kit, "o-1", 10, "p-1")).isTrue();
      assertThat(kit.engine().messages().unmatched(null, 10, BANK))
          .extracting(Message::correlation)
          .containsExactly("o-1");

      InstanceId order = order(kit, "o-1", 10);

      assertThat(isShipped(kit, order)).isTrue();
      assertThat(kit.engine().messages().unmatched(null, 10, BANK)).isEmpty();
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_message_that_one_wait_refuses_is_offered_to_the_next_wait_with_that_key(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = kit(store)) {
      InstanceId dear = order(kit, "o-1", 100);
      clock.advance(Duration.ofSeconds(1));
      InstanceId cheap = order(kit, "o-1", 10);

      pay(kit, "o-1", 50, "p-1");

      assertThat(isShipped(kit, dear)).isFalse();
      assertThat(isShipped(kit, cheap)).isTrue();
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_reaction_hears_a_correlated_message_too(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = kit(store)) {
      InstanceId order = order(kit, "o-1", 100);

      kit.engine()
          .messages()
          .correlate(Correlated.of("cancelled", "o-1", Map.of(), "shop", "c-1"), BANK);
      kit.runUntilIdle();

      assertThat(kit.engine().instances().find(order, BANK).orElseThrow().variables())
          .containsEntry("stopped", true);
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_reaction_takes_only_what_it_matches_and_the_rest_is_for_others(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = kit(store)) {
      kit.deploy(
          """
          waymark: 1
          key: claim
          start: work
          activities:
            work:
              type: wait
              with: { key: work }
              on:
                message:
                  name: news
                  correlate: "${ Variables.claim }"
                  match: "Output.level >= Variables.least"
                  to: stopped
            stopped: { type: set, with: { stopped: true } }
          """);
      Run picky = kit.start("claim", Map.of("claim", "c-1", "least", 9));
      clock.advance(Duration.ofSeconds(1));
      Run easy = kit.start("claim", Map.of("claim", "c-1", "least", 1));

      news(kit, Map.of("level", 5), "n-1");
      assertThat(picky.variables()).doesNotContainKey("stopped");
      assertThat(easy.variables()).containsEntry("stopped", true);

      news(kit, Map.of("level", "high"), "n-2");
      assertThat(kit.engine().messages().unmatched(null, 10, BANK)).hasSize(1);
      BookmarkId reaction = picky.bookmark("news").id();
      assertThat(kit.engine().bookmarks().resume(reaction, Map.of("level", 8), BANK).toString())
          .contains("Expected 'match' of message 'news' to hold, but it does not");

      news(kit, Map.of("level", 9), "n-3");
      assertThat(picky.variables()).containsEntry("stopped", true);
      assertSound(store);
    }
  }

  private static void news(WorkflowTestKit kit, Map<String, Object> payload, String id) {
    kit.engine().messages().correlate(Correlated.of("news", "c-1", payload, "press", id), BANK);
    kit.runUntilIdle();
  }

  @ParameterizedTest
  @EnumSource
  void a_race_hears_a_correlated_message_too(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = kit(store)) {
      kit.engine()
          .definitions()
          .deploy(
              Flow.named("claim")
                  .start("decide")
                  .activity(
                      race("decide")
                          .between(
                              rival("heard")
                                  .externalMessage()
                                  .key("news")
                                  .correlate(expr("Variables.claim")),
                              rival("late").after(Duration.ofDays(1)))),
              BANK);
      Run other = kit.start("claim", Map.of("claim", "c-2"));
      Run run = kit.start("claim", Map.of("claim", "c-1"));

      news(kit, Map.of("level", 5), "n-1");

      assertThat(run.variables()).containsEntry("winner", "heard");
      assertThat(other.variables()).doesNotContainKey("winner");
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_message_that_nobody_wants_is_listed_with_its_near_misses_until_its_time_is_over(
      Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = kit(store)) {
      InstanceId order = order(kit, "o-1", 10);
      Duration day = Duration.ofDays(1);
      Correlated misspelt = new Correlated("payment", "o-7", Map.of(), "bank", "p-1", day);
      kit.engine().messages().correlate(misspelt, BANK);
      kit.runUntilIdle();

      List<Message> waiting = kit.engine().messages().unmatched(null, 10, BANK);
      assertThat(waiting).extracting(Message::correlation).containsExactly("o-7");
      assertThat(kit.engine().messages().nearMisses(waiting.get(0).key(), BANK))
          .containsExactly(new NearMiss(order, "payment", "o-1"));
      Caller stranger = Caller.of(Actor.of("eve").in("other"));
      assertThat(kit.engine().messages().unmatched(null, 10, stranger)).isEmpty();
      assertThat(kit.engine().messages().nearMisses(waiting.get(0).key(), stranger)).isEmpty();

      kit.advance(day.plusMinutes(10));
      assertThat(kit.engine().messages().unmatched(null, 10, BANK)).isEmpty();
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void names_of_the_engine_are_refused(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = kit(store)) {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  kit.engine()
                      .messages()
                      .correlate(Correlated.of("$cancel", "o-1", Map.of(), "x", "1"), BANK))
          .withMessageContaining("does not begin with '$'");
    }
  }
}
