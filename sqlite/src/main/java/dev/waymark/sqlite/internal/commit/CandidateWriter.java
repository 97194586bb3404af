package dev.waymark.sqlite.internal.commit;

import dev.waymark.engine.store.UnitRows;
import dev.waymark.engine.store.UnitRows.AmendRow;
import dev.waymark.engine.store.UnitRows.CandidateRow;
import dev.waymark.sqlite.internal.file.Micros;
import dev.waymark.sqlite.internal.file.Query;
import dev.waymark.sqlite.internal.file.Session;
import java.sql.SQLException;

/** Writes what becomes of waits that stay open, and in whose inboxes waits are shown. */
final class CandidateWriter {

  // A wait that rests after it was given back, and has no holder, may be claimed again at once.
  private static final String AMEND =
      """
      update wm_bookmark
         set payload = :payload,
             due = :due,
             priority = :priority,
             correlation = :correlation,
             expires = :expires,
             terms = :terms,
             audience = :audience,
             stage = case when :released or stage = 2 then 0 else stage end,
             extensions = case when :released then 0 else extensions end,
             holder = case when :released or stage = 2 then null else holder end,
             lease_until = case when :released or stage = 2 then null else lease_until end
       where instance_id = :instance
         and tag = :tag
      """;

  private static final String DISMISS =
      """
      delete from wm_candidate
       where instance_id = :instance
         and tag = :tag
         and who = :who
         and due = coalesce(:due, :never)
      """;

  private static final String NAME =
      """
      insert into wm_candidate (instance_id, tag, who, due, tenant)
      values (:instance, :tag, :who, coalesce(:due, :never), :tenant)
      """;

  private final Session session;
  private final UnitRows unit;
  private final byte[] id;

  CandidateWriter(Session session, UnitRows unit, byte[] id) {
    this.session = session;
    this.unit = unit;
    this.id = id;
  }

  void write() throws SQLException {
    for (AmendRow amend : unit.amended()) {
      amend(amend);
    }
    for (CandidateRow candidate : unit.dismissed()) {
      if (candidate(DISMISS, candidate).update() != 1) {
        throw new IllegalStateException(
            "Expected %s to be a candidate of %s, but it is not"
                .formatted(candidate.who(), unit.id()));
      }
    }
    for (CandidateRow candidate : unit.candidates()) {
      candidate(NAME, candidate).set("tenant", unit.instance().tenant()).update();
    }
  }

  private Query candidate(String sql, CandidateRow candidate) throws SQLException {
    return session
        .query(sql)
        .set("instance", id)
        .set("tag", candidate.tag())
        .set("who", candidate.who())
        .setDue("due", candidate.due())
        .set("never", Micros.NEVER);
  }

  private void amend(AmendRow amend) throws SQLException {
    session
        .query(AMEND)
        .set("payload", amend.payload())
        .setDue("due", amend.due())
        .set("priority", amend.terms().priority())
        .set("correlation", amend.terms().correlation())
        .set("expires", amend.terms().expires())
        .set("terms", amend.terms().document())
        .set("audience", amend.terms().audience())
        .set("released", amend.released() ? 1 : 0)
        .set("instance", id)
        .set("tag", amend.tag())
        .update();
  }
}
