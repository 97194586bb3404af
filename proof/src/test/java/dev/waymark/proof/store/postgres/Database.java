package dev.waymark.proof.store.postgres;

import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.InstantSource;

/** A database for one test, by its address. */
record Database(String url) {

  private static final PostgresServer SERVER = PostgresServer.shared();
  private static final String MIGRATED = migrated();

  static Database empty() {
    return new Database(SERVER.url(SERVER.newDatabase()));
  }

  static Database withSchema() {
    return new Database(SERVER.url(SERVER.copyOf(MIGRATED)));
  }

  PostgresStore open(InstantSource time) {
    return PostgresStore.open(url, PostgresServer.USER, PostgresServer.PASSWORD, options(time));
  }

  static PostgresOptions options(InstantSource time) {
    return PostgresOptions.DEFAULTS.withVirtualTime(time).withConnections(2, 2, 2);
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(url, PostgresServer.USER, PostgresServer.PASSWORD);
  }

  private static String migrated() {
    String name = SERVER.newDatabase();
    try (PostgresStore store = new Database(SERVER.url(name)).open(InstantSource.system())) {
      store.migrate();
    }
    return name;
  }
}
