package dev.waymark.proof.check;

import dev.waymark.engine.store.Store;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import dev.waymark.testkit.VirtualClock;

/** The checker on PostgreSQL. */
final class PostgresCheckerTest extends CheckerTest {

  @Override
  Store open(VirtualClock clock) {
    PostgresServer server = PostgresServer.shared();
    return PostgresStore.open(
        server.url(server.newDatabase()),
        "postgres",
        "postgres",
        PostgresOptions.DEFAULTS.withVirtualTime(clock));
  }
}
