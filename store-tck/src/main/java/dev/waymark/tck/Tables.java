package dev.waymark.tck;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.store.Store;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rows of an instance, read from the tables past the store that is being judged. */
public final class Tables {

  private static final List<String> OF_INSTANCE =
      List.of(
          "wm_label",
          "wm_key",
          "wm_activity_instance",
          "wm_bookmark",
          "wm_bookmark_archive",
          "wm_candidate",
          "wm_history",
          "wm_outbox",
          "wm_inbox",
          "wm_command",
          "wm_payload_use");

  private final Store store;
  private final StoreFactory stores;

  public Tables(Store store, StoreFactory stores) {
    this.store = store;
    this.stores = stores;
  }

  /** Every row of an instance as text, by table; a table without one is left out. */
  public Map<String, List<String>> rowsOf(InstanceId instance) {
    return store.inTransaction(
        connection -> {
          Map<String, List<String>> rows = new LinkedHashMap<>();
          put(rows, "wm_instance", rows(connection, "wm_instance", "id", instance));
          for (String table : OF_INSTANCE) {
            put(rows, table, rows(connection, table, "instance_id", instance));
          }
          return rows;
        });
  }

  private static void put(Map<String, List<String>> rows, String table, List<String> found) {
    if (!found.isEmpty()) {
      rows.put(table, found);
    }
  }

  private List<String> rows(Connection connection, String table, String column, InstanceId instance)
      throws SQLException {
    String sql = "select * from " + table + " where " + column + " = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, stores.parameter(instance.value()));
      try (ResultSet result = statement.executeQuery()) {
        List<String> rows = new ArrayList<>();
        while (result.next()) {
          rows.add(row(result));
        }
        Collections.sort(rows);
        return rows;
      }
    }
  }

  private static String row(ResultSet result) throws SQLException {
    List<String> values = new ArrayList<>();
    for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
      values.add(text(result.getObject(i)));
    }
    return String.join("|", values);
  }

  private static String text(@Nullable Object value) {
    return value instanceof byte[] bytes ? Arrays.toString(bytes) : String.valueOf(value);
  }
}
