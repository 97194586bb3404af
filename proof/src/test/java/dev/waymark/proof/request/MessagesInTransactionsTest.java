package dev.waymark.proof.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.step.Decision.Rejection.Code;
import dev.waymark.engine.Caller;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.Engine;
import dev.waymark.engine.Settings;
import dev.waymark.engine.message.Messages.Correlated;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages that are sent in a transaction of the application's. */
final class MessagesInTransactionsTest {

  private static final Caller ANNA = Caller.of("anna");

  private static final String FLOW =
      """
      waymark: 1
      key: flow
      start: paid
      activities:
        paid:
          type: wait
          with: { for: external-message, key: paid, correlate: "${ Variables.order }" }
          next: told
        told: { type: wait, with: { for: external-message, key: told } }
      """;

  private static Correlated paid(int amount) {
    return Correlated.of("paid", "o-1", Map.of("amount", amount), "bank", "m-1");
  }

  @ParameterizedTest
  @EnumSource
  void another_message_under_the_same_id_is_refused_in_the_transaction_of_the_first(Stores stores) {
    try (WorkflowTestKit kit = stores.create().process(new VirtualClock(), builder -> {})) {
      Engine engine = kit.engine();

      assertThatThrownBy(
              () ->
                  engine.inTransaction(
                      joined -> {
                        joined.correlate(paid(1), ANNA);
                        return joined.correlate(paid(2), ANNA);
                      }))
          .isInstanceOfSatisfying(
              CommandRefused.class,
              refused -> assertThat(refused.rejection().code()).isEqualTo(Code.COMMAND_REUSED));

      boolean again =
          engine.inTransaction(
              joined -> {
                assertThat(joined.correlate(paid(1), ANNA)).isTrue();
                return joined.correlate(paid(1), ANNA);
              });
      assertThat(again).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void they_arrive_if_the_transaction_commits_and_only_then(Stores stores) {
    try (WorkflowTestKit kit = stores.create().process(new VirtualClock(), builder -> {})) {
      Engine engine = kit.engine();
      kit.deploy(FLOW);
      Run run = kit.start("flow", Map.of("order", "o-1"));

      assertThatThrownBy(
              () ->
                  engine.inTransaction(
                      joined -> {
                        joined.correlate(paid(1), ANNA);
                        throw new IllegalStateException("The application changed its mind");
                      }))
          .hasStackTraceContaining("changed its mind");
      kit.advance(Duration.ofMinutes(1));
      assertThat(run).isWaitingAt("paid");

      assertThat((boolean) engine.inTransaction(j -> j.correlate(paid(2), ANNA))).isTrue();
      kit.runUntilIdle();
      assertThat(run).isWaitingAt("told");

      boolean fresh =
          engine.inTransaction(j -> j.send(run.id(), "told", Map.of(), "bank", "m-2", ANNA));
      kit.runUntilIdle();
      assertThat(fresh).isTrue();
      assertThat(run).isCompleted();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_repeat_is_told_and_another_message_under_its_id_is_refused(Stores stores) {
    try (WorkflowTestKit kit = stores.create().process(new VirtualClock(), builder -> {})) {
      Engine engine = kit.engine();
      engine.messages().correlate(paid(1), ANNA);

      assertThat((boolean) engine.inTransaction(j -> j.correlate(paid(1), ANNA))).isFalse();
      assertThatThrownBy(() -> engine.inTransaction(j -> j.correlate(paid(2), ANNA)))
          .isInstanceOfSatisfying(
              CommandRefused.class,
              refused -> assertThat(refused.rejection().code()).isEqualTo(Code.COMMAND_REUSED));
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "50, 15", "100, 30"})
  void one_on_the_application_s_own_connection_is_found_soon_after_its_commit(
      int openFor, int atMost) throws Exception {
    PostgresServer server = PostgresServer.shared();
    String url = server.url(server.newDatabase());
    VirtualClock clock = new VirtualClock();
    try (WorkflowTestKit kit =
            WorkflowTestKit.on(
                PostgresStore.open(
                    url,
                    PostgresServer.USER,
                    PostgresServer.PASSWORD,
                    PostgresOptions.DEFAULTS.withVirtualTime(clock)),
                clock,
                builder -> builder.settings(Settings.DEFAULT));
        Connection own =
            DriverManager.getConnection(url, PostgresServer.USER, PostgresServer.PASSWORD)) {
      kit.deploy(FLOW);
      Run run = kit.start("flow", Map.of("order", "o-1"));
      assertThatThrownBy(() -> kit.engine().joining(own).correlate(paid(1), ANNA))
          .hasMessageContaining("autocommit");

      own.setAutoCommit(false);
      kit.engine().joining(own).correlate(paid(1), ANNA);
      kit.advance(Duration.ofSeconds(openFor));
      assertThat(run).isWaitingAt("paid");
      own.commit();
      kit.advance(Duration.ofSeconds(atMost));

      assertThat(run).isWaitingAt("told");
    }
  }

  @Test
  @Timeout(60)
  void one_that_waits_for_an_open_transaction_keeps_no_other_message_waiting() throws Exception {
    PostgresServer server = PostgresServer.shared();
    String url = server.url(server.newDatabase());
    PostgresStore store =
        PostgresStore.open(
            url, PostgresServer.USER, PostgresServer.PASSWORD, PostgresOptions.DEFAULTS);
    store.migrate();
    try (Connection open =
            DriverManager.getConnection(url, PostgresServer.USER, PostgresServer.PASSWORD);
        ExecutorService senders = Executors.newCachedThreadPool();
        Engine engine = Engine.builder(store).start()) {
      open.setAutoCommit(false);
      assertThat(engine.joining(open).correlate(paid(1), ANNA)).isTrue();

      Future<Boolean> same = senders.submit(() -> engine.messages().correlate(paid(1), ANNA));
      List<Future<Boolean>> others = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        Correlated other = Correlated.of("paid", "o-2", Map.of(), "bank", "other-" + i);
        others.add(senders.submit(() -> engine.messages().correlate(other, ANNA)));
      }

      for (Future<Boolean> other : others) {
        assertThat(other.get(10, TimeUnit.SECONDS)).isTrue();
      }
      assertThat(same).isNotDone();
      open.rollback();
      assertThat(same.get(10, TimeUnit.SECONDS)).isTrue();
    }
  }
}
