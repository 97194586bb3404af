package dev.waymark.engine.store.postgres;

import dev.waymark.engine.store.Definitions;
import dev.waymark.engine.store.StoreException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

final class PostgresDefinitions implements Definitions {

  /** How often a deployment may lose to others of its key before it gives up. */
  private static final int RACES = 50;

  // Two nodes at once: the second insert violates a unique key, and its next try finds the same
  // text
  // or the next version.
  private static final String DEPLOY =
      """
      with
      known as (
        select id, tenant, key, version, source, created_by, created
          from wm_definition
         where tenant = :tenant
           and key = :key
           and fingerprint = :fingerprint
      ),
      deployed as (
        insert into wm_definition (tenant, key, version, fingerprint, source, created_by, created)
        select :tenant, :key, newest.version + 1, :fingerprint, :source, :by,
               coalesce(cast(:now as timestamptz), statement_timestamp())
          from (
            select coalesce(max(version), 0) as version
              from wm_definition
             where tenant = :tenant
               and key = :key
          ) newest
         where not exists (select 1 from known)
        returning id, tenant, key, version, source, created_by, created
      )
      select * from known
      union all
      select * from deployed
      """;

  private static final String BY_ID =
      """
      select id, tenant, key, version, source, created_by, created
        from wm_definition
       where id = :id
      """;

  private static final String FIND =
      """
      select id, tenant, key, version, source, created_by, created
        from wm_definition
       where tenant = :tenant
         and key = :key
         and version = coalesce(cast(:version as int), version)
       order by version desc
       limit 1
      """;

  private static final String LIST =
      """
      select distinct on (key) id, tenant, key, version, source, created_by, created
        from wm_definition
       where tenant = :tenant
         and key > coalesce(cast(:after as text), '')
       order by key, version desc
       limit :limit
      """;

  private final Db db;

  PostgresDefinitions(Db db) {
    this.db = db;
  }

  @Override
  public DefinitionRow deploy(
      String tenant, String key, String fingerprint, String source, String by) {
    for (int race = 1; ; race++) {
      try {
        return tryDeploy(tenant, key, fingerprint, source, by);
      } catch (StoreException fault) {
        if (race == RACES || !SqlFault.is(SqlFault.UNIQUE_VIOLATION, fault.getCause())) {
          throw fault;
        }
      }
    }
  }

  private DefinitionRow tryDeploy(
      String tenant, String key, String fingerprint, String source, String by) {
    return db.call(
        "Deploying a definition",
        handle ->
            handle
                .createQuery(DEPLOY)
                .bind("now", db.now())
                .bind("tenant", tenant)
                .bind("key", key)
                .bind("fingerprint", fingerprint)
                .bind("source", source)
                .bind("by", by)
                .map((row, context) -> definition(row))
                .one());
  }

  @Override
  public @Nullable DefinitionRow byId(long id) {
    return db.call(
        "Reading a definition",
        handle ->
            handle
                .createQuery(BY_ID)
                .bind("id", id)
                .map((row, context) -> definition(row))
                .findOne()
                .orElse(null));
  }

  @Override
  public @Nullable DefinitionRow find(String tenant, String key, @Nullable Integer version) {
    return db.call(
        "Finding a definition",
        handle ->
            handle
                .createQuery(FIND)
                .bind("tenant", tenant)
                .bind("key", key)
                .bind("version", version)
                .map((row, context) -> definition(row))
                .findOne()
                .orElse(null));
  }

  @Override
  public List<DefinitionRow> list(String tenant, @Nullable String afterKey, int limit) {
    return db.call(
        "Listing definitions",
        handle ->
            handle
                .createQuery(LIST)
                .bind("tenant", tenant)
                .bind("after", afterKey)
                .bind("limit", limit)
                .map((row, context) -> definition(row))
                .list());
  }

  private static DefinitionRow definition(ResultSet row) throws SQLException {
    return new DefinitionRow(
        row.getLong("id"),
        row.getString("tenant"),
        row.getString("key"),
        row.getInt("version"),
        row.getString("source"),
        row.getString("created_by"),
        Columns.instant(row, "created"));
  }
}
