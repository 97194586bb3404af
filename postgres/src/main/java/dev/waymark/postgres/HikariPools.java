package dev.waymark.postgres;

import static java.util.stream.Collectors.joining;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.StoreException.Kind;
import dev.waymark.engine.store.sql.StoreCall;
import dev.waymark.postgres.internal.sql.PlanCheck;
import dev.waymark.postgres.internal.sql.PlanSettings;
import dev.waymark.postgres.internal.sql.Pool;
import dev.waymark.postgres.internal.sql.Pools;
import dev.waymark.postgres.internal.sql.PostgresFault;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Four small pools of our own. The only class that needs HikariCP, which is optional. */
final class HikariPools {

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  /** Short, so that after a failover no pool lives on with the old primary. */
  private static final Duration MAX_LIFETIME = Duration.ofMinutes(10);

  private static final Pattern OPTIONS = Pattern.compile("[?&]options=");

  private final String url;
  private final String user;
  private final String password;
  private final PostgresOptions options;
  private final List<HikariDataSource> opened = new ArrayList<>();
  private final StoreCall calls = new StoreCall();

  private HikariPools(String url, String user, String password, PostgresOptions options) {
    this.url = url;
    this.user = user;
    this.password = password;
    this.options = options;
  }

  static Pools open(String url, String user, String password, PostgresOptions options) {
    HikariPools pools = new HikariPools(url, user, password, options);
    try {
      return pools.open();
    } catch (RuntimeException fault) {
      pools.close();
      throw fault.getCause() instanceof SQLException cause ? pools.unreachable(cause) : fault;
    }
  }

  /** The message of the pool is about its settings; the message of the driver tells the cause. */
  private StoreException unreachable(SQLException fault) {
    String address = url.replaceFirst("[?].*", "");
    return new StoreException(
        PostgresFault.kind(fault) == Kind.UNKNOWN_OUTCOME
            ? Kind.TRANSIENT
            : PostgresFault.kind(fault),
        "Expected to connect to %s as '%s', but could not: %s%s"
            .formatted(address, user, fault.getMessage(), hint(fault)),
        fault);
  }

  private static String hint(SQLException fault) {
    String state = fault.getSQLState() == null ? "" : fault.getSQLState();
    if (state.startsWith("28")) {
      return ". Check the user and the password, and pg_hba.conf on the server";
    }
    if (state.equals("3D000")) {
      return ". Create the database first: the engine makes its tables, not the database";
    }
    return state.startsWith("08") ? ". Is the server running, and can it be reached?" : "";
  }

  private Pools open() {
    // The URL wins over what we set beside it, so settings of its own would displace the pins.
    PlanSettings pins = hasOptions() ? PlanSettings.ON_STATEMENT : PlanSettings.ON_CONNECTION;
    HikariConfig committers = config("committer", options.committers(), options.socketTimeout());
    // Server-prepared from the first time: planning costs more than running.
    set(committers, "prepareThreshold", "1");
    set(committers, "options", settings(PlanSettings.SETTINGS));
    // Planned by its values each time, a load took 0.57 ms to plan and 0.08 to run.
    HikariConfig loads = config("load", options.workers(), options.socketTimeout());
    set(loads, "prepareThreshold", "1");
    set(loads, "options", settings(PlanSettings.SETTINGS));
    HikariConfig workers = config("worker", options.workers(), options.socketTimeout());
    set(workers, "options", settings(PlanSettings.FOR_WORKERS));
    HikariConfig bodies = config("body", options.bodies(), options.bodySocketTimeout());
    return new Pools(
        pool(committers),
        pool(loads),
        pool(workers),
        pool(bodies),
        pins,
        new PlanCheck(),
        this::close);
  }

  private boolean hasOptions() {
    return OPTIONS.matcher(url).find();
  }

  private HikariConfig config(String use, int connections, Duration socketTimeout) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(options.name() + "-" + use);
    config.setJdbcUrl(url);
    config.setUsername(user);
    config.setPassword(password);
    config.setMaximumPoolSize(connections);
    config.setConnectionTimeout(CONNECT_TIMEOUT.toMillis());
    config.setMaxLifetime(MAX_LIFETIME.toMillis());
    set(config, "connectTimeout", CONNECT_TIMEOUT.toSeconds() + "");
    set(config, "socketTimeout", socketTimeout.toSeconds() + "");
    set(config, "tcpKeepAlive", "true");
    set(config, "targetServerType", "primary");
    set(config, "ApplicationName", options.name() + " " + use);
    return config;
  }

  private static void set(HikariConfig config, String property, String value) {
    config.addDataSourceProperty(property, value);
  }

  private static String settings(Map<String, String> settings) {
    return settings.entrySet().stream()
        .map(setting -> "-c " + setting.getKey() + "=" + setting.getValue())
        .collect(joining(" "));
  }

  private Pool pool(HikariConfig config) {
    HikariDataSource source = new HikariDataSource(config);
    opened.add(source);
    return new Pool(source, calls);
  }

  private void close() {
    opened.forEach(HikariDataSource::close);
    calls.close();
  }
}
