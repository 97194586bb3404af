package dev.waymark.sqlite.internal.file;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.store.UnitRows.MessageRow;
import java.sql.SQLException;

/** Writes a message into the inbox, whether a step sends it or it comes from outside. */
public final class MessageWriter {

  private static final String STORE =
      """
      insert into wm_inbox (tenant, source, id, instance_id, name, payload, sender, received,
                            correlation, expires)
      values (:tenant, :source, :id, :instance, :name, :payload, :sender, :received,
              :correlation, :expires)
      on conflict (tenant, source, id) do nothing
      """;

  private MessageWriter() {}

  /** False if the message was there before: it is left as it is, and that is no fault. */
  public static boolean store(Session session, MessageRow message) throws SQLException {
    InstanceId addressee = message.addressee();
    int rows =
        session
            .query(STORE)
            .set("tenant", message.key().tenant())
            .set("source", message.key().source())
            .set("id", message.key().id())
            .set("instance", addressee == null ? null : addressee.value())
            .set("name", message.name())
            .set("payload", message.payload())
            .set("sender", message.sender())
            .set("received", message.received())
            .set("correlation", message.correlation())
            .set("expires", message.expires())
            .update();
    return rows == 1;
  }
}
