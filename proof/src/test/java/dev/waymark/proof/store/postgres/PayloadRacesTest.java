package dev.waymark.proof.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.StoredPayloads;
import dev.waymark.engine.store.StoredPayloads.Finished;
import dev.waymark.engine.store.StoredPayloads.Look;
import dev.waymark.engine.store.StoredPayloads.Part;
import dev.waymark.engine.store.StoredPayloads.PayloadRow;
import dev.waymark.proof.support.Soon;
import dev.waymark.tck.Rows;
import dev.waymark.testkit.VirtualClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The housekeeping beside those who put payloads and name them. On SQLite there is one writer. */
class PayloadRacesTest {

  private static final String HASH = "a".repeat(64);
  private static final Duration HOUR = Duration.ofHours(1);

  private final VirtualClock clock = new VirtualClock();
  private final Database database = Database.withSchema();
  private final Instant now = clock.instant();

  @Test
  void a_payload_that_a_request_is_just_naming_is_passed_over() {
    try (Store store = database.open(clock)) {
      given(store);

      Look look =
          store.inTransaction(
              connection -> {
                assertThat(
                        store
                            .payloads()
                            .keepOn(connection, Rows.TENANT, List.of(HASH), now.plus(HOUR)))
                    .hasSize(1);
                return removed(store);
              });

      assertThat(look).isEqualTo(new Look(0, 0));
      assertThat(removed(store)).isEqualTo(new Look(0, 0));
      assertThat(store.payloads().find(Rows.TENANT, HASH)).isNotNull();
    }
  }

  @Test
  @Timeout(60)
  void a_request_that_comes_while_a_payload_is_removed_is_told_that_it_is_gone() throws Exception {
    try (Store store = database.open(clock);
        Connection other = database.connect();
        Statement statement = other.createStatement()) {
      given(store);
      other.setAutoCommit(false);
      statement.execute("delete from wm_payload");

      CompletableFuture<List<PayloadRow>> kept =
          CompletableFuture.supplyAsync(
              () -> store.payloads().keep(Rows.TENANT, List.of(HASH), now.plus(HOUR)));
      Soon.until(Duration.ofSeconds(30), () -> isWaiting(other), waiting -> waiting);
      other.commit();

      assertThat(kept.get(30, TimeUnit.SECONDS)).isEmpty();
    }
  }

  @Test
  @Timeout(60)
  void a_content_that_is_put_again_while_it_is_removed_is_stored_anew() throws Exception {
    try (Store store = database.open(clock);
        Connection other = database.connect();
        Statement statement = other.createStatement()) {
      given(store);
      UUID again = upload(store);
      other.setAutoCommit(false);
      statement.execute("delete from wm_payload");

      CompletableFuture<Finished> finished =
          CompletableFuture.supplyAsync(() -> store.payloads().finish(again, row()));
      Soon.until(Duration.ofSeconds(30), () -> isWaiting(other), waiting -> waiting);
      other.commit();

      assertThat(finished.get(30, TimeUnit.SECONDS)).isEqualTo(new Finished(row(), true));
      assertThat(store.payloads().part(Rows.TENANT, HASH, 0)).hasSize(1);
    }
  }

  @Test
  void no_statement_reads_a_large_table_from_end_to_end() throws Exception {
    try (Store store = database.open(clock);
        Connection other = database.connect();
        Statement statement = other.createStatement()) {
      statement.execute(
          """
          insert into wm_payload (tenant, hash, size, media_type, parts, upload, kept_until)
          select 't', lpad(n::text, 64, '0'), 1, 'a/b', 1, gen_random_uuid(),
                 timestamptz '2030-01-01' + n * interval '1 second'
            from generate_series(1, 20000) n
          """);
      statement.execute(
          """
          insert into wm_payload_part (upload, part, content)
          select upload, 0, '\\x00'::bytea from wm_payload
          """);
      statement.execute(
          """
          insert into wm_payload_use (instance_id, tenant, hash)
          select gen_random_uuid(), tenant, hash from wm_payload
          """);
      statement.execute(
          """
          insert into wm_payload_upload (id, tenant, until)
          select gen_random_uuid(), tenant, kept_until from wm_payload
          """);
      statement.execute("analyze wm_payload, wm_payload_part, wm_payload_use, wm_payload_upload");

      assertThat(store.checkPlans()).isEmpty();
    }
  }

  private static boolean isWaiting(Connection connection) {
    try (Statement statement = connection.createStatement();
        var rows = statement.executeQuery("select 1 from pg_locks where not granted")) {
      return rows.next();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private Look removed(Store store) {
    return store.payloads().removeUnused(now.plusMillis(1), now.plus(HOUR), 10);
  }

  private PayloadRow row() {
    return new PayloadRow(Rows.TENANT, HASH, 1, "text/plain", 1, now);
  }

  private void given(Store store) {
    assertThat(store.payloads().finish(upload(store), row())).isNotNull();
  }

  private UUID upload(Store store) {
    StoredPayloads payloads = store.payloads();
    UUID upload = Rows.newId().value();
    assertThat(payloads.write(new Part(upload, Rows.TENANT, 0), new byte[1], now.plus(HOUR)))
        .isTrue();
    return upload;
  }
}
