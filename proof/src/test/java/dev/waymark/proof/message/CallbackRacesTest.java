package dev.waymark.proof.message;

import static dev.waymark.proof.message.ChildrenTest.assertSound;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.callback.Callbacks;
import dev.waymark.engine.callback.Secret;
import dev.waymark.engine.callback.Token;
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
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Callbacks that come up to half a second before, while and after their wait is committed, each
 * three times: every run goes on, once. {@code -Dcallbacks=5000} for the long form.
 */
final class CallbackRacesTest {

  private static final Caller CALLER = Caller.of("partner");
  private static final int ALL = Integer.getInteger("callbacks", 500);
  private static final int APART = 500;
  private static final int TIMES = 3;

  private static final String WAITER =
      """
      waymark: 1
      key: waiter
      start: called
      activities:
        called:
          type: wait
          with: { for: webhook, key: callback }
      """;

  private static Store postgres() {
    PostgresServer server = PostgresServer.shared();
    return PostgresStore.open(
        server.url(server.newDatabase()),
        PostgresServer.USER,
        PostgresServer.PASSWORD,
        PostgresOptions.DEFAULTS);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void every_run_goes_on_once_however_early_late_or_often_its_callback_comes(boolean sqlite)
      throws Exception {
    Store store = sqlite ? SqliteStore.inMemory(InstantSource.system()) : postgres();
    SplittableRandom random = new SplittableRandom(7);
    try (Engine engine =
            Engine.builder(store).callbackSecrets(Secret.of("partner", new byte[32])).start();
        ScheduledExecutorService threads = Executors.newScheduledThreadPool(8)) {
      engine.definitions().deploy(WAITER, CALLER);
      List<Future<InstanceId>> runs = new ArrayList<>();
      List<Future<Boolean>> calls = new ArrayList<>();
      for (int i = 0; i < ALL; i++) {
        String name = "run-" + i;
        long start = APART + i * 2L;
        runs.add(threads.schedule(() -> start(engine, name), start, TimeUnit.MILLISECONDS));
        for (int n = 0; n < TIMES; n++) {
          // A third of all fall within the millisecond in which the wait is committed.
          int number = n;
          int offset = random.nextInt(3) == 0 ? 0 : random.nextInt(-APART, APART + 1);
          calls.add(
              threads.schedule(
                  () -> call(engine, name, "call " + number),
                  start + offset,
                  TimeUnit.MILLISECONDS));
        }
      }

      int fresh = 0;
      for (Future<Boolean> call : calls) {
        fresh += call.get(60, TimeUnit.SECONDS) ? 1 : 0;
      }
      assertThat(fresh).isEqualTo(ALL);
      for (Future<InstanceId> run : runs) {
        InstanceId id = run.get(60, TimeUnit.SECONDS);
        Instance ended = engine.instances().awaitEnd(id, Duration.ofSeconds(30), CALLER);
        assertThat(ended.status()).isEqualTo(Status.COMPLETED);
        assertThat(ended.variables().get("answer")).asString().startsWith("call ");
        assertThat(engine.instances().history(id, 1, 100, CALLER))
            .filteredOn(entry -> entry.type() == HistoryEntry.Type.BOOKMARK_CONSUMED)
            .hasSize(1);
      }
      assertSound(store);
    }
  }

  private static InstanceId start(Engine engine, String name) {
    return engine
        .instances()
        .start(StartRequest.of("waiter"), CALLER.withCommandId(name))
        .orThrow();
  }

  /** A partner's call. The token was made before the run was: its id follows from its name. */
  private static boolean call(Engine engine, String name, String what) {
    Callbacks callbacks = engine.callbacks();
    InstanceId run = InstanceId.derived("default", name);
    String token = callbacks.seal(new Token("default", run, "callback", true, null));
    return callbacks.receive(
        token, "{\"answer\":\"%s\"}".formatted(what).getBytes(UTF_8), Map.of());
  }
}
