package dev.waymark.engine.store.sqlite;

import dev.waymark.engine.store.Definitions;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Definitions on SQLite. */
final class SqliteDefinitions implements Definitions {

  // The same text again changes nothing, whoever else deploys it.
  private static final String DEPLOY =
      """
      insert into wm_definition (tenant, key, version, fingerprint, source, created_by, created)
      select :tenant, :key, coalesce(max(version), 0) + 1, :fingerprint, :source, :by, :now
        from wm_definition
       where tenant = :tenant
         and key = :key
      on conflict (tenant, key, fingerprint) do nothing
      """;

  private static final String BY_FINGERPRINT =
      """
      select id, tenant, key, version, source, created_by, created
        from wm_definition
       where tenant = :tenant and key = :key and fingerprint = :fingerprint
      """;

  private static final String BY_ID =
      """
      select id, tenant, key, version, source, created_by, created
        from wm_definition
       where id = :id
      """;

  private static final String BY_VERSION =
      """
      select id, tenant, key, version, source, created_by, created
        from wm_definition
       where tenant = :tenant and key = :key and version = :version
      """;

  private static final String NEWEST =
      """
      select id, tenant, key, version, source, created_by, created
        from wm_definition
       where tenant = :tenant and key = :key
       order by version desc
       limit 1
      """;

  private static final String LIST =
      """
      select d.id, d.tenant, d.key, d.version, d.source, d.created_by, d.created
        from wm_definition d
       where d.tenant = :tenant
         and d.key > :after
         and not exists (select 1 from wm_definition newer
                          where newer.tenant = d.tenant
                            and newer.key = d.key
                            and newer.version > d.version)
       order by d.key
       limit :limit
      """;

  private final Database database;

  SqliteDefinitions(Database database) {
    this.database = database;
  }

  @Override
  public DefinitionRow deploy(
      String tenant, String key, String fingerprint, String source, String by) {
    return database.write(
        session -> {
          session
              .query(DEPLOY)
              .set("tenant", tenant)
              .set("key", key)
              .set("fingerprint", fingerprint)
              .set("source", source)
              .set("by", by)
              .set("now", database.now())
              .update();
          return session
              .query(BY_FINGERPRINT)
              .set("tenant", tenant)
              .set("key", key)
              .set("fingerprint", fingerprint)
              .list(SqliteDefinitions::definition)
              .getFirst();
        });
  }

  @Override
  public @Nullable DefinitionRow byId(long id) {
    return database.find(
        session -> session.query(BY_ID).set("id", id).first(SqliteDefinitions::definition));
  }

  @Override
  public @Nullable DefinitionRow find(String tenant, String key, @Nullable Integer version) {
    return database.find(
        session -> {
          Query query = session.query(version == null ? NEWEST : BY_VERSION);
          query.set("tenant", tenant).set("key", key);
          if (version != null) {
            query.set("version", version);
          }
          return query.first(SqliteDefinitions::definition);
        });
  }

  /** The newest version of each key, in the order of the keys. */
  @Override
  public List<DefinitionRow> list(String tenant, @Nullable String afterKey, int limit) {
    return database.read(
        session ->
            session
                .query(LIST)
                .set("tenant", tenant)
                .set("after", afterKey == null ? "" : afterKey)
                .set("limit", limit)
                .list(SqliteDefinitions::definition));
  }

  private static DefinitionRow definition(Row row) throws SQLException {
    return new DefinitionRow(
        row.number("id"),
        row.text("tenant"),
        row.text("key"),
        row.smallNumber("version"),
        row.text("source"),
        row.text("created_by"),
        row.instant("created"));
  }
}
