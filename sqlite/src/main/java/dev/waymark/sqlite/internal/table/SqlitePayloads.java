package dev.waymark.sqlite.internal.table;

import dev.waymark.engine.store.StoredPayloads;
import dev.waymark.sqlite.internal.file.Database;
import dev.waymark.sqlite.internal.file.Row;
import dev.waymark.sqlite.internal.file.Session;
import dev.waymark.sqlite.internal.file.SqliteFault;
import dev.waymark.sqlite.internal.file.UuidBytes;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Payloads on SQLite. A part is one short transaction of the one writer, so steps are written
 * between the parts of a large upload.
 */
public final class SqlitePayloads implements StoredPayloads {

  private static final String BEGIN =
      """
      insert into wm_payload_upload (id, tenant, until)
      values (:upload, :tenant, :until)
      on conflict (id) do nothing
      """;

  private static final String GO_ON =
      """
      update wm_payload_upload set until = :until where id = :upload and until > :given_up
      """;

  private static final String WRITE =
      """
      insert into wm_payload_part (upload, part, content)
      values (:upload, :part, :content)
      on conflict (upload, part) do nothing
      """;

  private static final String IS_LIVE =
      """
      select 1 from wm_payload_upload where id = :upload and until > :given_up
      """;

  private static final String STORE =
      """
      insert into wm_payload (tenant, hash, size, media_type, parts, upload, kept_until)
      values (:tenant, :hash, :size, :media_type, :parts, :upload, :kept_until)
      on conflict (tenant, hash) do update set kept_until = max(kept_until, excluded.kept_until)
      """;

  private static final String END =
      """
      delete from wm_payload_upload
       where id = :upload
         and exists (select 1 from wm_payload p where p.upload = wm_payload_upload.id)
      """;

  private static final String GIVE_UP =
      """
      update wm_payload_upload set until = :given_up where id = :upload
      """;

  private static final String FIND =
      """
      select tenant, hash, size, media_type, parts, upload, kept_until
        from wm_payload
       where tenant = :tenant
         and hash = :hash
      """;

  private static final String PART =
      """
      select t.content
        from wm_payload p
        join wm_payload_part t on t.upload = p.upload
       where p.tenant = :tenant
         and p.hash = :hash
         and t.part = :part
      """;

  private static final String KEEP =
      """
      update wm_payload
         set kept_until = :until
       where tenant = :tenant
         and hash = :hash
         and kept_until < :until
      """;

  private static final String OLD =
      """
      select p.tenant, p.hash, p.upload, p.parts,
             exists (select 1
                       from wm_payload_use u
                      where u.tenant = p.tenant
                        and u.hash = p.hash) as used
        from wm_payload p
       where p.kept_until < :before
       order by p.kept_until
       limit :limit
      """;

  private static final String REMOVE =
      """
      delete from wm_payload where tenant = :tenant and hash = :hash
      """;

  private static final String LEAVE_OVER =
      """
      insert into wm_payload_upload (id, tenant, until)
      values (:upload, :tenant, :given_up)
      on conflict (id) do update set until = excluded.until
      """;

  private static final String CUT =
      """
      select id from wm_payload_upload where until < :before order by until, id limit 1
      """;

  // A first part that was sent twice may bring its upload's row back when the payload is finished:
  // then only that row goes.
  private static final String REMOVE_PARTS =
      """
      delete from wm_payload_part
       where rowid in (select t.rowid
                         from wm_payload_part t
                        where t.upload = :upload
                          and not exists (select 1 from wm_payload p where p.upload = t.upload)
                        order by t.part
                        limit :limit)
      """;

  private static final String REMOVE_UPLOAD =
      """
      delete from wm_payload_upload where id = :upload
      """;

  private final Database database;

  public SqlitePayloads(Database database) {
    this.database = database;
  }

  @Override
  public boolean write(Part part, byte[] content, Instant until) {
    return database.write(
        session -> {
          if (part.number() == 0) {
            session
                .query(BEGIN)
                .set("upload", part.upload())
                .set("tenant", part.tenant())
                .set("until", until)
                .update();
          }
          int live =
              session
                  .query(GO_ON)
                  .set("upload", part.upload())
                  .set("until", until)
                  .set("given_up", GIVEN_UP)
                  .update();
          if (live == 1) {
            session
                .query(WRITE)
                .set("upload", part.upload())
                .set("part", part.number())
                .set("content", content)
                .update();
          }
          return live == 1;
        });
  }

  @Override
  public @Nullable Finished finish(UUID upload, PayloadRow payload) {
    return database
        .write(
            session -> {
              if (payload.parts() == 0 || isLive(session, upload)) {
                store(session, upload, payload);
              }
              Known known = known(session, payload.tenant(), payload.hash());
              return Optional.ofNullable(known)
                  .map(it -> new Finished(it.row(), it.upload().equals(upload)));
            })
        .orElse(null);
  }

