package dev.waymark.sqlite.internal.message;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.store.Correlations.Match;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.sqlite.internal.file.Database;
import dev.waymark.sqlite.internal.file.PageDraft;
import dev.waymark.sqlite.internal.file.RowMappers;
import dev.waymark.sqlite.internal.file.Session;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Finds the instances that wait for given messages, on SQLite. */
final class SqliteMessageTargets {

  private static final String WAITS =
      """
      select b.instance_id
        from wm_bookmark b
       where b.tenant = :tenant
         and b.correlation = :correlation
         and b.key = :name
         and b.state = 0
         and b.kind = 2
       order by b.created, b.instance_id
       limit :limit
      """;

  private static final String MESSAGE =
      """
      select tenant, source, id, instance_id, name, payload, sender, received, correlation, expires
        from wm_inbox
       where tenant = :tenant
         and source = :source
         and id = :id
         and state = 0
         and correlation is not null
         and (expires is null or expires > :now)
      """;

  private final Database database;

  SqliteMessageTargets(Database database) {
    this.database = database;
  }

  List<InstanceId> targets(Message.Key message, int limit) {
    return database.read(
        session -> {
          List<InstanceId> targets = new ArrayList<>();
          for (MessageRow row : message(session, message)) {
            targets.addAll(waits(session, row, limit));
          }
          return targets;
        });
  }

  Page<Match> of(Collection<Message.Key> messages) {
    return database.read(
        session -> {
          PageDraft<Match> page = new PageDraft<>(messages.size() + 1, SqliteWaitMatches::size);
          for (Message.Key key : messages) {
            for (MessageRow row : message(session, key)) {
              waits(session, row, 1).forEach(target -> page.add(new Match(row, target)));
            }
            if (page.isFull()) {
              break;
            }
          }
          return page.page();
        });
  }

  /** The instances that wait for a message, the longest wait first. */
  static List<InstanceId> waits(Session session, MessageRow message, int limit)
      throws SQLException {
    return message.correlation() == null
        ? List.of()
        : session
            .query(WAITS)
            .set("tenant", message.key().tenant())
            .set("correlation", message.correlation())
            .set("name", message.name())
            .set("limit", limit)
            .list(row -> row.instance("instance_id"));
  }

  /** The message of this key if it is correlated and still waits; one row at most. */
  List<MessageRow> message(Session session, Message.Key key) throws SQLException {
    return session
        .query(MESSAGE)
        .set("tenant", key.tenant())
        .set("source", key.source())
        .set("id", key.id())
        .set("now", database.now())
        .list(RowMappers::message);
  }
}
