package dev.waymark.proof;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL of our own, started from binaries on the class path when it is first asked for and
 * stopped with the JVM. Nothing must be installed, and it also works as root.
 *
 * <p>With {@code -Dwaymark.postgres.url=jdbc:postgresql://host:port/} the shared server is that one
 * instead, whatever its version. Its user {@value #USER} must be a superuser with the password
 * {@value #PASSWORD}; each JVM makes databases of its own on it, and leaves them there.
 */
public final class PostgresServer {

  public static final String USER = "postgres";
  public static final String PASSWORD = "postgres";

  private static final String EXTERNAL = "waymark.postgres.url";
  private static final AtomicInteger DATABASES = new AtomicInteger();

  private static @Nullable PostgresServer shared;

  private final Function<String, String> address;
  private final String prefix;

  private PostgresServer(Function<String, String> address, String prefix) {
    this.address = address;
    this.prefix = prefix;
  }

  /** The one server of this JVM for tests, which keep nothing: it never waits for the disk. */
  public static synchronized PostgresServer shared() {
    if (shared == null) {
      String external = System.getProperty(EXTERNAL);
      shared =
          external == null || external.isBlank()
              ? start(EmbeddedPostgres.builder())
              : external(external);
    }
    return shared;
  }

  private static PostgresServer external(String url) {
    String start = url.endsWith("/") ? url : url + "/";
    return new PostgresServer(
        database -> start + database + "?user=" + USER + "&password=" + PASSWORD,
        "waymark_" + ProcessHandle.current().pid() + "_" + System.currentTimeMillis() + "_");
  }

  /** A server of its own that keeps what it has committed, as one in production does. */
  public static PostgresServer durable() {
    return durable(Map.of("shared_buffers", "1GB"));
  }

  /** The same with settings of the caller's. */
  public static PostgresServer durable(Map<String, String> settings) {
    // The library switches both off unless it is told otherwise.
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on");
    settings.forEach(builder::setServerConfig);
    return start(builder);
  }

  private static PostgresServer start(EmbeddedPostgres.Builder builder) {
    try {
      EmbeddedPostgres postgres = builder.setServerConfig("max_connections", "200").start();
      return new PostgresServer(database -> postgres.getJdbcUrl(USER, database), "waymark_");
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot start PostgreSQL", e);
    }
  }

  /** Makes a database that holds nothing, and gives its name. */
  public String newDatabase() {
    return copyOf("template1");
  }

  /** Makes a copy of a database that nobody is connected to: faster than to migrate a new one. */
  public String copyOf(String database) {
    String name = prefix + DATABASES.incrementAndGet();
    execute("create database " + name + " template " + database);
    return name;
  }

  public void drop(String database) {
    execute("drop database " + database + " with (force)");
  }

  /** The JDBC address of a database. */
  public String url(String database) {
    return address.apply(database);
  }

  private void execute(String sql) {
    try (Connection connection = DriverManager.getConnection(url("postgres"), USER, PASSWORD);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("PostgreSQL could not '" + sql + "'", e);
    }
  }
}
