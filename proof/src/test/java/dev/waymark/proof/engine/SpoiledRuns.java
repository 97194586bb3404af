package dev.waymark.proof.engine;

import dev.waymark.engine.store.Store;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Runs of mallory that have rows which the test itself has made unreadable. */
final class SpoiledRuns {

  private final Set<UUID> spoiled = ConcurrentHashMap.newKeySet();
  private final Random plants;

  SpoiledRuns(long seed) {
    plants = new Random(seed);
  }

  int size() {
    return spoiled.size();
  }

  /**
   * Makes rows of one table unreadable.
   *
   * @return how many rows
   */
  int plant(Store store) {
    List<Planting> all = List.copyOf(Planting.PLANTINGS.values());
    String sql = all.get(plants.nextInt(all.size())).sql();
    return store.inTransaction(
        connection -> {
          try (PreparedStatement runs =
                  connection.prepareStatement(
                      "select id from wm_instance where tenant = 'mallory'");
              PreparedStatement planting = connection.prepareStatement(sql)) {
            planting.setString(1, "mallory");
            int planted = planting.executeUpdate();
            // Read after it, so that none is missing that was there before.
            try (ResultSet found = runs.executeQuery()) {
              while (found.next()) {
                spoiled.add(found.getObject(1, UUID.class));
              }
            }
            return planted;
          }
        });
  }

  /**
   * Removes the runs with spoiled rows, and what was planted beside them: the checker looks at all
   * that is there. What is left of mallory's is sound and stays.
   *
   * @return how many runs are left
   */
  int setAside(Store store) {
    List<String> statements = new ArrayList<>();
    for (String table :
        List.of(
            "wm_activity_instance",
            "wm_bookmark",
            "wm_bookmark_archive",
            "wm_candidate",
            "wm_command",
            "wm_history",
            "wm_inbox",
            "wm_key",
            "wm_label",
            "wm_outbox",
            "wm_payload_use")) {
      statements.add("delete from " + table + " where instance_id = any (?)");
    }
    statements.add("delete from wm_node where id = any (?)");
    statements.add("delete from wm_instance where id = any (?)");
    return store.inTransaction(
        connection -> {
          // A child would be without its parent.
          try (PreparedStatement children =
              connection.prepareStatement("select id from wm_instance where parent_id = any (?)")) {
            children.setArray(1, connection.createArrayOf("uuid", spoiled.toArray()));
            try (ResultSet rows = children.executeQuery()) {
              while (rows.next()) {
                spoiled.add(rows.getObject(1, UUID.class));
              }
            }
          }
          for (String sql : statements) {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
              statement.setArray(1, connection.createArrayOf("uuid", spoiled.toArray()));
              statement.executeUpdate();
            }
          }
          // Messages for nobody yet, schedules and payloads have no run that they would go with.
          for (String sql :
              List.of(
                  "delete from wm_inbox where tenant = 'mallory' and instance_id is null",
                  "delete from wm_schedule where tenant = 'mallory'",
                  "delete from wm_payload_part",
                  "delete from wm_payload_upload where tenant = 'mallory'",
                  "delete from wm_payload where tenant = 'mallory'")) {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
              statement.executeUpdate();
            }
          }
          try (PreparedStatement statement =
                  connection.prepareStatement("select count(*) from wm_instance");
              ResultSet rows = statement.executeQuery()) {
            rows.next();
            return rows.getInt(1);
          }
        });
  }
}
