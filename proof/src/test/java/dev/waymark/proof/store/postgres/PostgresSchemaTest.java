package dev.waymark.proof.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waymark.engine.query.Period;
import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.StoredInstances.Filter;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.support.Soon;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The schema, and the plans that stand on it. */
class PostgresSchemaTest {

  private static final String CHECKED_AT_EPOCH =
      "select count(*) from wm_plan_check where checked = 'epoch'";

  @Test
  void several_nodes_may_migrate_at_once() throws Exception {
    Database database = Database.empty();
    CyclicBarrier start = new CyclicBarrier(4);

    List<Future<?>> nodes = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < 4; i++) {
        nodes.add(
            threads.submit(
                () -> {
                  try (PostgresStore store = open(database)) {
                    start.await(30, TimeUnit.SECONDS);
                    store.migrate();
                  }
                  return true;
                }));
      }
      for (Future<?> node : nodes) {
        node.get(60, TimeUnit.SECONDS);
      }
    }

    assertThat(number(database, "select count(*) from wm_schema_history where version = '1'"))
        .isEqualTo(1);
    assertThat(number(database, "select count(*) from wm_lane")).isEqualTo(64);
  }

  @Test
  @Timeout(20)
  void a_user_who_may_not_create_tables_is_told_so_at_once() throws SQLException {
    Database database = Database.empty();
    String role = "guest_" + database.url().replaceFirst(".*/(\\w+).*", "$1");
    execute(database, "revoke create on schema public from public");
    execute(database, "create role " + role + " login password 'guest'");

    try (PostgresStore store =
        PostgresStore.open(
            database.url().replaceFirst("user=\\w+&?", "").replaceFirst("password=\\w+&?", ""),
            role,
            "guest",
            Database.options(InstantSource.system()))) {
      assertThatExceptionOfType(StoreException.class)
          .isThrownBy(store::migrate)
          .withMessageContaining("'" + role + "' may not. Let a user who may call migrate() once");
    }
  }

  @Test
  void a_database_that_cannot_be_reached_is_told_with_a_hint() {
    String there = Database.empty().url();
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> open(new Database(there.replaceFirst("/waymark_\\w+", "/nowhere"))))
        .withMessageContaining("Create the database first");
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> open(new Database("jdbc:postgresql://localhost:1/waymark")))
        .withMessageStartingWith("Expected to connect to jdbc:postgresql://localhost:1/waymark as")
        .withMessageEndingWith("Is the server running, and can it be reached?");
  }

  @Test
  void it_moves_in_beside_tables_of_the_application() throws SQLException {
    Database database = Database.empty();
    execute(database, "create table customer (id int)");

    try (PostgresStore store = open(database)) {
      store.migrate();
      store.migrate();
    }

    assertThat(number(database, "select count(*) from wm_instance")).isZero();
  }

  @Test
  void a_schema_from_the_future_is_refused() throws SQLException {
    Database database = Database.withSchema();
    execute(
        database,
        "insert into wm_schema_history select 99, '99', 'later', 'SQL', 'V99__later.sql', 1,"
            + " 'somebody', now(), 1, true");

    try (PostgresStore store = open(database)) {
      assertThatExceptionOfType(StoreException.class)
          .isThrownBy(store::migrate)
          .withMessageContaining("schema version 99")
          .extracting(StoreException::kind)
          .isEqualTo(StoreException.Kind.PERMANENT);
    }
  }

  @Test
  void every_hot_statement_has_its_index() {
    try (PostgresStore store = open(Database.withSchema())) {
      assertThat(store.checkPlans()).isEmpty();
      assertThat(store.checkPlans()).isEmpty();
    }
  }

  @Test
  void no_hot_statement_reads_more_than_it_must_of_tables_that_have_grown() throws SQLException {
    Database database = Database.withSchema();
    execute(
        database,
        "insert into wm_bookmark (instance_id, tag, tenant, visit, kind, key, state, fence, due,"
            + " holder, lease_until, created) select gen_random_uuid(), 1, 't' || n % 5, 1, n % 5,"
            + " 'key-' || n % 1000, 0, 0, case n % 5 when 1 then now() end,"
            + " case n % 50 when 3 then 'me' end, case n % 50 when 3 then now() end, now()"
            + " from generate_series(1, 20000) n");
    execute(
        database,
        "insert into wm_activity_instance (instance_id, visit, activity, parent, state, attempt,"
            + " failures, crashes, due, entered) select gen_random_uuid(), 1, 'a', 0,"
            + " case n % 100 when 0 then 0 else 2 end, 1, 0, 0,"
            + " case n % 100 when 0 then now() end, now() from generate_series(1, 20000) n");
    execute(database, "analyze wm_bookmark");
    execute(database, "analyze wm_activity_instance");

    try (PostgresStore store = open(database)) {
      assertThat(store.checkPlans()).isEmpty();
    }
  }

  @Test
  void waits_are_found_by_key_without_walking_over_all_that_are_open() throws SQLException {
    Database database = Database.withSchema();
    execute(
        database,
        "insert into wm_bookmark (instance_id, tag, tenant, visit, kind, key, state, fence,"
            + " created) select gen_random_uuid(), 1, 't', 1, 0, 'key-' || n % 1000, 0, 0, now()"
            + " from generate_series(1, 20000) n");
    execute(database, "analyze wm_bookmark");

    try (PostgresStore store = open(database)) {
      assertThat(store.checkPlans()).noneMatch(doubt -> doubt.contains("'waits by key'"));
    }
  }

  @Test
  void a_list_of_an_hour_long_ago_does_not_read_what_began_since() throws Exception {
    Database database = Database.withSchema();
    execute(
        database,
        "insert into wm_instance (id, tenant, definition_id, version, status, visits, variables,"
            + " created, updated) select gen_random_uuid(), 't' || n % 5, 1, 1, 2, 1, '{}',"
            + " timestamptz '2026-01-01 00:00Z' + n * interval '1 minute', now()"
            + " from generate_series(1, 60000) n");
    execute(database, "vacuum analyze wm_instance");
    Instant from = Instant.parse("2026-01-05T12:00:00Z");

    try (PostgresStore store = open(database)) {
      assertThat(store.instances().list(begun(from, from.plus(1, ChronoUnit.HOURS)))).hasSize(12);
    }

    // A connection tells what it read when it closes, which the server does in its own time.
    Soon.until(
        Duration.ofSeconds(20),
        () ->
            number(
                database,
                "select idx_scan from pg_stat_user_indexes"
                    + " where indexrelname = 'wm_instance_begun'"),
        looks -> looks == 1);
    assertThat(
            number(
                database,
                "select idx_tup_fetch from pg_stat_user_tables where relname = 'wm_instance'"))
        .as("rows that the list looked at")
        .isBetween(12L, 6_000L);
  }

  @Test
  void a_missing_index_is_told_with_the_statement_that_needs_it() throws SQLException {
    Database database = Database.withSchema();
    execute(database, "alter table wm_command drop constraint wm_command_pkey");

    try (PostgresStore store = open(database)) {
      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(store::checkPlans)
          .withMessageContaining("'commit START'")
          .withMessageContaining("wm_command");
    }
  }

  @Test
  void plans_that_were_found_good_are_looked_at_again_once_an_index_has_changed()
      throws SQLException {
    Database database = Database.withSchema();
    try (PostgresStore first = open(database);
        PostgresStore second = open(database)) {
      assertThat(first.checkPlans()).isEmpty();
      execute(database, "update wm_plan_check set checked = 'epoch'");
      assertThat(second.checkPlans()).isEmpty();
      assertThat(number(database, CHECKED_AT_EPOCH)).as("not looked at again").isEqualTo(1);

      execute(database, "create index wm_label_by_value on wm_label (value)");
      assertThat(second.checkPlans()).isEmpty();
      assertThat(number(database, CHECKED_AT_EPOCH)).isEqualTo(0);

      execute(database, "alter table wm_command drop constraint wm_command_pkey");
      assertThatExceptionOfType(IllegalStateException.class).isThrownBy(first::checkPlans);
      assertThatExceptionOfType(IllegalStateException.class).isThrownBy(second::checkPlans);
      assertThat(number(database, "select count(*) from wm_plan_check")).isEqualTo(1);
    }
  }

  @Test
  void a_schema_further_down_the_search_path_is_another_one() throws SQLException {
    Database database = Database.withSchema();
    execute(database, "create schema \"My app\"");
    String role = database.url().replaceFirst(".*/(\\w+).*", "$1");
    execute(database, "alter database " + role + " set search_path = \"My app\", public");

    try (PostgresStore store = open(database)) {
      store.migrate();
      assertThat(store.checkPlans()).isEmpty();
      assertThat(number(database, "select count(*) from \"My app\".wm_lane")).isEqualTo(64);
      assertThat(number(database, "select count(*) from public.wm_plan_check")).isZero();

      execute(database, "alter table wm_command drop constraint wm_command_pkey");
      assertThatExceptionOfType(IllegalStateException.class).isThrownBy(store::checkPlans);
    }
  }

  @Test
  void plans_are_looked_at_by_a_user_who_may_not_remember_them() throws SQLException {
    Database database = Database.withSchema();
    execute(database, "drop table wm_plan_check");

    try (PostgresStore store = open(database)) {
      assertThat(store.checkPlans()).isEmpty();
      execute(database, "alter table wm_command drop constraint wm_command_pkey");
      assertThatExceptionOfType(IllegalStateException.class).isThrownBy(store::checkPlans);
    }
  }

  @Test
  void an_index_that_would_be_read_from_end_to_end_is_told_too() throws SQLException {
    Database database = Database.withSchema();
    execute(
        database,
        "drop index wm_bookmark_timer; create index wm_timer_at on wm_bookmark (state, tag)"
            + " where state = 0 and kind = 1");

    try (PostgresStore store = open(database)) {
      assertThat(store.checkPlans()).as("of a table that may well stay small").isEmpty();
      execute(database, "update pg_class set reltuples = 10000 where relname = 'wm_bookmark'");
      assertThat(store.checkPlans())
          .contains(
              "Expected a condition on every index in 'due timers',"
                  + " but it reads wm_timer_at from end to end:"
                  + " is the table analysed (analyze wm_bookmark)?");
    }
  }

  private static Filter begun(Instant from, Instant to) {
    return new Filter("t1", null, null, null, null, Map.of(), null, new Period(from, to), null, 50);
  }

  private static PostgresStore open(Database database) {
    return database.open(InstantSource.system());
  }

  private static void execute(Database database, String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static long number(Database database, String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      assertThat(row.next()).isTrue();
      return row.getLong(1);
    }
  }
}
