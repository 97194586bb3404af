package dev.waymark.postgres.internal.table;

import dev.waymark.engine.store.StoredPayloads;
import dev.waymark.postgres.internal.sql.Columns;
import dev.waymark.postgres.internal.sql.Db;
import dev.waymark.postgres.internal.sql.HotStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Payloads on PostgreSQL. */
public final class PostgresPayloads implements StoredPayloads {

  // A statement that arrives late, after its repeat, finds its part there; or no upload any more.
  private static final HotStatement WRITE =
      HotStatement.of(
          "a part of a payload",
          "upload uuid, part int4, content bytea, until timestamptz, given_up timestamptz",
          """
          with live as (
            update wm_payload_upload
               set until = :until
             where id = :upload
               and until > :given_up
            returning id
          ),
          written as (
            insert into wm_payload_part (upload, part, content)
            select id, :part, :content from live
            on conflict (upload, part) do nothing
          )
          select count(*) from live
          """);

  private static final String BEGIN =
      """
      with live as (
        insert into wm_payload_upload as u (id, tenant, until)
        values (:upload, :tenant, :until)
        on conflict (id) do update set until = excluded.until where u.until > :given_up
        returning id
      ),
      written as (
        insert into wm_payload_part (upload, part, content)
        select id, :part, :content from live
        on conflict (upload, part) do nothing
      )
      select count(*) from live
      """;

  // An upload that is being removed is locked, and then says that it was given up; an empty content
  // has no upload. Of two uploads of one content, the second one waits for the row of the first.
  private static final String FINISH =
      """
      with mine as materialized (
        select id from wm_payload_upload where id = :upload and until > :given_up for update
      ),
      stored as (
        insert into wm_payload as p (tenant, hash, size, media_type, parts, upload, kept_until)
        select :tenant, :hash, :size, :media_type, :parts, :upload, :kept_until
         where :parts = 0 or exists (select 1 from mine)
        on conflict (tenant, hash) do update
          set kept_until = greatest(p.kept_until, excluded.kept_until)
        returning tenant, hash, size, media_type, parts, upload, kept_until
      ),
      ended as (
        delete from wm_payload_upload u
         using stored
         where u.id = :upload
           and stored.upload = u.id
      )
      select tenant, hash, size, media_type, parts, kept_until, upload = :upload as fresh
        from stored
      """;

  private static final String FINISHED =
      """
      select tenant, hash, size, media_type, parts, kept_until, upload = :upload as fresh
        from wm_payload
       where tenant = :tenant
         and hash = :hash
      """;

  private static final String GIVE_UP =
      """
      update wm_payload_upload set until = :given_up where id = :upload
      """;

  private static final String FIND =
      """
      select tenant, hash, size, media_type, parts, kept_until
        from wm_payload
       where tenant = :tenant
         and hash = :hash
      """;

  private static final HotStatement PART =
      HotStatement.of(
          "reading a part of a payload",
          "tenant text, hash text, part int4",
          """
          select t.content
            from wm_payload p
            join wm_payload_part t on t.upload = p.upload
           where p.tenant = :tenant
             and p.hash = :hash
             and t.part = :part
          """);

  // In the order of their hashes, so that two requests for the same payloads do not wait for each
  // other in a circle.
  private static final HotStatement KEEP =
      HotStatement.of(
          "keeping payloads",
          "tenant text, hashes text[], until timestamptz",
          """
          with known as materialized (
            select tenant, hash, size, media_type, parts, kept_until
              from wm_payload
             where tenant = :tenant
               and hash = any(:hashes)
             order by hash
               for no key update
          ),
          kept as (
            update wm_payload p
               set kept_until = :until
              from known
             where p.tenant = known.tenant
               and p.hash = known.hash
               and known.kept_until < :until
          )
          select tenant, hash, size, media_type, parts, greatest(kept_until, :until) as kept_until
            from known
          """);

