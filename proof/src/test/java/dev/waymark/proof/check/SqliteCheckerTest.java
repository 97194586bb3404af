package dev.waymark.proof.check;

import dev.waymark.engine.store.Store;
import dev.waymark.sqlite.SqliteStore;
import dev.waymark.testkit.VirtualClock;

/** The checker on SQLite. */
final class SqliteCheckerTest extends CheckerTest {

  @Override
  Store open(VirtualClock clock) {
    return SqliteStore.inMemory(clock);
  }
}
