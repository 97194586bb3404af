package dev.waymark.proof.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.Load;
import dev.waymark.engine.store.StoreException;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.testkit.VirtualClock;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A pool of the application: its settings are not ours to change. */
class ForeignPoolTest {

  private final VirtualClock clock = new VirtualClock();
  private final Units units = new Units(clock.instant());
  private final NodeId node = new NodeId(UUID.randomUUID());
  private final InstanceId id = Units.newId();
  private final Database database = Database.withSchema();

  @Test
  void commits_and_loads_work_and_leave_its_settings_as_they_were() throws SQLException {
    try (Connection only = database.connect()) {
      PostgresStore store = PostgresStore.on(lending(only), options());
      var unused = store.nodes().register(node, "test", Duration.ofHours(1));

      for (int i = 0; i < 8; i++) {
        assertThat(store.commit(node, List.of(units.start(Units.newId()))))
            .extracting(CommitResult::outcome)
            .containsExactly(Outcome.COMMITTED);
      }
      assertThat(store.commit(node, List.of(units.start(id), units.step(Units.newId(), 3))))
          .extracting(CommitResult::outcome)
          .containsExactly(Outcome.COMMITTED, Outcome.STALE);
      assertThat(store.load(List.of(Load.of(id))).get(0).bookmarks()).hasSize(2);
      assertThat(store.checkPlans()).isEmpty();

      assertThat(setting(only, "enable_seqscan")).isEqualTo("on");
      assertThat(setting(only, "plan_cache_mode")).isEqualTo("auto");
      assertThat(setting(only, "lock_timeout")).isEqualTo("0");
    }
  }

  @Test
  @Timeout(60)
  void a_key_that_an_application_holds_stops_nobody_but_who_wants_it() throws SQLException {
    try (Connection only = database.connect();
        Connection holder = database.connect()) {
      PostgresStore store = PostgresStore.on(lending(only), PostgresOptions.DEFAULTS);
      var unused = store.nodes().register(node, "test", Duration.ofHours(1));
      // The driver sends statements in other messages once the server has prepared them.
      for (int i = 0; i < 20; i++) {
        assertThat(outcome(store, Units.newId())).isEqualTo(Outcome.COMMITTED);
        assertThat(store.load(List.of(Load.of(id))).get(0).bookmarks()).isEmpty();
      }
      holder.setAutoCommit(false);
      insertInstance(holder, id);

      assertThat(outcome(store, id)).isEqualTo(Outcome.BUSY);
      assertThat(outcome(store, Units.newId())).isEqualTo(Outcome.COMMITTED);

      holder.rollback();
      assertThat(outcome(store, id)).isEqualTo(Outcome.COMMITTED);
      assertThat(setting(only, "lock_timeout")).isEqualTo("0");
    }
  }

  @Test
  @Timeout(60)
  void a_worker_does_not_wait_for_ever_for_what_an_application_holds() throws SQLException {
    try (Connection only = database.connect();
        Connection holder = database.connect()) {
      PostgresStore store = PostgresStore.on(lending(only), options());
      var unused = store.nodes().register(node, "test", Duration.ofHours(1));
      holder.setAutoCommit(false);
      execute(holder, "update wm_node set name = name where id = '%s'".formatted(node.value()));

      assertThatExceptionOfType(StoreException.class)
          .isThrownBy(() -> store.nodes().renew(node, Duration.ofHours(1)))
          .extracting(StoreException::kind)
          .isEqualTo(StoreException.Kind.TRANSIENT);

      holder.rollback();
      assertThat(store.nodes().renew(node, Duration.ofHours(1))).isNotNull();
    }
  }

  @Test
  void a_pool_that_throws_what_is_no_sql_exception_has_no_connection_now() throws SQLException {
    AtomicBoolean well = new AtomicBoolean(true);
    try (Connection only = database.connect()) {
      DataSource moody =
          (DataSource)
              Proxy.newProxyInstance(
                  ForeignPoolTest.class.getClassLoader(),
                  new Class<?>[] {DataSource.class},
                  (self, method, arguments) -> {
                    if (!well.get()) {
                      throw new IllegalStateException("The pool is not well");
                    }
                    return proxy(Connection.class, only, "close");
                  });
      PostgresStore store = PostgresStore.on(moody, options());
      var unused = store.nodes().register(node, "test", Duration.ofHours(1));
      well.set(false);

      assertThatExceptionOfType(StoreException.class)
          .isThrownBy(() -> store.commit(node, List.of(units.start(id))))
          .withMessageContaining("got no connection: The pool is not well")
          .extracting(StoreException::kind)
          .isEqualTo(StoreException.Kind.TRANSIENT);
      assertThatExceptionOfType(StoreException.class)
          .isThrownBy(() -> store.nodes().renew(node, Duration.ofHours(1)))
          .extracting(StoreException::kind)
          .isEqualTo(StoreException.Kind.TRANSIENT);
    }
  }

  private Outcome outcome(PostgresStore store, InstanceId start) {
    return store.commit(node, List.of(units.start(start))).get(0).outcome();
  }

  private static void insertInstance(Connection connection, InstanceId id) throws SQLException {
    execute(
        connection,
        "insert into wm_instance (id, tenant, definition_id, version, status, visits, variables,"
            + " created, updated) values ('%s', 't', 1, 1, 0, 0, '{}', now(), now())"
                .formatted(id));
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void a_pool_that_does_not_autocommit_will_do() throws SQLException {
    try (Connection only = database.connect()) {
      only.setAutoCommit(false);
      PostgresStore store = PostgresStore.on(lending(only), options());
      var unused = store.nodes().register(node, "test", Duration.ofHours(1));

      assertThat(store.commit(node, List.of(units.start(id))))
          .extracting(CommitResult::outcome)
          .containsExactly(Outcome.COMMITTED);
    }
  }

  @Test
  void the_simple_protocol_is_refused() throws SQLException {
    Database simple = new Database(database.url() + "&preferQueryMode=simple");

    try (Connection only = simple.connect()) {
      assertThatExceptionOfType(IllegalArgumentException.class)
          .isThrownBy(() -> PostgresStore.on(lending(only), options()))
          .withMessageContaining("preferQueryMode=simple");
    }
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> simple.open(clock))
        .withMessageContaining("preferQueryMode=simple");
  }

  private PostgresOptions options() {
    return Database.options(clock);
  }

  private static String setting(Connection connection, String name) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("show " + name)) {
      assertThat(row.next()).isTrue();
      return row.getString(1);
    }
  }

  /** A pool of one connection, which it lends again and again. */
  private static DataSource lending(Connection connection) {
    Connection lent = proxy(Connection.class, connection, "close");
    return (DataSource)
        Proxy.newProxyInstance(
            ForeignPoolTest.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (self, method, arguments) -> lent);
  }

  private static <T> T proxy(Class<T> type, T target, String ignored) {
    return type.cast(
        Proxy.newProxyInstance(
            ForeignPoolTest.class.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) ->
                method.getName().equals(ignored) ? null : method.invoke(target, arguments)));
  }
}
