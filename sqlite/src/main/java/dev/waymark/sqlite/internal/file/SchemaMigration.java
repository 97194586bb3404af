package dev.waymark.sqlite.internal.file;

import java.util.Arrays;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/** Brings the schema up to date, forward only. */
final class SchemaMigration {

  private static final FluentConfiguration SETTINGS =
      Flyway.configure(SchemaMigration.class.getClassLoader())
          .locations("classpath:waymark/db/sqlite")
          .table("wm_schema_history")
          .cleanDisabled(true)
          .communityDBSupportEnabled(false);

  private SchemaMigration() {}

  public static boolean run(Session session) {
    Flyway flyway =
        new FluentConfiguration(SchemaMigration.class.getClassLoader())
            .configuration(SETTINGS)
            .dataSource(new SharedConnection(session.connection()))
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
    return true;
  }
}
