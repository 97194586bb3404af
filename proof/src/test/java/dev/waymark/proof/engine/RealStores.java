package dev.waymark.proof.engine;

import dev.waymark.engine.store.Store;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import dev.waymark.sqlite.SqliteStore;
import java.nio.file.Path;
import java.time.InstantSource;

/** Databases with real time, as an application would open them. */
final class RealStores {

  enum Kind {
    POSTGRES,
    SQLITE
  }

  static Store store(Kind kind) {
    return kind == Kind.SQLITE
        ? SqliteStore.inMemory(InstantSource.system())
        : postgres(database());
  }

  static String database() {
    return PostgresServer.shared().url(PostgresServer.shared().newDatabase());
  }

  static Store postgres(String url) {
    return PostgresStore.open(
        url, PostgresServer.USER, PostgresServer.PASSWORD, PostgresOptions.DEFAULTS);
  }

  static Store store(Kind kind, String address) {
    return kind == Kind.SQLITE
        ? SqliteStore.open(Path.of(address), InstantSource.system())
        : postgres(address);
  }

  private RealStores() {}
}
