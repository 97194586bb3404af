package dev.waymark.proof.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.engine.store.Store;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import dev.waymark.sqlite.SqliteStore;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Stores of one process: the slow transactions of some do not hold up another. */
final class StoreThreadsTest {

  /** As many as one store carries out at a time. */
  private static final int SLOW = 32;

  enum Kind {
    POSTGRES,
    SQLITE
  }

  private static Store store(Kind kind) {
    return kind == Kind.SQLITE
        ? SqliteStore.inMemory(InstantSource.system())
        : PostgresStore.open(
            PostgresServer.shared().url(PostgresServer.shared().newDatabase()),
            PostgresServer.USER,
            PostgresServer.PASSWORD,
            PostgresOptions.DEFAULTS);
  }

  @ParameterizedTest
  @EnumSource
  void a_transaction_does_not_wait_for_those_of_other_stores(Kind kind) throws Exception {
    CountDownLatch begun = new CountDownLatch(SLOW);
    CountDownLatch letGo = new CountDownLatch(1);
    List<Store> slow = Stream.generate(() -> store(Kind.SQLITE)).limit(SLOW).toList();
    try (Store healthy = store(kind);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Store store : slow) {
        var unused = threads.submit(() -> store.inTransaction(c -> hold(begun, letGo)));
      }
      assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();

      Future<Boolean> quick = threads.submit(() -> healthy.inTransaction(c -> !c.isClosed()));
      try {
        assertThat(quick.get(10, TimeUnit.SECONDS)).isTrue();
      } finally {
        letGo.countDown();
      }
    } finally {
      slow.forEach(Store::close);
    }
  }

  private static boolean hold(CountDownLatch begun, CountDownLatch letGo)
      throws InterruptedException {
    begun.countDown();
    return letGo.await(60, TimeUnit.SECONDS);
  }
}
