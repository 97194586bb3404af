package dev.waymark.engine.store.sqlite;

import static java.util.Comparator.comparing;

import dev.waymark.engine.store.Waits;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Open waits on SQLite. */
final class SqliteWaits implements Waits {

  private static final Comparator<WaitRow> BY_DUE =
      comparing(
              (WaitRow wait) -> wait.bookmark().due() == null ? Instant.MAX : wait.bookmark().due())
          .thenComparing(WaitRow::instance)
          .thenComparingLong(wait -> wait.bookmark().tag());

  private static final String INBOX =
      """
      select b.instance_id, b.tenant, b.tag, b.visit, b.kind, b.key, b.payload, b.due, b.state,
             b.created, b.closed_by, b.closed_at, b.holder, b.lease_until, b.fence, b.terms
        from (select c.due, c.instance_id, c.tag
                from wm_candidate c
               where c.tenant = :tenant
                 and c.who = :who
                 and (c.due, c.instance_id, c.tag) > (coalesce(:due, :never), :after, :tag)
               order by c.due, c.instance_id, c.tag
               limit :limit) page
        join wm_bookmark b on b.instance_id = page.instance_id and b.tag = page.tag
       where b.state = 0
      """;

  private final Database database;

  SqliteWaits(Database database) {
    this.database = database;
  }

  @Override
  public List<WaitRow> inbox(String tenant, Collection<String> who, Place after, int limit) {
    return database.read(
        session -> {
          Map<Object, WaitRow> found = new LinkedHashMap<>();
          for (String name : who) {
            List<WaitRow> own =
                session
                    .query(INBOX)
                    .set("tenant", tenant)
                    .set("who", name)
                    .setDue("due", after.due())
                    .set("never", AudienceWriter.NEVER)
                    .set("after", after.instance().value())
                    .set("tag", after.tag())
                    .set("limit", limit)
                    .list(SqliteWaits::row);
            own.forEach(wait -> found.put(wait.id(), wait));
          }
          List<WaitRow> page = new ArrayList<>(found.values());
          page.sort(BY_DUE);
          return List.copyOf(page.subList(0, Math.min(limit, page.size())));
        });
  }

  static WaitRow row(Row row) throws SQLException {
    return new WaitRow(row.instance("instance_id"), row.text("tenant"), Shapes.bookmark(row));
  }
}
