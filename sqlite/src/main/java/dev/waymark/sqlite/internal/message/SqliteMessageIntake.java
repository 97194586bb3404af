package dev.waymark.sqlite.internal.message;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.store.Correlations.Stored;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.sqlite.internal.file.Database;
import dev.waymark.sqlite.internal.file.MessageWriter;
import dev.waymark.sqlite.internal.file.RowMappers;
import dev.waymark.sqlite.internal.file.SqliteFault;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Stores correlated messages on SQLite, each once, and finds those that were stored before. */
final class SqliteMessageIntake {

  private static final String STORED =
      """
      select tenant, source, id, instance_id, name, payload, sender, received, correlation, expires
        from wm_inbox
       where tenant = :tenant
         and source = :source
         and id = :id
      """;

  private final Database database;

  SqliteMessageIntake(Database database) {
    this.database = database;
  }

  List<Stored> receive(List<MessageRow> messages) {
    return database.write(
        session -> {
          List<Stored> stored = new ArrayList<>(messages.size());
          for (MessageRow message : messages) {
            boolean fresh = MessageWriter.store(session, message);
            List<InstanceId> targets = SqliteMessageTargets.waits(session, message, 1);
            stored.add(new Stored(fresh, targets.isEmpty() ? null : targets.get(0)));
          }
          return stored;
        });
  }

  List<MessageRow> stored(Collection<Message.Key> messages) {
    return database.read(
        session -> {
          List<MessageRow> stored = new ArrayList<>();
          for (Message.Key key : messages) {
            stored.addAll(
                session
                    .query(STORED)
                    .set("tenant", key.tenant())
                    .set("source", key.source())
                    .set("id", key.id())
                    .list(RowMappers::message));
          }
          return stored;
        });
  }

  @Nullable MessageRow storedOn(Connection connection, Message.Key message) {
    try {
      return database
          .sessionOf(connection)
          .query(STORED)
          .set("tenant", message.tenant())
          .set("source", message.source())
          .set("id", message.id())
          .first(RowMappers::message);
    } catch (SQLException e) {
      throw SqliteFault.of(e);
    }
  }
}
