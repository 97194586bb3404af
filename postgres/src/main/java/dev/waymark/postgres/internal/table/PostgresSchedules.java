package dev.waymark.postgres.internal.table;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.StoredSchedules;
import dev.waymark.postgres.internal.sql.Columns;
import dev.waymark.postgres.internal.sql.Db;
import dev.waymark.postgres.internal.sql.HotStatement;
import dev.waymark.postgres.internal.sql.Micros;
import dev.waymark.postgres.internal.sql.PagedQuery;
import dev.waymark.postgres.internal.sql.PagedQuery.Counted;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Schedules on PostgreSQL. */
public final class PostgresSchedules implements StoredSchedules {

  private static final String CREATE =
      """
      insert into wm_schedule (
        tenant, name, revision, definition, spec, paused, next, due, state, created_by, created,
        changed_by, changed
      )
      values (
        :tenant, :name, 1, :definition, :spec, :paused, :next, :due, :state, :created_by, :created,
        :changed_by, :changed
      )
      on conflict (tenant, name) do nothing
      """;

  // Locked in the order of the key, so that two nodes with the same page cannot wait for each
  // other;
  // what another one is just changing is passed by.
  private static final String REPLACE =
      """
      with wanted as materialized (
        select *
          from unnest(:tenants, :names, :revisions, :definitions, :specs, :paused, :nexts, :dues,
                      :states, :changers, :changes)
               with ordinality
               as w (tenant, name, revision, definition, spec, paused, next, due, state,
                     changed_by, changed, n)
      ),
      mine as materialized (
        select s.tenant, s.name
          from wm_schedule s
          join wanted w
            on w.tenant = s.tenant and w.name = s.name and w.revision = s.revision
         order by s.tenant, s.name
           for update of s skip locked
      )
      update wm_schedule s
         set revision = s.revision + 1,
             definition = w.definition,
             spec = w.spec,
             paused = w.paused,
             next = cast(w.next as timestamptz),
             due = cast(w.due as timestamptz),
             state = w.state,
             changed_by = w.changed_by,
             changed = cast(w.changed as timestamptz)
        from mine
        join wanted w
          on w.tenant = mine.tenant and w.name = mine.name
       where s.tenant = mine.tenant
         and s.name = mine.name
      returning w.n
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
      with found as (
        select tenant, name, revision, definition, spec, paused, next, due, state, created_by, created,
               changed_by, changed, octet_length(spec) + octet_length(state) as size
          from wm_schedule
         where tenant = :tenant
           and name > :after
         order by name
         limit :limit
      ),
      counted as (
        select *, sum(size) over (order by name rows unbounded preceding) as bytes
          from found
      )
      select *
        from counted
       where bytes - size < :bytes
       order by name
      """;

  private static final HotStatement DUE =
      HotStatement.of(
          "due schedules",
          "now timestamptz, limit int4",
          """
          select tenant, name, revision, definition, spec, paused, next, due, state, created_by, created,
                 changed_by, changed
            from wm_schedule
           where due <= coalesce(cast(:now as timestamptz), statement_timestamp())
           order by due
           limit :limit
          """);

  private static final String NEXT =
      """
      select due from wm_schedule where due is not null order by due limit 1
      """;

  private static final String LIVE =
      """
      select id
        from wm_instance
       where id = any(:instances)
         and status in (0, 1)
      """;

  private final Db db;

  public PostgresSchedules(Db db) {
    this.db = db;
    db.watch(DUE);
  }

  @Override
  public boolean create(ScheduleRow row) {
    return db.call(
        "Creating a schedule",
        handle ->
            handle
                    .createUpdate(CREATE)
                    .bind("tenant", row.tenant())
                    .bind("name", row.name())
                    .bind("definition", row.definition())
                    .bind("spec", row.spec())
                    .bind("paused", row.paused() ? 1 : 0)
                    .bind("next", Db.instant(roundedUp(row.next())))
                    .bind("due", Db.instant(roundedUp(row.due())))
                    .bind("state", row.state())
                    .bind("created_by", row.createdBy())
                    .bind("created", Db.instant(row.created()))
                    .bind("changed_by", row.changedBy())
                    .bind("changed", Db.instant(row.changed()))
                    .execute()
                == 1);
  }

