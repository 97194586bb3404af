package dev.waymark.proof.time;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.store.Store;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import dev.waymark.sqlite.SqliteStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A process of its own with a small heap: many instances of nearly the largest size whose timers
 * are due at once, and small starts beside them. Ends with 0 if all of it is done.
 */
final class HeavyTimers {

  private static final Caller ANNA = Caller.of("anna");
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private static final String BIG =
      """
      waymark: 1
      key: big
      start: a
      activities:
        a: { type: timer, with: { until: "${ Variables.at }" } }
      """;

  private static final String SMALL =
      """
      waymark: 1
      key: small
      start: a
      activities:
        a: { type: end }
      """;

  private HeavyTimers() {}

  /**
   * Runs it.
   *
   * @param args a JDBC address or a file, how many instances, and in how many seconds they are due
   */
  public static void main(String[] args) {
    Store store =
        args[0].startsWith("jdbc:")
            ? PostgresStore.open(
                args[0], PostgresServer.USER, PostgresServer.PASSWORD, PostgresOptions.DEFAULTS)
            : SqliteStore.open(Path.of(args[0]));
    try (Engine engine = Engine.builder(store).start()) {
      engine.definitions().deploy(BIG, ANNA);
      engine.definitions().deploy(SMALL, ANNA);
      Instant at = Instant.now().plusSeconds(Long.parseLong(args[2]));
      String half = "x".repeat(950_000);
      List<InstanceId> runs = new ArrayList<>();
      for (int i = 0; i < Integer.parseInt(args[1]); i++) {
        Map<String, Object> input = Map.of("at", at.toString(), "one", half + i, "two", half + i);
        runs.add(engine.instances().start(StartRequest.of("big").input(input), ANNA).orThrow());
      }
      for (int i = 0; i < 5; i++) {
        engine.instances().start(StartRequest.of("small").businessKey("k" + i), ANNA).orThrow();
      }
      for (InstanceId run : runs) {
        var unused = engine.instances().awaitEnd(run, PATIENCE, ANNA).id();
      }
      engine.instances().start(StartRequest.of("small").businessKey("last"), ANNA).orThrow();
      System.out.println(runs.size() + " have fired, and small starts went on");
    }
    System.exit(0);
  }
}