  // A request that names a payload moves kept_until before its step is written. So if a step
  // has begun to use one that this statement does not see in use, the lock shows the later moment,
  // and the row is passed over.
  private static final HotStatement REMOVE_UNUSED =
      HotStatement.of(
          "payloads that no run uses",
          "before timestamptz, again timestamptz, given_up timestamptz, limit int4",
          """
          with old as materialized (
            select tenant, hash
              from wm_payload
             where kept_until < :before
             order by kept_until
             limit :limit
               for update skip locked
          ),
          looked as materialized (
            select old.tenant, old.hash,
                   exists (select 1
                             from wm_payload_use u
                            where u.tenant = old.tenant
                              and u.hash = old.hash) as used
              from old
          ),
          gone as (
            delete from wm_payload p
             using looked
             where p.tenant = looked.tenant
               and p.hash = looked.hash
               and not looked.used
            returning p.upload, p.tenant, p.parts
          ),
          left_over as (
            insert into wm_payload_upload (id, tenant, until)
            select upload, tenant, :given_up from gone where parts > 0
            on conflict (id) do update set until = excluded.until
          ),
          put_off as (
            update wm_payload p
               set kept_until = :again
              from looked
             where p.tenant = looked.tenant
               and p.hash = looked.hash
               and looked.used
          )
          select count(*) filter (where not used) as removed, count(*) filter (where used) as used
            from looked
          """);

  // A first part that was sent twice may bring its upload's row back when the payload is finished:
  // then only that row goes.
  private static final HotStatement REMOVE_PARTS =
      HotStatement.of(
          "parts of payloads that are not needed",
          "before timestamptz, given_up timestamptz, limit int4",
          """
          with cut as materialized (
            select id
              from wm_payload_upload
             where until < :before
             order by until, id
             limit 1
               for update skip locked
          ),
          old as materialized (
            select found.upload, found.part
              from cut
             cross join lateral (
               select t.upload, t.part
                 from wm_payload_part t
                where t.upload = cut.id
                  and not exists (select 1 from wm_payload p where p.upload = cut.id)
                order by t.part
                limit :limit
             ) found
          ),
          gone as (
            delete from wm_payload_part t
             using old
             where t.upload = old.upload
               and t.part = old.part
            returning 1
          ),
          ended as (
            delete from wm_payload_upload u
             using cut
             where u.id = cut.id
               and (select count(*) from gone) < :limit
            returning 1
          ),
          begun as (
            update wm_payload_upload u
               set until = :given_up
              from cut
             where u.id = cut.id
               and (select count(*) from gone) >= :limit
          )
          select (select count(*) from gone) + (select count(*) from ended)
          """);

  private static final String KEEPING = "Keeping payloads";

  private final Db db;

  public PostgresPayloads(Db db) {
    this.db = db;
    db.watch(WRITE);
    db.watch(PART);
    db.watch(KEEP);
    db.watch(REMOVE_UNUSED);
    db.watch(REMOVE_PARTS);
  }

  @Override
  public boolean write(Part part, byte[] content, Instant until) {
    return db.call(
        "Writing a part of a payload",
        handle -> {
          var query = handle.createQuery(part.number() == 0 ? BEGIN : WRITE.text());
          if (part.number() == 0) {
            query.bind("tenant", part.tenant());
          }
          return query
                  .bind("upload", part.upload())
                  .bind("part", part.number())
                  .bind("content", content)
                  .bind("until", Db.instant(until))
                  .bind("given_up", Db.instant(GIVEN_UP))
                  .mapTo(Integer.class)
                  .one()
              == 1;
        });
  }