  @Override
  public List<Boolean> replace(List<ScheduleRow> rows) {
    List<Boolean> changed = new ArrayList<>(Collections.nCopies(rows.size(), false));
    if (rows.isEmpty()) {
      return changed;
    }
    List<Integer> places =
        db.call(
            "Changing schedules",
            handle ->
                handle
                    .createQuery(REPLACE)
                    .bindArray("tenants", String.class, of(rows, ScheduleRow::tenant))
                    .bindArray("names", String.class, of(rows, ScheduleRow::name))
                    .bindArray("revisions", Long.class, of(rows, ScheduleRow::revision))
                    .bindArray("definitions", String.class, of(rows, ScheduleRow::definition))
                    .bindArray("specs", String.class, of(rows, ScheduleRow::spec))
                    .bindArray("paused", Integer.class, of(rows, row -> row.paused() ? 1 : 0))
                    .bindArray("nexts", String.class, of(rows, row -> text(roundedUp(row.next()))))
                    .bindArray("dues", String.class, of(rows, row -> text(roundedUp(row.due()))))
                    .bindArray("states", String.class, of(rows, ScheduleRow::state))
                    .bindArray("changers", String.class, of(rows, ScheduleRow::changedBy))
                    .bindArray("changes", String.class, of(rows, row -> text(row.changed())))
                    .mapTo(Integer.class)
                    .list());
    places.forEach(place -> changed.set(place - 1, true));
    return changed;
  }

  private static <T extends @Nullable Object> List<T> of(
      List<ScheduleRow> rows, Function<ScheduleRow, T> column) {
    List<T> values = new ArrayList<>(rows.size());
    rows.forEach(row -> values.add(column.apply(row)));
    return values;
  }

  /** The database counts microseconds: what falls between two of them would be early. */
  private static @Nullable Instant roundedUp(@Nullable Instant due) {
    return due == null ? null : Micros.roundUp(due);
  }

  private static @Nullable String text(@Nullable Instant instant) {
    return instant == null ? null : instant.toString();
  }

  @Override
  public boolean delete(String tenant, String name, long revision) {
    return db.call(
        "Deleting a schedule",
        handle ->
            handle
                    .createUpdate(DELETE)
                    .bind("tenant", tenant)
                    .bind("name", name)
                    .bind("revision", revision)
                    .execute()
                == 1);
  }

  @Override
  public @Nullable ScheduleRow find(String tenant, String name) {
    return db.call(
        "Finding a schedule",
        handle ->
            handle
                .createQuery(FIND)
                .bind("tenant", tenant)
                .bind("name", name)
                .map((row, context) -> schedule(row))
                .findOne()
                .orElse(null));
  }

  @Override
  public Page<ScheduleRow> list(String tenant, @Nullable String afterName, int limit) {
    return db.call(
        "Listing schedules",
        handle ->
            PagedQuery.page(
                handle
                    .createQuery(LIST)
                    .bind("tenant", tenant)
                    .bind("after", afterName == null ? "" : afterName)
                    .bind("limit", limit)
                    .bind("bytes", (long) Limits.BATCH_BYTES)
                    .map((row, context) -> new Counted<>(schedule(row), row.getLong("bytes")))
                    .list(),
                limit));
  }

  @Override
  public List<ScheduleRow> due(int limit) {
    return db.call(
        "Finding due schedules",
        handle ->
            handle
                .createQuery(DUE.text())
                .bind("now", db.now())
                .bind("limit", limit)
                .map((row, context) -> schedule(row))
                .list());
  }

  @Override
  public @Nullable Instant nextDue() {
    return db.call(
        "Finding the next schedule",
        handle ->
            handle
                .createQuery(NEXT)
                .map((row, context) -> Columns.instant(row, "due"))
                .findOne()
                .orElse(null));
  }

  @Override
  public List<InstanceId> live(List<InstanceId> instances) {
    if (instances.isEmpty()) {
      return List.of();
    }
    return db.call(
        "Finding which runs are live",
        handle ->
            handle
                .createQuery(LIVE)
                .bindArray("instances", UUID.class, instances.stream().map(i -> i.value()).toList())
                .map((row, context) -> Columns.instanceId(row, "id"))
                .list());
  }

  private static ScheduleRow schedule(ResultSet row) throws SQLException {
    return new ScheduleRow(
        row.getString("tenant"),
        row.getString("name"),
        row.getLong("revision"),
        row.getString("definition"),
        row.getString("spec"),
        row.getInt("paused") == 1,
        Columns.instantOrNull(row, "next"),
        Columns.instantOrNull(row, "due"),
        row.getString("state"),
        row.getString("created_by"),
        Columns.instant(row, "created"),
        row.getString("changed_by"),
        Columns.instant(row, "changed"));
  }
}
