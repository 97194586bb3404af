package dev.waymark.postgres.internal.sql;

import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.StoreException.Kind;
import dev.waymark.engine.store.sql.SchemaScripts;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;

/**
 * Brings the schema up to date, forward only. It has a place and a history table of its own, so
 * that it never meets the application's migrations; Flyway lets one node migrate at a time.
 */
public final class SchemaMigration {

  private static final String FOLDER = "waymark/db/postgres";

  /** All scripts of the folder. One that is missing here would not run on an existing schema. */
  static final List<String> NAMES = List.of("V1__schema.sql");

  private static final SchemaScripts SCRIPTS =
      SchemaScripts.of(SchemaMigration.class, FOLDER, NAMES);
  private static final String HISTORY = "wm_schema_history";
  private static final String FORBIDDEN = "42501";

  private static final String RIGHTS =
      """
      select not exists (
               select 1
                 from pg_class c
                 join pg_namespace n on n.oid = c.relnamespace
                where n.nspname = current_schema()
                  and c.relname = 'wm_schema_history') as missing,
             coalesce(has_schema_privilege(current_schema(), 'create'), true) as allowed,
             current_schema() as place,
             current_user as who
      """;

  /**
   * Before there is a history table, Flyway has nothing to lock: of two nodes that both make it,
   * one fails, and finds it made when it tries again.
   */
  private static final int ATTEMPTS = 3;

  private SchemaMigration() {}

  public static void run(DataSource source) {
    if (!isApplied(source)) {
      migrate(source);
    }
  }

  private static void migrate(DataSource source) {
    Flyway flyway =
        Flyway.configure(SchemaMigration.class.getClassLoader())
            .dataSource(source)
            .locations("classpath:" + FOLDER)
            .table(HISTORY)
            .baselineOnMigrate(true)
            .baselineVersion("0")
            .load();
    for (int attempt = 1; ; attempt++) {
      try {
        refuseNewer(flyway);
        var unused = flyway.migrate();
        return;
      } catch (FlywayException fault) {
        if (attempt == ATTEMPTS || isForbidden(fault)) {
          throw new StoreException(
              kind(fault), "The schema could not be migrated: " + fault.getMessage(), fault);
        }
      }
    }
  }

  private static boolean isApplied(DataSource source) {
    try (Connection connection = source.getConnection()) {
      return hasHistory(connection) && SCRIPTS.areApplied(connection);
    } catch (SQLException fault) {
      throw PostgresFault.unsent("Looking at the schema", fault);
    }
  }

  /** Flyway tries for nine seconds to make its table, whatever the reason that it cannot. */
  private static boolean hasHistory(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rights = statement.executeQuery(RIGHTS)) {
      boolean missing = rights.next() && rights.getBoolean("missing");
      if (missing && !rights.getBoolean("allowed")) {
        throw new StoreException(
            Kind.PERMANENT,
            "The schema could not be migrated: expected a user who may create tables in schema '%s',"
                    .formatted(rights.getString("place"))
                + " but '%s' may not. Let a user who may call migrate() once, or grant create"
                    .formatted(rights.getString("who")),
            new SQLException("permission denied", FORBIDDEN));
      }
      return !missing;
    }
  }

  private static boolean isForbidden(FlywayException fault) {
    for (Throwable cause = fault.getCause(); cause != null; cause = cause.getCause()) {
      if (PostgresFault.is(FORBIDDEN, cause)) {
        return true;
      }
    }
    return false;
  }

  /** A migration that was cut off is taken up again, so a lost connection only means: later. */
  private static Kind kind(FlywayException fault) {
    for (Throwable cause = fault.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql && PostgresFault.kind(sql) != Kind.PERMANENT) {
        return Kind.TRANSIENT;
      }
    }
    return Kind.PERMANENT;
  }

  /** An older program must not write where a newer one has changed the meaning of tables. */
  private static void refuseNewer(Flyway flyway) {
    Arrays.stream(flyway.info().all())
        .filter(migration -> migration.getState().isApplied() && !migration.getState().isResolved())
        .filter(migration -> migration.getVersion() != null)
        .map(MigrationInfo::getVersion)
        .max(Comparator.naturalOrder())
        .ifPresent(
            version -> {
              throw new FlywayException(
                  "Expected a schema that this version of Waymark knows, but the database is at"
                      + " schema version "
                      + version
                      + ": run the newer Waymark that migrated it");
            });
  }
}