  @Override
  public @Nullable Finished finish(UUID upload, PayloadRow payload) {
    return db.call(
        "Storing a payload",
        handle ->
            handle
                .createQuery(FINISH)
                .bind("upload", upload)
                .bind("tenant", payload.tenant())
                .bind("hash", payload.hash())
                .bind("size", payload.size())
                .bind("media_type", payload.mediaType())
                .bind("parts", payload.parts())
                .bind("kept_until", Db.instant(payload.keptUntil()))
                .bind("given_up", Db.instant(GIVEN_UP))
                .map((row, context) -> finished(row))
                .findOne()
                .or(() -> finishedBefore(handle, upload, payload))
                .orElse(null));
  }

  /** The first try may have been carried out although its answer was lost. */
  private static Optional<Finished> finishedBefore(Handle handle, UUID upload, PayloadRow payload) {
    return handle
        .createQuery(FINISHED)
        .bind("upload", upload)
        .bind("tenant", payload.tenant())
        .bind("hash", payload.hash())
        .map((row, context) -> finished(row))
        .findOne();
  }

  @Override
  public void giveUp(UUID upload) {
    db.run(
        "Giving an upload up",
        handle ->
            handle
                .createUpdate(GIVE_UP)
                .bind("upload", upload)
                .bind("given_up", Db.instant(GIVEN_UP))
                .execute());
  }

  @Override
  public @Nullable PayloadRow find(String tenant, String hash) {
    return db.call(
        "Looking for a payload",
        handle ->
            handle
                .createQuery(FIND)
                .bind("tenant", tenant)
                .bind("hash", hash)
                .map((row, context) -> payload(row))
                .findOne()
                .orElse(null));
  }

  @Override
  public byte @Nullable [] part(String tenant, String hash, int part) {
    return db.call(
        "Reading a part of a payload",
        handle ->
            handle
                .createQuery(PART.text())
                .bind("tenant", tenant)
                .bind("hash", hash)
                .bind("part", part)
                .map((row, context) -> row.getBytes("content"))
                .findOne()
                .orElse(null));
  }

  @Override
  public List<PayloadRow> keep(String tenant, Collection<String> hashes, Instant until) {
    return db.call(KEEPING, handle -> keep(handle, tenant, hashes, until));
  }

  @Override
  public List<PayloadRow> keepOn(
      Connection connection, String tenant, Collection<String> hashes, Instant until) {
    return Db.on(connection, KEEPING, handle -> keep(handle, tenant, hashes, until));
  }

  private static List<PayloadRow> keep(
      Handle handle, String tenant, Collection<String> hashes, Instant until) {
    return handle
        .createQuery(KEEP.text())
        .bind("tenant", tenant)
        .bind("hashes", hashes.toArray(String[]::new))
        .bind("until", Db.instant(until))
        .map((row, context) -> payload(row))
        .list();
  }

  @Override
  public Look removeUnused(Instant before, Instant again, int limit) {
    return db.call(
        "Removing payloads that no run uses",
        handle ->
            handle
                .createQuery(REMOVE_UNUSED.text())
                .bind("before", Db.instant(before))
                .bind("again", Db.instant(again))
                .bind("given_up", Db.instant(GIVEN_UP))
                .bind("limit", limit)
                .map((row, context) -> new Look(row.getInt("removed"), row.getInt("used")))
                .one());
  }

  @Override
  public int removeParts(Instant before, int limit) {
    return db.call(
        "Removing parts of payloads",
        handle ->
            handle
                .createQuery(REMOVE_PARTS.text())
                .bind("before", Db.instant(before))
                .bind("given_up", Db.instant(GIVEN_UP))
                .bind("limit", limit)
                .mapTo(Integer.class)
                .one());
  }

  private static PayloadRow payload(ResultSet row) throws SQLException {
    return new PayloadRow(
        row.getString("tenant"),
        row.getString("hash"),
        row.getLong("size"),
        row.getString("media_type"),
        row.getInt("parts"),
        Columns.instant(row, "kept_until"));
  }

  private static Finished finished(ResultSet row) throws SQLException {
    return new Finished(payload(row), row.getBoolean("fresh"));
  }
}
