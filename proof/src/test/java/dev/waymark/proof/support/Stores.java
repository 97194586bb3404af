package dev.waymark.proof.support;

import dev.waymark.engine.EngineBuilder;
import dev.waymark.engine.store.Store;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import dev.waymark.sqlite.SqliteStore;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** A database for engine tests that outlives the process that works on it. */
public enum Stores {
  POSTGRES {
    @Override
    public Place create() {
      return postgres(PostgresServer.shared().url(PostgresServer.shared().newDatabase()));
    }
  },
  SQLITE {
    @Override
    public Place create() {
      Path file = folder().resolve("waymark.db");
      return clock -> SqliteStore.open(file, clock);
    }
  };

  public abstract Place create();

  /** A database of which the test knows the address. */
  public static Place postgres(String url) {
    return clock ->
        PostgresStore.open(
            url,
            PostgresServer.USER,
            PostgresServer.PASSWORD,
            PostgresOptions.DEFAULTS.withVirtualTime(clock));
  }

  /** One database, to be opened by one process after another. */
  public interface Place {

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
