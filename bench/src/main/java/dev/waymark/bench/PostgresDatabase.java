package dev.waymark.bench;

import dev.waymark.engine.store.Store;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A database on a PostgreSQL that was given, or on one started for the purpose. */
final class PostgresDatabase implements Database {

  /** Durable, and large enough that no checkpoint falls into a short run. */
  private static final Map<String, String> LIKE_PRODUCTION =
      Map.of(
          "fsync", "on",
          "synchronous_commit", "on",
          "shared_buffers", "1GB",
          "max_wal_size", "4GB",
          "checkpoint_timeout", "15min");

  private static final String USAGE =
      """
      select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint as log,
             (select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint
                from pg_class c
               where c.relname like 'wm\\_%'
                 and c.relkind = 'r') as disk,
             (select array_agg(a.pid)
                from pg_stat_activity a) as processes
      """;

  private static final String UPDATES =
      """
      select coalesce(sum(n_tup_upd), 0) as updates, coalesce(sum(n_tup_hot_upd), 0) as hot
        from pg_stat_user_tables
       where relname = 'wm_instance'
      """;

  private static final String TRANSACTIONS =
      """
      select xact_commit + xact_rollback as transactions
        from pg_stat_database
       where datname = current_database()
      """;

  private static final String DESCRIPTION =
      """
      select 'PostgreSQL ' || current_setting('server_version')
             || ' (fsync ' || current_setting('fsync')
             || ', synchronous_commit ' || current_setting('synchronous_commit')
             || ', shared_buffers ' || current_setting('shared_buffers') || ')' as description
      """;

  private final Store store;
  private final Connection connection;
  private final @Nullable String own;
  private final Updates before;

  /** Updates of instances: all, and those that touched no index. */
  private record Updates(long all, long hot) {}

  private PostgresDatabase(Store store, Connection connection, @Nullable String own) {
    this.store = store;
    this.connection = connection;
    this.own = own;
    this.before = updates();
  }

  static PostgresDatabase open(Options options) {
    String own = options.url() == null ? Server.INSTANCE.newDatabase() : null;
    String url = options.url() != null ? options.url() : Server.INSTANCE.url(String.valueOf(own));
    String user = own == null ? options.user() : PostgresServer.USER;
    String password = own == null ? options.password() : PostgresServer.PASSWORD;
    try {
      Connection connection = DriverManager.getConnection(url, user, password);
      PostgresOptions named = PostgresOptions.DEFAULTS.withName("bench");
      return new PostgresDatabase(PostgresStore.open(url, user, password, named), connection, own);
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot connect to PostgreSQL", e);
    }
  }

  /** Started when it is first needed, stopped and deleted with the process. */
  private static final class Server {
    static final PostgresServer INSTANCE = PostgresServer.durable(LIKE_PRODUCTION);
  }

  @Override
  public String description() {
    return ask(DESCRIPTION, row -> row.getString("description"));
  }

  @Override
  public Store store() {
    return store;
  }

  @Override
  public Usage usage() {
    return ask(
        USAGE,
        row ->
            new Usage(
                row.getLong("log"),
                row.getLong("disk"),
                Usage.cpuOfThisProcess(),
                own == null ? null : cpuOf((Integer[]) row.getArray("processes").getArray())));
  }

  /** Only a server of our own is sure to run on this machine, where its processes can be seen. */
  private static @Nullable Long cpuOf(Integer[] processes) {
    Duration all = Duration.ZERO;
    for (int process : processes) {
      all =
          all.plus(
              ProcessHandle.of(process)
                  .flatMap(handle -> handle.info().totalCpuDuration())
                  .orElse(Duration.ZERO));
    }
    return all.isZero() ? null : Long.valueOf(all.toNanos());
  }

  @Override
  public Long transactions() {
    return ask(TRANSACTIONS, row -> row.getLong("transactions"));
  }

  // Backends report what they did about once a second. A ratio hardly suffers from the last one.
  @Override
  public @Nullable Double hotRatio() {
    Updates now = updates();
    long all = now.all() - before.all();
    return all == 0 ? null : Double.valueOf((now.hot() - before.hot()) / (double) all);
  }

  private Updates updates() {
    return ask(UPDATES, row -> new Updates(row.getLong("updates"), row.getLong("hot")));
  }

  /** Reads the one row of an answer. */
  private interface Reading<T> {
    T of(ResultSet row) throws SQLException;
  }

  private <T> T ask(String sql, Reading<T> reading) {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return reading.of(row);
    } catch (SQLException e) {
      throw new IllegalStateException("PostgreSQL could not answer '%s'".formatted(sql), e);
    }
  }

  @Override
  public void tidy() {
    try (Statement statement = connection.createStatement()) {
      statement.execute("vacuum");
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot tidy PostgreSQL", e);
    }
  }

  @Override
  public void close() {
    store.close();
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot close a connection", e);
    }
    if (own != null) {
      Server.INSTANCE.drop(own);
    }
  }
}
