package dev.waymark.sqlite.internal.table;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.StoredSchedules;
import dev.waymark.sqlite.internal.file.Database;
import dev.waymark.sqlite.internal.file.PageDraft;
import dev.waymark.sqlite.internal.file.Query;
import dev.waymark.sqlite.internal.file.Row;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Schedules on SQLite. */
public final class SqliteSchedules implements StoredSchedules {

  private static final String CREATE =
      """
      insert into wm_schedule
        (tenant, name, revision, definition, spec, paused, next, due, state, created_by, created,
         changed_by, changed)
      values
        (:tenant, :name, 1, :definition, :spec, :paused, :next, :due, :state, :created_by, :created,
         :changed_by, :changed)
      on conflict (tenant, name) do nothing
      """;

  private static final String REPLACE =
      """
      update wm_schedule
         set revision = revision + 1,
             definition = :definition,
             spec = :spec,
             paused = :paused,
             next = :next,
             due = :due,
             state = :state,
             changed_by = :changed_by,
             changed = :changed
       where tenant = :tenant
         and name = :name
         and revision = :revision
      """;

  private static final String DELETE =
      """
      delete from wm_schedule
       where tenant = :tenant
         and name = :name
         and revision = :revision
      """;

  private static final String FIND =
      """
      select tenant, name, revision, definition, spec, paused, next, due, state, created_by, created,
             changed_by, changed
        from wm_schedule
       where tenant = :tenant
         and name = :name
      """;

  private static final String LIST =
      """
      select tenant, name, revision, definition, spec, paused, next, due, state, created_by, created,
             changed_by, changed
        from wm_schedule
       where tenant = :tenant
         and name > :after
       order by name
       limit :limit
      """;

  private static final String DUE =
      """
      select tenant, name, revision, definition, spec, paused, next, due, state, created_by, created,
             changed_by, changed
        from wm_schedule
       where due <= :now
       order by due, tenant, name
       limit :limit
      """;

  private static final String NEXT =
      """
      select due from wm_schedule where due is not null order by due limit 1
      """;

  private static final String IS_LIVE =
      """
      select 1
        from wm_instance
       where id = :id
         and status in (0, 1)
      """;

  private final Database database;

  public SqliteSchedules(Database database) {
    this.database = database;
  }

  @Override
  public boolean create(ScheduleRow row) {
    return database.write(
        session ->
            bind(session.query(CREATE), row)
                    .set("created_by", row.createdBy())
                    .set("created", row.created())
                    .update()
                == 1);
  }

  @Override
  public List<Boolean> replace(List<ScheduleRow> rows) {
    return database.write(
        session -> {
          List<Boolean> changed = new ArrayList<>(rows.size());
          for (ScheduleRow row : rows) {
            changed.add(
                bind(session.query(REPLACE), row).set("revision", row.revision()).update() == 1);
          }
          return changed;
        });
  }

  private static Query bind(Query query, ScheduleRow row) throws SQLException {
    return query
        .set("tenant", row.tenant())
        .set("name", row.name())
        .set("definition", row.definition())
        .set("spec", row.spec())
        .set("paused", row.paused() ? 1 : 0)
        .setDue("next", row.next())
        .setDue("due", row.due())
        .set("state", row.state())
        .set("changed_by", row.changedBy())
        .set("changed", row.changed());
  }

  @Override
  public boolean delete(String tenant, String name, long revision) {
    return database.write(
        session ->
            session
                    .query(DELETE)
                    .set("tenant", tenant)
                    .set("name", name)
                    .set("revision", revision)
                    .update()
                == 1);
  }

  @Override
  public @Nullable ScheduleRow find(String tenant, String name) {
    return database.find(
        session ->
            session
                .query(FIND)
                .set("tenant", tenant)
                .set("name", name)
                .first(SqliteSchedules::schedule));
  }

  @Override
  public Page<ScheduleRow> list(String tenant, @Nullable String afterName, int limit) {
    return database.read(
        session ->
            session
                .query(LIST)
                .set("tenant", tenant)
                .set("after", afterName == null ? "" : afterName)
                .set("limit", limit)
                .page(PageDraft.ofSchedules(limit), SqliteSchedules::schedule));
  }

  @Override
  public List<ScheduleRow> due(int limit) {
    return database.read(
        session ->
            session
                .query(DUE)
                .set("now", database.now())
                .set("limit", limit)
                .list(SqliteSchedules::schedule));
  }

  @Override
  public @Nullable Instant nextDue() {
    return database.find(session -> session.query(NEXT).first(row -> row.instant("due")));
  }

  @Override
  public List<InstanceId> live(List<InstanceId> instances) {
    return database.read(
        session -> {
          List<InstanceId> live = new ArrayList<>();
          for (InstanceId instance : instances) {
            if (session.query(IS_LIVE).set("id", instance.value()).exists()) {
              live.add(instance);
            }
          }
          return live;
        });
  }

  private static ScheduleRow schedule(Row row) throws SQLException {
    return new ScheduleRow(
        row.text("tenant"),
        row.text("name"),
        row.number("revision"),
        row.text("definition"),
        row.text("spec"),
        row.smallNumber("paused") == 1,
        row.instantOrNull("next"),
        row.instantOrNull("due"),
        row.text("state"),
        row.text("created_by"),
        row.instant("created"),
        row.text("changed_by"),
        row.instant("changed"));
  }
}
