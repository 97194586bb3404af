package dev.waymark.bench;

import static java.util.Objects.requireNonNull;

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
import java.util.HashMap;
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

  private static final String STATEMENTS =
      """
      select coalesce(sum(s.calls), 0)::bigint as statements
        from pg_stat_statements s
        join pg_database d on d.oid = s.dbid
       where d.datname = current_database()
         and s.query not like '%pg_stat_%'
      """;

  private static final String READS =
      """
      select (select coalesce(sum(t.seq_tup_read + coalesce(t.idx_tup_fetch, 0)), 0)::bigint
                from pg_stat_user_tables t
               where t.relname like 'wm\\_%') as rows,
             (select coalesce(sum(i.idx_tup_read), 0)::bigint
                from pg_stat_user_indexes i
               where i.relname like 'wm\\_%') as entries
      """;

  private static final String DESCRIPTION =
      """
      select 'PostgreSQL ' || current_setting('server_version')
             || ' (fsync ' || current_setting('fsync')
             || ', synchronous_commit ' || current_setting('synchronous_commit')
             || ', shared_buffers ' || current_setting('shared_buffers') || ')' as description
      """;

  private final Place place;
  private final Connection connection;
  private final boolean counting;
  private final @Nullable Store store;
  private final Updates before;

  /** Updates of instances: all, and those that touched no index. */
  private record Updates(long all, long hot) {}

  /**
   * Where the database is.
   *
   * @param own the server that it was made on for this benchmark, if it was
   * @param name of the database there
   */
  private record Place(
      String url, String user, String password, @Nullable PostgresServer own, String name) {

    static Place given(Options options, String url) {
      return new Place(url, options.user(), options.password(), null, "");
    }

    static Place madeOn(PostgresServer server) {
      String name = server.newDatabase();
      return new Place(
          server.url(name), PostgresServer.USER, PostgresServer.PASSWORD, server, name);
    }

    Connection connect() {
      try {
        return DriverManager.getConnection(url, user, password);
      } catch (SQLException e) {
        throw new IllegalStateException("Cannot connect to PostgreSQL", e);
      }
    }

    Store open() {
      return PostgresStore.open(url, user, password, PostgresOptions.DEFAULTS.withName("bench"));
    }
  }

  private PostgresDatabase(Place place, boolean opened, boolean counted) {
    this.place = place;
    this.connection = place.connect();
    this.counting = counted && count(connection);
    this.store = opened ? place.open() : null;
    this.before = updates();
  }

  static PostgresDatabase open(Options options) {
    return new PostgresDatabase(placeOf(options), true, false);
  }

  static PostgresDatabase unopened(Options options) {
    return new PostgresDatabase(placeOf(options), false, false);
  }

  /** A server that was given counts statements only if it was started with what it needs for it. */
  static PostgresDatabase counting(Options options) {
    String url = options.url();
    return new PostgresDatabase(
        url == null ? Place.madeOn(CountingServer.INSTANCE) : Place.given(options, url),
        true,
        true);
  }

  private static Place placeOf(Options options) {
    String url = options.url();
    return url == null ? Place.madeOn(Server.INSTANCE) : Place.given(options, url);
  }

  private static boolean count(Connection connection) {
    try (Statement statement = connection.createStatement()) {
      statement.execute("create extension if not exists pg_stat_statements");
      return statement.execute(STATEMENTS);
    } catch (SQLException e) {
      return false;
    }
  }

  /** Started when it is first needed, stopped and deleted with the process. */
  private static final class Server {
    static final PostgresServer INSTANCE = PostgresServer.durable(LIKE_PRODUCTION);
  }

  /** The same, and it counts statements. */
  private static final class CountingServer {
    static final PostgresServer INSTANCE = PostgresServer.durable(settings());

    private static Map<String, String> settings() {
      Map<String, String> settings = new HashMap<>(LIKE_PRODUCTION);
      settings.put("shared_preload_libraries", "pg_stat_statements");
      return settings;
    }
  }

  @Override
  public String description() {
    return ask(DESCRIPTION, row -> row.getString("description"));
  }

  @Override
  public Store store() {
    return requireNonNull(store, "store");
  }

  @Override
  public Store openStore() {
    return place.open();
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
                place.own() == null
                    ? null
                    : cpuOf((Integer[]) row.getArray("processes").getArray())));
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

  @Override
  public @Nullable Long statements() {
    return counting ? ask(STATEMENTS, row -> row.getLong("statements")) : null;
  }

  @Override
  public Reads reads() {
    return ask(READS, row -> new Reads(row.getLong("rows"), row.getLong("entries")));
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
    if (store != null) {
      store.close();
    }
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot close a connection", e);
    }
    PostgresServer own = place.own();
    if (own != null) {
      own.drop(place.name());
    }
  }
}
