package dev.waymark.proof.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.Load;
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
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

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
