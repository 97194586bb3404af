package dev.waymark.sqlite.internal.file;

import dev.waymark.engine.store.sql.SchemaScripts;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;

/** Brings the schema up to date, forward only. */
final class SchemaMigration {

  private static final String FOLDER = "waymark/db/sqlite";

  /** All scripts of the folder. One that is missing here would not run on an existing schema. */
  static final List<String> NAMES = List.of("V1__schema.sql");

  private static final SchemaScripts SCRIPTS =
      SchemaScripts.of(SchemaMigration.class, FOLDER, NAMES);

  private static final String HISTORY =
      "select 1 from sqlite_master where type = 'table' and name = 'wm_schema_history'";

  private SchemaMigration() {}

  public static boolean run(Session session) throws SQLException {
    Connection connection = session.connection();
    if (!hasHistory(connection) || !SCRIPTS.areApplied(connection)) {
      migrate(connection);
    }
    return true;
  }

  private static boolean hasHistory(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(HISTORY)) {
      return row.next();
    }
  }

  private static void migrate(Connection connection) {
    Flyway flyway =
        Flyway.configure(SchemaMigration.class.getClassLoader())
            .locations("classpath:" + FOLDER)
            .table("wm_schema_history")
            .cleanDisabled(true)
            .communityDBSupportEnabled(false)
            .dataSource(new SharedConnection(connection))
            .load();
    MigrationInfo[] known = flyway.info().all();
    Arrays.stream(known)
        .filter(migration -> migration.getState() == MigrationState.FUTURE_SUCCESS)
        .findFirst()
        .ifPresent(
            newer -> {
              throw new IllegalStateException(
                  "Expected a schema that this version of Waymark knows, but the database is at"
                      + " version %s (%s): start a newer Waymark"
                          .formatted(newer.getVersion(), newer.getDescription()));
            });
    flyway.migrate();
  }
}
