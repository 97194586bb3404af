package dev.waymark.proof.message;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import dev.waymark.sqlite.SqliteStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A process of its own with a small heap: many messages of nearly the largest size are left as a
 * crash leaves them, between their commit and the look for who waits for them. Some are for a
 * correlation key, some begin a run, some are for one run. The next start must bring all of them.
 */
final class HeavyMessages {

  private static final Caller ANNA = Caller.of("anna");
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final String HALF = "x".repeat(750_000);
  private static final String LARGE = "{\"one\":\"%s\",\"two\":\"%s\"}".formatted(HALF, HALF);

  private static final String CORRELATED =
      """
      waymark: 1
      key: correlated
      start: a
      activities:
        a:
          type: wait
          with: { for: external-message, key: paid, correlate: "${ Variables.order }" }
      """;

  private static final String ADDRESSED =
      """
      waymark: 1
      key: addressed
      start: a
      activities:
        a: { type: wait, with: { for: external-message, key: told } }
      """;

  private static final String BEGUN =
      """
      waymark: 1
      key: begun
      startOn: placed
      start: a
      activities:
        a: { type: end }
      """;

  private final String place;
  private final Instant received = Instant.now().truncatedTo(ChronoUnit.MICROS);
  private final List<InstanceId> runs = new ArrayList<>();

  private HeavyMessages(String place) {
    this.place = place;
  }

  /**
   * Runs it.
   *
   * @param args a JDBC address or a file, and how many messages of each kind
   */
  public static void main(String[] args) {
    HeavyMessages heavy = new HeavyMessages(args[0]);
    int each = Integer.parseInt(args[1]);
    heavy.beginToWait(each);
    heavy.leave(each);
    heavy.awaitAll();
    System.exit(0);
  }

  private Store open() {
    return place.startsWith("jdbc:")
        ? PostgresStore.open(
            place, PostgresServer.USER, PostgresServer.PASSWORD, PostgresOptions.DEFAULTS)
        : SqliteStore.open(Path.of(place));
  }

  private void beginToWait(int each) {
    try (Engine engine = Engine.builder(open()).start()) {
      engine.definitions().deploy(CORRELATED, ANNA);
      engine.definitions().deploy(ADDRESSED, ANNA);
      engine.definitions().deploy(BEGUN, ANNA);
      for (int i = 0; i < each; i++) {
        Map<String, Object> input = Map.of("order", "order-" + i);
        runs.add(
            engine.instances().start(StartRequest.of("correlated").input(input), ANNA).orThrow());
      }
      for (int i = 0; i < each; i++) {
        runs.add(engine.instances().start(StartRequest.of("addressed"), ANNA).orThrow());
      }
    }
  }

  private void leave(int each) {
    try (Store store = open()) {
      for (int i = 0; i < each; i++) {
        MessageRow begins = message("placed", i, null, "new-" + i);
        store.inbox().receive(message("paid", i, null, "order-" + i));
        store.inbox().receive(message("told", i, runs.get(each + i), null));
        store.inbox().receive(begins);
        runs.add(
            InstanceId.begunBy(begins.key(), received).routedBy(begins.key().tenant(), "new-" + i));
      }
    }
  }

  private MessageRow message(
      String name, int number, @Nullable InstanceId run, @Nullable String correlation) {
    Message.Key key = new Message.Key(ANNA.actor().tenant(), "shop", name + number);
    return new MessageRow(key, run, name, LARGE, "shop", received, correlation, null);
  }

  private void awaitAll() {
    try (Engine engine = Engine.builder(open()).start()) {
      for (InstanceId run : runs) {
        var unused = engine.instances().awaitEnd(run, PATIENCE, ANNA).id();
      }
      System.out.println(runs.size() + " have ended");
    }
  }
}
