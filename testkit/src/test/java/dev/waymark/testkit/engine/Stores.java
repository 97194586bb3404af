package dev.waymark.testkit.engine;

import dev.waymark.engine.EngineBuilder;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.postgres.PostgresOptions;
import dev.waymark.engine.store.postgres.PostgresStore;
import dev.waymark.engine.store.sqlite.SqliteStore;
import dev.waymark.testkit.PostgresServer;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** A database for engine tests that outlives the process that works on it. */
enum Stores {
  POSTGRES {
    @Override
    Place create() {
      return postgres(PostgresServer.shared().url(PostgresServer.shared().newDatabase()));
    }
  },
  SQLITE {
    @Override
    Place create() {
      Path file = folder().resolve("waymark.db");
      return clock -> SqliteStore.open(file, clock);
    }
  };

  abstract Place create();

  /** A database of which the test knows the address. */
  static Place postgres(String url) {
    return clock ->
        PostgresStore.open(
            url,
            PostgresServer.USER,
            PostgresServer.PASSWORD,
            PostgresOptions.DEFAULTS.withVirtualTime(clock));
  }

  /** One database, to be opened by one process after another. */
  interface Place {

    Store open(VirtualClock clock);

    /** An engine of its own on this database, as after a restart. */
    default WorkflowTestKit process(VirtualClock clock, Consumer<EngineBuilder> setUp) {
      return WorkflowTestKit.on(open(clock), clock, setUp);
    }
  }

  private static Path folder() {
    try {
      // In the build's own folder, so that a clean build leaves nothing behind.
      return Files.createTempDirectory(
          Files.createDirectories(Path.of("target", "stores")), "waymark");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
