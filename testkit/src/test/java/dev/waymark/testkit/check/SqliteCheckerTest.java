package dev.waymark.testkit.check;

import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.sqlite.SqliteStore;
import dev.waymark.testkit.VirtualClock;

/** The checker on SQLite. */
final class SqliteCheckerTest extends CheckerTest {

  @Override
  Store open(VirtualClock clock) {
    return SqliteStore.inMemory(clock);
  }
}
