package dev.waymark.proof.message;

import static dev.waymark.proof.message.FollowUpTest.ORDER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Decision.Rejection.Code;
import dev.waymark.engine.Caller;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.Engine;
import dev.waymark.engine.Settings;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.message.Messages.Correlated;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.StoreException;
import dev.waymark.proof.support.StoreHooks;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages under an id that was used before. */
final class MessageIdsTest {

  private static final Caller ANNA = Caller.of("anna");
  private static final Duration MOMENT = Duration.ofSeconds(2);

  private final VirtualClock clock = new VirtualClock();

  private WorkflowTestKit kit(Store store) {
    return WorkflowTestKit.on(store, clock, builder -> builder.settings(Settings.DEFAULT));
  }

  private static Correlated message(String name, String correlation, String id) {
    return Correlated.of(name, correlation, Map.of(), "shop", id);
  }

  @ParameterizedTest
  @EnumSource
  void another_message_under_a_used_id_is_refused_in_words(Stores stores) {
    try (WorkflowTestKit kit = kit(stores.create().open(clock))) {
      Engine engine = kit.engine();
      Correlated paid = Correlated.of("paid", "4711", Map.of("sum", 1), "bank", "4711");
      assertThat(engine.messages().correlate(paid, ANNA)).isTrue();
      assertThat(engine.messages().correlate(paid, ANNA)).isFalse();

      assertRefused(() -> engine.messages().correlate(message("x", "4711", "4711"), ANNA), false);
      assertRefused(
          () ->
              engine
                  .messages()
                  .correlate(
                      Correlated.of("cancelled", "4711", Map.of("sum", 1), "bank", "4711"), ANNA),
          true);
      assertRefused(
          () ->
              engine
                  .messages()
                  .correlate(Correlated.of("paid", "4711", Map.of("sum", 2), "bank", "4711"), ANNA),
          true);
      assertRefused(
          () -> engine.messages().signal("paid", Map.of("sum", 1), "bank", "4711", ANNA), true);
      assertThat(engine.messages().unmatched(null, 10, ANNA)).hasSize(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void another_message_under_the_id_of_a_received_one_is_refused_too(Stores stores) {
    try (WorkflowTestKit kit = kit(stores.create().open(clock))) {
      kit.deploy(ORDER.replace("placed", "paid").replace("startOn", "#"));
      Engine engine = kit.engine();
      Run run = kit.start(StartRequest.of("order").correlationId("4711"));
      Correlated paid = Correlated.of("paid", "4711", Map.of("sum", 1), "bank", "4711");
      assertThat(engine.messages().correlate(paid, ANNA)).isTrue();
      kit.advance(MOMENT);
      assertThat(run.status()).isEqualTo(Status.COMPLETED);

      assertThat(engine.messages().correlate(paid, ANNA)).isFalse();
      Correlated other = Correlated.of("paid", "4712", Map.of("sum", 2), "bank", "4711");
      assertRefused(() -> engine.messages().correlate(other, ANNA), true);
      assertRefused(() -> engine.inTransaction(joined -> joined.correlate(other, ANNA)), true);

      assertThat(engine.operations().unreadable()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void the_only_sender_of_a_message_hears_so_also_after_a_lost_reply(Stores stores) {
    AtomicBoolean armed = new AtomicBoolean();
    Store store =
        StoreHooks.after(
            stores.create().open(clock),
            "receive",
            StoreHooks.once(armed, StoreHooks.fail(StoreException.Kind.UNKNOWN_OUTCOME)));
    // Not in the kit: the sender waits while the engine pauses before it tries again.
    try (Engine engine = Engine.builder(store).start()) {
      Correlated paid = message("paid", "4711", "1");
      armed.set(true);
      assertThat(engine.messages().correlate(paid, ANNA)).isTrue();
      assertThat(armed).isFalse();

      clock.advance(Duration.ofSeconds(1));
      armed.set(true);
      assertThat(engine.messages().correlate(paid, ANNA)).isFalse();
      assertThat(armed).isFalse();
    }
  }

  private static void assertRefused(Runnable sending, boolean refused) {
    if (refused) {
      assertThatThrownBy(sending::run)
          .isInstanceOfSatisfying(
              CommandRefused.class,
              e -> assertThat(e.rejection().code()).isEqualTo(Code.COMMAND_REUSED))
          .hasMessageContaining("'4711'")
          .hasMessageContaining("'paid'");
    } else {
      sending.run();
    }
  }
}
