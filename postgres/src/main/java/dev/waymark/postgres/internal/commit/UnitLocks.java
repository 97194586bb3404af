package dev.waymark.postgres.internal.commit;

import dev.waymark.core.instance.Message;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.engine.store.UnitRows.ReceiptRow;
import dev.waymark.engine.store.UnitRows.SpendRow;
import dev.waymark.postgres.internal.sql.ArrayType;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * Locks the rows that a unit changes and others change too, before the unit is sent once more.
 *
 * <p>The commit statement finds rows by the place at which it locked them. A row that another
 * transaction changed between the statement's snapshot and its lock lies at a place that the
 * snapshot does not see. Once the rows are locked by an earlier statement, the next snapshot sees
 * them at their place, and no other transaction can move them.
 */
final class UnitLocks {

  private static final String INSTANCE = "select 1 from wm_instance where id = ? for update";

  private static final String WAITS =
      """
      select 1
        from wm_bookmark
       where instance_id = ?
         and tag = any (?)
       order by tag
         for update
      """;

  private static final String MESSAGES =
      """
      select 1
        from (
          select *
            from unnest(cast(? as text[]), cast(? as text[]), cast(? as text[]))
                 as key(tenant, source, id)
           order by tenant, source, id
          offset 0
        ) key
       cross join lateral (
         select 1
           from wm_inbox m
          where m.tenant = key.tenant
            and m.source = key.source
            and m.id = key.id
            for update
       ) m
      """;

  private UnitLocks() {}

  /** Waits for the rows, in the order in which a commit locks them. */
  static void take(Connection connection, UnitRows unit) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(INSTANCE)) {
      statement.setObject(1, unit.id().value());
      statement.execute();
    }
    if (!unit.spends().isEmpty()) {
      Long[] tags = unit.spends().stream().map(SpendRow::tag).toArray(Long[]::new);
      try (PreparedStatement statement = connection.prepareStatement(WAITS)) {
        statement.setObject(1, unit.id().value());
        statement.setArray(2, ArrayType.INT8.array(connection, tags));
        statement.execute();
      }
    }
    if (!unit.received().isEmpty()) {
      List<Message.Key> keys = unit.received().stream().map(ReceiptRow::key).toList();
      try (PreparedStatement statement = connection.prepareStatement(MESSAGES)) {
        texts(connection, statement, 1, keys.stream().map(Message.Key::tenant).toList());
        texts(connection, statement, 2, keys.stream().map(Message.Key::source).toList());
        texts(connection, statement, 3, keys.stream().map(Message.Key::id).toList());
        statement.execute();
      }
    }
  }

  private static void texts(
      Connection connection, PreparedStatement statement, int position, List<String> values)
      throws SQLException {
    statement.setArray(position, ArrayType.TEXT.array(connection, values.toArray(String[]::new)));
  }
}
