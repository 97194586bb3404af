package dev.waymark.sqlite.internal.table;

import dev.waymark.engine.store.StoredDefinitions;
import dev.waymark.sqlite.internal.file.Database;
import dev.waymark.sqlite.internal.file.Query;
import dev.waymark.sqlite.internal.file.Row;
import dev.waymark.sqlite.internal.file.Session;
import dev.waymark.sqlite.internal.file.SqliteFault;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Definitions on SQLite. */
public final class SqliteDefinitions implements StoredDefinitions {

  // The same text again changes nothing, also if another node deploys it. The greatest moment of
  // the key plus one: as in ACTIVATE.
  private static final String DEPLOY =
      """
      insert into wm_definition
        (tenant, key, version, fingerprint, source, starts, created_by, created, activated)
      select :tenant, :key, coalesce(max(version), 0) + 1, :fingerprint, :source, :starts, :by, :now,
             max(:activated, coalesce(max(activated) + 1, :activated))
        from wm_definition
       where tenant = :tenant
         and key = :key
      on conflict (tenant, key, fingerprint) do nothing
      """;

  private static final String BY_FINGERPRINT =
      """
      select id, tenant, key, version, source, created_by, created, activated, retired
        from wm_definition
       where tenant = :tenant and key = :key and fingerprint = :fingerprint
      """;

  private static final String BY_ID =
      """
      select id, tenant, key, version, source, created_by, created, activated, retired
        from wm_definition
       where id = :id
      """;

  private static final String BY_VERSION =
      """
      select id, tenant, key, version, source, created_by, created, activated, retired
        from wm_definition
       where tenant = :tenant and key = :key and version = :version
      """;

  private static final String ACTIVE =
      """
      select id, tenant, key, version, source, created_by, created, activated, retired
        from wm_definition
       where tenant = :tenant and key = :key and activated is not null and retired is null
       order by activated desc, version desc
       limit 1
      """;

  // The version that was activated last counts, by its moment. A clock that stands, or that was set
  // back, must not make it the older one: so its moment is later than all others of the key.
  private static final String ACTIVATE =
      """
      update wm_definition
         set activated = max(:now, coalesce((select max(other.activated) + 1
                                               from wm_definition other
                                              where other.tenant = :tenant
                                                and other.key = :key), :now)),
             retired = null
       where tenant = :tenant and key = :key and version = :version
      """;

  private static final String RETIRE =
      """
      update wm_definition
         set retired = :now
       where tenant = :tenant and key = :key and version = :version
      """;

  private static final String VERSIONS =
      """
      select id, tenant, key, version, source, created_by, created, activated, retired
        from wm_definition
       where tenant = :tenant and key = :key
       order by version desc
       limit :limit
      """;

  private static final String LIST =
      """
      select d.id, d.tenant, d.key, d.version, d.source, d.created_by, d.created,
             d.activated, d.retired
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

  public SqliteDefinitions(Database database) {
    this.database = database;
  }

  @Override
  public DefinitionRow deploy(Text text, String by, boolean activate) {
    return database.write(
        session -> {
          session
              .query(DEPLOY)
              .set("tenant", text.tenant())
              .set("key", text.key())
              .set("fingerprint", text.fingerprint())
              .set("source", text.source())
              .set("starts", text.startsDocument())
              .set("by", by)
              .set("now", database.now())
              .set("activated", activate ? database.now() : null)
              .update();
          return session
              .query(BY_FINGERPRINT)
              .set("tenant", text.tenant())
              .set("key", text.key())
              .set("fingerprint", text.fingerprint())
              .list(SqliteDefinitions::definition)
              .getFirst();
        });
  }

  @Override
  public @Nullable DefinitionRow byId(long id) {
    return database.find(session -> byId(session, id));
  }

  @Override
  public @Nullable DefinitionRow byIdOn(Connection connection, long id) {
    try {
      return byId(database.sessionOf(connection), id);
    } catch (SQLException e) {
      throw SqliteFault.of(e);
    }
  }

  private static @Nullable DefinitionRow byId(Session session, long id) throws SQLException {
    return session.query(BY_ID).set("id", id).first(SqliteDefinitions::definition);
  }

  @Override
  public @Nullable DefinitionRow find(String tenant, String key, @Nullable Integer version) {
    return database.find(session -> find(session, tenant, key, version));
  }

  @Override
  public @Nullable DefinitionRow findOn(
      Connection connection, String tenant, String key, @Nullable Integer version) {
    try {
      return find(database.sessionOf(connection), tenant, key, version);
    } catch (SQLException e) {
      throw SqliteFault.of(e);
    }
  }

  private static @Nullable DefinitionRow find(
      Session session, String tenant, String key, @Nullable Integer version) throws SQLException {
    Query query = session.query(version == null ? ACTIVE : BY_VERSION);
    query.set("tenant", tenant).set("key", key);
    if (version != null) {
      query.set("version", version);
    }
    return query.first(SqliteDefinitions::definition);
  }

  @Override
  public boolean activate(String tenant, String key, int version) {
    return change(ACTIVATE, tenant, key, version);
  }

  @Override
  public boolean retire(String tenant, String key, int version) {
    return change(RETIRE, tenant, key, version);
  }

  private boolean change(String sql, String tenant, String key, int version) {
    return database.write(
        session ->
            session
                    .query(sql)
                    .set("now", database.now())
                    .set("tenant", tenant)
                    .set("key", key)
                    .set("version", version)
                    .update()
                == 1);
  }

  @Override
  public List<DefinitionRow> versions(String tenant, String key, int limit) {
    return database.read(
        session ->
            session
                .query(VERSIONS)
                .set("tenant", tenant)
                .set("key", key)
                .set("limit", limit)
                .list(SqliteDefinitions::definition));
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

  public static DefinitionRow definition(Row row) throws SQLException {
    return new DefinitionRow(
        row.number("id"),
        row.text("tenant"),
        row.text("key"),
        row.smallNumber("version"),
        row.text("source"),
        row.text("created_by"),
        row.instant("created"),
        row.instantOrNull("activated"),
        row.instantOrNull("retired"));
  }
}
