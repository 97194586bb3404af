package dev.waymark.proof.engine;

import java.util.Map;
import java.util.TreeMap;

/**
 * A change to one table of mallory's.
 *
 * @param seen whether the node comes across it and cannot read it; other tables hold nothing but
 *     names and numbers, and get the strangest row that their constraints let in
 */
record Planting(boolean seen, String sql) {

  /** SQLite has no plans that a node would look at. */
  static final String ONLY_ON_POSTGRES = "wm_plan_check";

  /** One change to each table, by its name. */
  static final Map<String, Planting> PLANTINGS =
      new TreeMap<>(
          Map.ofEntries(
              unreadable(
                  "wm_definition", "update wm_definition set source = 'no: [' where tenant = ?"),
              unreadable("wm_instance", "update wm_instance set variables = '{' where tenant = ?"),
              unreadable(
                  "wm_activity_instance",
                  "update wm_activity_instance set data = '{' where instance_id in "
                      + "(select id from wm_instance where tenant = ?)"),
              unreadable("wm_bookmark", "update wm_bookmark set payload = '{' where tenant = ?"),
              unreadable(
                  "wm_history",
                  "update wm_history set type = 999 where instance_id in "
                      + "(select id from wm_instance where tenant = ?)"),
              unreadable(
                  "wm_outbox",
                  "update wm_outbox set data = '{' where instance_id in "
                      + "(select id from wm_instance where tenant = ?)"),
              unreadable("wm_inbox", "update wm_inbox set payload = '{' where tenant = ?"),
              unreadable("wm_schedule", "update wm_schedule set spec = '{' where tenant = ?"),
              strange(
                  "wm_label",
                  "insert into wm_label (instance_id, name, value, tenant) "
                      + "select id, '', '', tenant from wm_instance where tenant = ?"),
              strange(
                  "wm_key",
                  "insert into wm_key (tenant, kind, key, instance_id) "
                      + "select tenant, 1, '', id from wm_instance where tenant = ? limit 1"),
              strange(
                  "wm_candidate",
                  "insert into wm_candidate (instance_id, tag, who, due, tenant) "
                      + "select id, 1, 'group:clerks', created, tenant from wm_instance "
                      + "where tenant = ?"),
              strange(
                  "wm_bookmark_archive",
                  "insert into wm_bookmark_archive (instance_id, tag, tenant, visit, kind, key, "
                      + "payload, state, fence, created, closed_at) "
                      + "select instance_id, tag, tenant, visit, kind, key, '{', 1, 0, created, "
                      + "created from wm_bookmark where tenant = ?"),
              strange(
                  "wm_turn",
                  "insert into wm_turn (tenant, name, turn) "
                      + "select tenant, '', 9223372036854775807 from wm_instance "
                      + "where tenant = ? limit 1"),
              strange(
                  "wm_command",
                  "insert into wm_command "
                      + "(tenant, scope, id, fingerprint, instance_id, version, at) "
                      + "select tenant, '', '', '', id, 1, created from wm_instance "
                      + "where tenant = ? limit 1"),
              strange(
                  "wm_node",
                  "insert into wm_node (id, name, state, valid_until, started, sinks) select id,"
                      + " '', 0, created, created, '{' from wm_instance where tenant = ?"),
              strange(
                  "wm_lane",
                  "update wm_lane set fence = 9000000000000000000 where lane = 5 and exists "
                      + "(select 1 from wm_instance where tenant = ?)"),
              strange(
                  "wm_payload",
                  "insert into wm_payload (tenant, hash, size, media_type, parts, upload, "
                      + "kept_until) select tenant, '%s', 9, '', 3, id, ".formatted("z".repeat(64))
                      + "created from wm_instance where tenant = ? limit 1"),
              strange(
                  "wm_payload_part",
                  "insert into wm_payload_part (upload, part, content) "
                      + "select i.id, 7, p.content from wm_instance i cross join (select content "
                      + "from wm_payload_part limit 1) p where i.tenant = ?"),
              strange(
                  "wm_payload_upload",
                  "insert into wm_payload_upload (id, tenant, until) "
                      + "select id, tenant, created from wm_instance where tenant = ?"),
              strange(
                  "wm_payload_use",
                  "insert into wm_payload_use (instance_id, tenant, hash) "
                      + "select id, tenant, '' from wm_instance where tenant = ?"),
              strange(
                  ONLY_ON_POSTGRES,
                  "insert into wm_plan_check (fingerprint, checked) "
                      + "select '', created from wm_instance where tenant = ? limit 1"),
              strange(
                  "wm_chore",
                  "insert into wm_chore (name, due, forgotten) "
                      + "select '', created, created from wm_instance where tenant = ? limit 1")));

  private static Map.Entry<String, Planting> unreadable(String table, String sql) {
    return Map.entry(table, new Planting(true, sql));
  }

  private static Map.Entry<String, Planting> strange(String table, String sql) {
    return Map.entry(table, new Planting(false, sql));
  }
}
