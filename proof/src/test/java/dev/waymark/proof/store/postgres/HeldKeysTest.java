package dev.waymark.proof.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import dev.waymark.tck.Rows;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Business keys that an application's transaction takes and holds open. */
final class HeldKeysTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final int KEYS = 60;

  /** Each held key had cost the batch a wait of a quarter of a second. */
  @Test
  @Timeout(12)
  void held_keys_delay_only_the_starts_that_want_them() throws SQLException {
    Database database = Database.withSchema();
    NodeId node = Rows.newNode();
    try (PostgresStore store =
            PostgresStore.open(
                database.url(),
                PostgresServer.USER,
                PostgresServer.PASSWORD,
                PostgresOptions.DEFAULTS);
        Connection application = database.connect()) {
      var unused = store.nodes().register(node, "test", Duration.ofHours(1));
      application.setAutoCommit(false);
      List<UnitRows> rivals = new ArrayList<>();
      for (int key = 0; key < KEYS; key++) {
        assertThat(store.commitOn(application, node, start("held-" + key)))
            .isEqualTo(CommitResult.COMMITTED);
        rivals.add(start("held-" + key));
      }
      List<UnitRows> batch = new ArrayList<>(rivals);
      batch.add(start("free"));

      List<Outcome> outcomes =
          store.commit(node, batch).stream().map(CommitResult::outcome).toList();

      assertThat(outcomes.subList(0, KEYS)).containsOnly(Outcome.BUSY);
      assertThat(outcomes.get(KEYS)).isEqualTo(Outcome.COMMITTED);
      application.commit();
      assertThat(store.commit(node, rivals))
          .extracting(CommitResult::outcome)
          .containsOnly(Outcome.EXISTS);
    }
  }

  private static UnitRows start(String key) {
    return Rows.start(Rows.newId(), NOW).businessKey(key).build();
  }
}
