package dev.waymark.postgres.internal.table;

import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.StoredDefinitions;
import dev.waymark.postgres.internal.sql.Columns;
import dev.waymark.postgres.internal.sql.Db;
import dev.waymark.postgres.internal.sql.PostgresFault;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

public final class PostgresDefinitions implements StoredDefinitions {

  /** The number of races that a deployment may lose to others of its key before it gives up. */
  private static final int RACES = 50;

  // Two nodes at once: the second insert violates a unique key, and its next try finds the same
  // text or the next version. The greatest moment of the key plus one: as in ACTIVATE.
  private static final String DEPLOY =
      """
      with
      known as (
        select id, tenant, key, version, source, created_by, created,
               activated, retired
          from wm_definition
         where tenant = :tenant
           and key = :key
           and fingerprint = :fingerprint
      ),
      deployed as (
        insert into wm_definition (
          tenant, key, version, fingerprint, source, starts, created_by, created, activated
        )
        select :tenant, :key, newest.version + 1, :fingerprint, :source, cast(:starts as text), :by,
               coalesce(cast(:now as timestamptz), statement_timestamp()),
               case when :activate
                    then greatest(
                           coalesce(cast(:now as timestamptz), statement_timestamp()),
                           newest.activated + interval '1 microsecond') end
          from (
            select coalesce(max(version), 0) as version, max(activated) as activated
              from wm_definition
             where tenant = :tenant
               and key = :key
          ) newest
         where not exists (select 1 from known)
        returning id, tenant, key, version, source, created_by, created,
               activated, retired
      )
      select * from known
      union all
      select * from deployed
      """;

  private static final String BY_ID =
      """
      select id, tenant, key, version, source, created_by, created,
               activated, retired
        from wm_definition
       where id = :id
      """;

  private static final String FIND =
      """
      select id, tenant, key, version, source, created_by, created,
               activated, retired
        from wm_definition
       where tenant = :tenant
         and key = :key
         and version = :version
      """;

  private static final String ACTIVE =
      """
      select id, tenant, key, version, source, created_by, created,
               activated, retired
        from wm_definition
       where tenant = :tenant
         and key = :key
         and activated is not null
         and retired is null
       order by activated desc, version desc
       limit 1
      """;

  // The version that was activated last counts, by its moment. A clock that stands, or that was set
  // back, must not make it the older one: so its moment is later than all others of the key.
  private static final String ACTIVATE =
      """
      update wm_definition
         set activated = greatest(
               coalesce(cast(:now as timestamptz), statement_timestamp()),
               (select max(other.activated) + interval '1 microsecond'
                  from wm_definition other
                 where other.tenant = :tenant
                   and other.key = :key)),
             retired = null
       where tenant = :tenant
         and key = :key
         and version = :version
      """;

  private static final String RETIRE =
      """
      update wm_definition
         set retired = coalesce(cast(:now as timestamptz), statement_timestamp())
       where tenant = :tenant
         and key = :key
         and version = :version
      """;

  private static final String VERSIONS =
      """
      select id, tenant, key, version, source, created_by, created,
               activated, retired
        from wm_definition
       where tenant = :tenant
         and key = :key
       order by version desc
       limit :limit
      """;

  private static final String LIST =
      """
      select distinct on (key) id, tenant, key, version, source, created_by, created,
               activated, retired
        from wm_definition
       where tenant = :tenant
         and key > coalesce(cast(:after as text), '')
       order by key, version desc
       limit :limit
      """;

  private final Db db;

  public PostgresDefinitions(Db db) {
    this.db = db;
  }

  @Override
  public DefinitionRow deploy(Text text, String by, boolean activate) {
    for (int race = 1; ; race++) {
      try {
        return tryDeploy(text, by, activate);
      } catch (StoreException fault) {
        if (race == RACES || !PostgresFault.is(PostgresFault.UNIQUE_VIOLATION, fault.getCause())) {
          throw fault;
        }
      }
    }
  }

  private DefinitionRow tryDeploy(Text text, String by, boolean activate) {
    return db.call(
        "Deploying a definition",
        handle ->
            handle
                .createQuery(DEPLOY)
                .bind("now", db.now())
                .bind("tenant", text.tenant())
                .bind("key", text.key())
                .bind("fingerprint", text.fingerprint())
                .bind("source", text.source())
                .bind("starts", text.startsDocument())
                .bind("by", by)
                .bind("activate", activate)
                .map((row, context) -> row(row))
                .one());
  }

  @Override
  public @Nullable DefinitionRow byId(long id) {
    return db.call("Reading a definition", handle -> byId(handle, id).orElse(null));
  }

  @Override
  public @Nullable DefinitionRow byIdOn(Connection connection, long id) {
    return Db.on(connection, "Reading a definition", handle -> byId(handle, id)).orElse(null);
  }

  private static Optional<DefinitionRow> byId(Handle handle, long id) {
    return handle.createQuery(BY_ID).bind("id", id).map((row, context) -> row(row)).findOne();
  }

  @Override
  public @Nullable DefinitionRow find(String tenant, String key, @Nullable Integer version) {
    return db.call(
        "Finding a definition", handle -> find(handle, tenant, key, version).orElse(null));
  }

  @Override
  public @Nullable DefinitionRow findOn(
      Connection connection, String tenant, String key, @Nullable Integer version) {
    return Db.on(connection, "Finding a definition", handle -> find(handle, tenant, key, version))
        .orElse(null);
  }

  private static Optional<DefinitionRow> find(
      Handle handle, String tenant, String key, @Nullable Integer version) {
    Query query =
        handle.createQuery(version == null ? ACTIVE : FIND).bind("tenant", tenant).bind("key", key);
    if (version != null) {
      query.bind("version", version);
    }
    return query.map((row, context) -> row(row)).findOne();
  }

  @Override
  public boolean activate(String tenant, String key, int version) {
    return change("Activating a definition", ACTIVATE, tenant, key, version);
  }

  @Override
  public boolean retire(String tenant, String key, int version) {
    return change("Retiring a definition", RETIRE, tenant, key, version);
  }

  private boolean change(String what, String sql, String tenant, String key, int version) {
    return db.call(
        what,
        handle ->
            handle
                    .createUpdate(sql)
                    .bind("now", db.now())
                    .bind("tenant", tenant)
                    .bind("key", key)
                    .bind("version", version)
                    .execute()
                == 1);
  }

  @Override
  public List<DefinitionRow> versions(String tenant, String key, int limit) {
    return db.call(
        "Listing the versions of a definition",
        handle ->
            handle
                .createQuery(VERSIONS)
                .bind("tenant", tenant)
                .bind("key", key)
                .bind("limit", limit)
                .map((row, context) -> row(row))
                .list());
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
                .map((row, context) -> row(row))
                .list());
  }

  public static DefinitionRow row(ResultSet row) throws SQLException {
    return new DefinitionRow(
        row.getLong("id"),
        row.getString("tenant"),
        row.getString("key"),
        row.getInt("version"),
        row.getString("source"),
        row.getString("created_by"),
        Columns.instant(row, "created"),
        Columns.instantOrNull(row, "activated"),
        Columns.instantOrNull(row, "retired"));
  }
}
