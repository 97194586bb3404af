package dev.waymark.sqlite.internal.message;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.store.Broadcasts;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.sqlite.internal.file.Database;
import dev.waymark.sqlite.internal.file.Query;
import dev.waymark.sqlite.internal.file.RowMappers;
import dev.waymark.sqlite.internal.file.Session;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Signals on their way, on SQLite. */
public final class SqliteBroadcasts implements Broadcasts {

  private static final String WAITING =
      """
      select tenant, source, id, instance_id, name, payload, sender, received, correlation, expires
        from wm_inbox
       where instance_id is null
         and correlation is null
         and state = 0
       order by received, rowid
       limit :limit
      """;

  private static final String BROADCAST =
      """
      select tenant, source, id, instance_id, name, payload, sender, received, correlation,
             expires, reached
        from wm_inbox
       where tenant = :tenant
         and source = :source
         and id = :id
         and instance_id is null
         and correlation is null
         and state = 0
      """;

  // Kind 2 is EXTERNAL_MESSAGE; such a bookmark's key is the name of the message it waits for.
  private static final String PAGE =
      """
      select distinct b.instance_id
        from wm_bookmark b
       where b.tenant = :tenant
         and b.key = :name
         and b.key not like '$ended:%'
         and b.state = 0
         and b.kind = 2
         and b.created <= :latest
         and b.instance_id > :reached
       order by b.instance_id
       limit :limit
      """;

  private static final String ADDRESS =
      """
      insert into wm_inbox (tenant, source, id, instance_id, name, payload, sender, received)
      select distinct :tenant, '$signal', :stem || ':' || lower(hex(b.instance_id)), b.instance_id,
             :name, :payload, :sender, :received
        from wm_bookmark b
       where b.tenant = :tenant
         and b.key = :name
         and b.key not like '$ended:%'
         and b.state = 0
         and b.kind = 2
         and b.created <= :latest
         and b.instance_id > :reached
         and b.instance_id <= :last
      on conflict (tenant, source, id) do nothing
      returning instance_id
      """;

  private static final String MOVE_ON =
      """
      update wm_inbox
         set reached = :last,
             state = :state,
             spent_version = case :state when 1 then 0 end
       where tenant = :tenant
         and source = :source
         and id = :id
      """;

  private static final UUID NOBODY = new UUID(0, 0);

  private final Database database;

  public SqliteBroadcasts(Database database) {
    this.database = database;
  }

  @Override
  public List<MessageRow> waiting(int limit) {
    return database.read(
        session -> session.query(WAITING).set("limit", limit).list(RowMappers::message));
  }

  private record BroadcastToDo(MessageRow row, @Nullable InstanceId reached) {}

  @Override
  public @Nullable Handout handOut(Message.Key broadcast, int limit) {
    return database
        .write(session -> Optional.ofNullable(handOut(session, broadcast, limit)))
        .orElse(null);
  }

  private static @Nullable Handout handOut(Session session, Message.Key key, int limit)
      throws SQLException {
    BroadcastToDo found =
        session
            .query(BROADCAST)
            .set("tenant", key.tenant())
            .set("source", key.source())
            .set("id", key.id())
            .first(
                row -> new BroadcastToDo(RowMappers.message(row), row.instanceOrNull("reached")));
    if (found == null) {
      return null;
    }
    List<InstanceId> page = page(session, found, limit);
    InstanceId last = page.isEmpty() ? found.reached() : page.getLast();
    List<InstanceId> addressees = page.isEmpty() ? page : address(session, found, last);
    boolean finished = page.size() < limit;
    session
        .query(MOVE_ON)
        .set("last", last == null ? null : last.value())
        .set("state", finished ? 1 : 0)
        .set("tenant", key.tenant())
        .set("source", key.source())
        .set("id", key.id())
        .update();
    return new Handout(found.row(), addressees, finished);
  }

  private static List<InstanceId> page(Session session, BroadcastToDo found, int limit)
      throws SQLException {
    return bindWaiting(session.query(PAGE), found)
        .set("limit", limit)
        .list(row -> row.instance("instance_id"));
  }

  private static List<InstanceId> address(
      Session session, BroadcastToDo found, @Nullable InstanceId last) throws SQLException {
    MessageRow broadcast = found.row();
    return bindWaiting(session.query(ADDRESS), found)
        .set("stem", broadcast.key().stem())
        .set("payload", broadcast.payload())
        .set("sender", broadcast.sender())
        .set("received", broadcast.received())
        .set("last", Objects.requireNonNull(last, "last").value())
        .list(row -> row.instance("instance_id"));
  }

  private static Query bindWaiting(Query query, BroadcastToDo found) throws SQLException {
    MessageRow broadcast = found.row();
    return query
        .set("tenant", broadcast.key().tenant())
        .set("name", broadcast.name())
        .set("latest", broadcast.received().plus(Limits.CLOCK_SKEW))
        .set("reached", found.reached() == null ? NOBODY : found.reached().value());
  }
}