  private static boolean isLive(Session session, UUID upload) throws SQLException {
    return session.query(IS_LIVE).set("upload", upload).set("given_up", GIVEN_UP).exists();
  }

  private static void store(Session session, UUID upload, PayloadRow payload) throws SQLException {
    session
        .query(STORE)
        .set("tenant", payload.tenant())
        .set("hash", payload.hash())
        .set("size", payload.size())
        .set("media_type", payload.mediaType())
        .set("parts", payload.parts())
        .set("upload", upload)
        .set("kept_until", payload.keptUntil())
        .update();
    session.query(END).set("upload", upload).update();
  }

  @Override
  public void giveUp(UUID upload) {
    var unused =
        database.write(
            session ->
                session.query(GIVE_UP).set("upload", upload).set("given_up", GIVEN_UP).update());
  }

  @Override
  public @Nullable PayloadRow find(String tenant, String hash) {
    Known known = database.find(session -> known(session, tenant, hash));
    return known == null ? null : known.row();
  }

  @Override
  public byte @Nullable [] part(String tenant, String hash, int part) {
    return database.find(
        session ->
            session
                .query(PART)
                .set("tenant", tenant)
                .set("hash", hash)
                .set("part", part)
                .first(row -> row.bytes("content")));
  }

  @Override
  public List<PayloadRow> keep(String tenant, Collection<String> hashes, Instant until) {
    return database.write(session -> keep(session, tenant, hashes, until));
  }

  @Override
  public List<PayloadRow> keepOn(
      Connection connection, String tenant, Collection<String> hashes, Instant until) {
    try {
      return keep(database.sessionOf(connection), tenant, hashes, until);
    } catch (SQLException e) {
      throw SqliteFault.of(e);
    }
  }

  private static List<PayloadRow> keep(
      Session session, String tenant, Collection<String> hashes, Instant until)
      throws SQLException {
    List<PayloadRow> found = new ArrayList<>();
    for (String hash : hashes) {
      session.query(KEEP).set("tenant", tenant).set("hash", hash).set("until", until).update();
      Known known = known(session, tenant, hash);
      if (known != null) {
        found.add(known.row());
      }
    }
    return found;
  }

  @Override
  public Look removeUnused(Instant before, Instant again, int limit) {
    return database.write(
        session -> {
          List<Old> old =
              session
                  .query(OLD)
                  .set("before", before)
                  .set("limit", limit)
                  .list(SqlitePayloads::old);
          int removed = 0;
          for (Old one : old) {
            if (one.used()) {
              putOff(session, one, again);
            } else {
              remove(session, one);
              removed++;
            }
          }
          return new Look(removed, old.size() - removed);
        });
  }

  private static void putOff(Session session, Old one, Instant again) throws SQLException {
    session
        .query(KEEP)
        .set("tenant", one.tenant())
        .set("hash", one.hash())
        .set("until", again)
        .update();
  }

  private static void remove(Session session, Old one) throws SQLException {
    session.query(REMOVE).set("tenant", one.tenant()).set("hash", one.hash()).update();
    if (one.parts() > 0) {
      session
          .query(LEAVE_OVER)
          .set("upload", one.upload())
          .set("tenant", one.tenant())
          .set("given_up", GIVEN_UP)
          .update();
    }
  }

  @Override
  public int removeParts(Instant before, int limit) {
    return database.write(
        session -> {
          UUID cut = session.query(CUT).set("before", before).first(row -> uuid(row, "id"));
          if (cut == null) {
            return 0;
          }
          int gone = session.query(REMOVE_PARTS).set("upload", cut).set("limit", limit).update();
          if (gone < limit) {
            return gone + session.query(REMOVE_UPLOAD).set("upload", cut).update();
          }
          session.query(GIVE_UP).set("upload", cut).set("given_up", GIVEN_UP).update();
          return gone;
        });
  }

  /** A payload, and the upload under which its parts lie. */
  private record Known(PayloadRow row, UUID upload) {}

  private record Old(String tenant, String hash, UUID upload, int parts, boolean used) {}

  private static @Nullable Known known(Session session, String tenant, String hash)
      throws SQLException {
    return session
        .query(FIND)
        .set("tenant", tenant)
        .set("hash", hash)
        .first(
            row ->
                new Known(
                    new PayloadRow(
                        row.text("tenant"),
                        row.text("hash"),
                        row.number("size"),
                        row.text("media_type"),
                        row.smallNumber("parts"),
                        row.instant("kept_until")),
                    uuid(row, "upload")));
  }

  private static Old old(Row row) throws SQLException {
    return new Old(
        row.text("tenant"),
        row.text("hash"),
        uuid(row, "upload"),
        row.smallNumber("parts"),
        row.number("used") == 1);
  }

  private static UUID uuid(Row row, String column) throws SQLException {
    return UuidBytes.toUuid(row.bytes(column));
  }
}
