package dev.waymark.sqlite.internal.commit;

import dev.waymark.engine.store.UnitRows;
import dev.waymark.engine.store.UnitRows.ActivityRow;
import dev.waymark.engine.store.UnitRows.HistoryRow;
import dev.waymark.sqlite.internal.file.Query;
import dev.waymark.sqlite.internal.file.Session;
import java.sql.SQLException;

/**
 * Writes what every unit has: visits and history.
 *
 * <p>The version has been checked, so the visits that a unit ends or changes are there. If one is
 * not, the unit was decided on a state that never was, and must not be committed.
 */
final class VisitWriter {

  private static final String END =
      """
      delete from wm_activity_instance where instance_id = :instance and visit = :visit
      """;

  private static final String CHANGE =
      """
      update wm_activity_instance
         set activity = :activity, parent = :parent, state = :state, attempt = :attempt,
             failures = :failures, crashes = :crashes, node = :node, due = :due,
             entered = :entered, data = :data, fault = :fault
       where instance_id = :instance
         and visit = :visit
      """;

  private static final String BEGIN =
      """
      insert into wm_activity_instance
        (instance_id, visit, activity, parent, state, attempt, failures, crashes,
         node, due, entered, data, fault)
      values
        (:instance, :visit, :activity, :parent, :state, :attempt, :failures, :crashes,
         :node, :due, :entered, :data, :fault)
      """;

  private static final String NOTE =
      """
      insert into wm_history
        (instance_id, version, ordinal, type, activity, visit, attempt, node, bookmark, actor,
         command_id, at, duration_us, events, changes, detail, snapshot)
      values
        (:instance, :version, :ordinal, :type, :activity, :visit, :attempt, :node, :bookmark, :actor,
         :command_id, :at, :duration_us, :events, :changes, :detail, :snapshot)
      """;

  private final Session session;
  private final UnitRows unit;
  private final byte[] id;

  VisitWriter(Session session, UnitRows unit, byte[] id) {
    this.session = session;
    this.unit = unit;
    this.id = id;
  }

  void write() throws SQLException {
    for (long visit : unit.ended()) {
      check(session.query(END).set("instance", id).set("visit", visit).update(), visit);
    }
    for (ActivityRow visit : unit.changed()) {
      check(bind(session.query(CHANGE), visit).update(), visit.visit());
    }
    for (ActivityRow visit : unit.begun()) {
      bind(session.query(BEGIN), visit).update();
    }
    for (HistoryRow entry : unit.history()) {
      note(entry);
    }
  }

  private void check(int rows, long visit) {
    if (rows != 1) {
      throw new IllegalStateException(
          "Expected visit %d of instance %s to be alive, but it is not there"
              .formatted(visit, unit.id()));
    }
  }

  private Query bind(Query query, ActivityRow visit) throws SQLException {
    return query
        .set("instance", id)
        .set("visit", visit.visit())
        .set("activity", visit.activity())
        .set("parent", visit.parent())
        .set("state", visit.state())
        .set("attempt", visit.attempt())
        .set("failures", visit.failures())
        .set("crashes", visit.crashes())
        .set("node", visit.node() == null ? null : visit.node().value())
        .setDue("due", visit.due())
        .set("entered", visit.entered())
        .set("data", visit.data())
        .set("fault", visit.fault());
  }

  private void note(HistoryRow entry) throws SQLException {
    session
        .query(NOTE)
        .set("instance", id)
        .set("version", entry.version())
        .set("ordinal", entry.ordinal())
        .set("type", entry.type())
        .set("activity", entry.activity())
        .set("visit", entry.visit())
        .set("attempt", entry.attempt())
        .set("node", entry.node() == null ? null : entry.node().value())
        .set("bookmark", entry.bookmark())
        .set("actor", entry.actor())
        .set("command_id", entry.commandId())
        .set("at", entry.at())
        .set("duration_us", entry.durationMicros())
        .set("events", entry.events())
        .set("changes", entry.changes())
        .set("detail", entry.detail())
        .set("snapshot", entry.snapshot())
        .update();
  }
}
