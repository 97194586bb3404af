package dev.waymark.proof.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.sql.SchemaScripts;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.VirtualClock;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A node that opens an existing schema sees by one question that Flyway has nothing to do. */
final class SchemaScriptsTest {

  private final VirtualClock clock = new VirtualClock();

  private Store migrated(Stores stores) {
    Store store = stores.create().open(clock);
    store.migrate();
    return store;
  }

  private static boolean areApplied(Store store, Stores stores) {
    SchemaScripts scripts =
        SchemaScripts.of(
            store.getClass(),
            "waymark/db/" + stores.name().toLowerCase(java.util.Locale.ROOT),
            List.of("V1__schema.sql"));
    return store.inTransaction(scripts::areApplied);
  }

  private static void execute(Store store, String sql) {
    int rows =
        store.inTransaction(
            connection -> {
              try (Statement statement = connection.createStatement()) {
                return statement.executeUpdate(sql);
              }
            });
    assertThat(rows).isOne();
  }

  @ParameterizedTest
  @EnumSource
  void a_schema_that_was_made_by_these_scripts_is_recognised(Stores stores) {
    try (Store store = migrated(stores)) {
      assertThat(areApplied(store, stores)).isTrue();
      store.migrate();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "POSTGRES, update wm_schema_history set checksum = 7 where version = `1`",
    "SQLITE, update wm_schema_history set checksum = 7 where version = `1`",
    "POSTGRES, update wm_schema_history set success = false where version = `1`",
    "SQLITE, update wm_schema_history set success = false where version = `1`",
    "POSTGRES, update wm_schema_history set version = null where version = `1`",
    "SQLITE, update wm_schema_history set version = null where version = `1`",
    "POSTGRES, update wm_schema_history set type = `JDBC` where version = `1`",
    "SQLITE, update wm_schema_history set type = `JDBC` where version = `1`",
    "POSTGRES, update wm_schema_history set version = `2` where version = `1`",
    "SQLITE, update wm_schema_history set version = `2` where version = `1`"
  })
  void any_other_schema_is_left_to_flyway(Stores stores, String change) {
    try (Store store = migrated(stores)) {
      execute(store, change.replace("`", "'"));
      assertThat(areApplied(store, stores)).isFalse();
    }
  }
}
