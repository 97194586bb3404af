package dev.waymark.sqlite.internal.commit;

import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.engine.store.UnitRows.BookmarkRow;
import dev.waymark.engine.store.UnitRows.LabelRow;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.engine.store.UnitRows.OutboxRow;
import dev.waymark.sqlite.internal.file.MessageWriter;
import dev.waymark.sqlite.internal.file.Session;
import dev.waymark.sqlite.internal.file.UuidBytes;
import java.sql.SQLException;
import java.time.Instant;

/**
 * Writes one unit: first its gates, then its rows. The caller undoes everything unless the outcome
 * is {@code COMMITTED}; a gate may have written by then.
 */
final class UnitWriter {

  private static final String CLEAR_LABELS =
      """
      delete from wm_label where instance_id = :instance
      """;

  private static final String LABEL =
      """
      insert into wm_label (instance_id, name, value, tenant)
      values (:instance, :name, :value, :tenant)
      """;

  private static final String CREATE_BOOKMARK =
      """
      insert into wm_bookmark
        (instance_id, tag, tenant, visit, kind, key, payload, due, state,
         holder, lease_until, fence, created, closed_by, closed_at,
         priority, correlation, expires, terms, audience)
      values
        (:instance, :tag, :tenant, :visit, :kind, :key, :payload, :due, :state,
         :holder, :lease_until, :fence, :created, :closed_by, :closed_at,
         :priority, :correlation, :expires, :terms, :audience)
      """;

  private static final String EMIT =
      """
      insert into wm_outbox (lane, sink, event_id, instance_id, version, ordinal, type, data)
      values (:lane, :sink, :event_id, :instance, :version, :ordinal, :type, :data)
      """;

  // A reference that an expression has made out of nothing names no payload, and gets no row.
  private static final String USE_PAYLOAD =
      """
      insert into wm_payload_use (instance_id, tenant, hash)
      select :instance, p.tenant, p.hash
        from wm_payload p
       where p.tenant = :tenant
         and p.hash = :hash
      on conflict (instance_id, hash) do nothing
      """;

  private final Session session;
  private final UnitRows unit;
  private final Instant now;
  private final byte[] id;

  UnitWriter(Session session, UnitRows unit, Instant now) {
    this.session = session;
    this.unit = unit;
    this.now = now;
    this.id = UuidBytes.of(unit.id().value());
  }

  Outcome write() throws SQLException {
    Outcome outcome = new UnitGates(session, unit, id, now).pass();
    if (outcome != Outcome.COMMITTED) {
      return outcome;
    }
    writeLabels();
    new VisitWriter(session, unit, id).write();
    for (BookmarkRow bookmark : unit.created()) {
      create(bookmark);
    }
    new CandidateWriter(session, unit, id).write();
    for (OutboxRow event : unit.events()) {
      emit(event);
    }
    for (MessageRow message : unit.sent()) {
      MessageWriter.store(session, message);
    }
    for (String hash : unit.payloads()) {
      use(hash);
    }
    return Outcome.COMMITTED;
  }

  private void writeLabels() throws SQLException {
    if (unit.labels() == null) {
      return;
    }
    if (!unit.isStart()) {
      session.query(CLEAR_LABELS).set("instance", id).update();
    }
    for (LabelRow label : unit.labels()) {
      session
          .query(LABEL)
          .set("instance", id)
          .set("name", label.name())
          .set("value", label.value())
          .set("tenant", unit.instance().tenant())
          .update();
    }
  }

  private void create(BookmarkRow bookmark) throws SQLException {
    session
        .query(CREATE_BOOKMARK)
        .set("instance", id)
        .set("tag", bookmark.tag())
        .set("tenant", unit.instance().tenant())
        .set("visit", bookmark.visit())
        .set("kind", bookmark.kind())
        .set("key", bookmark.key())
        .set("payload", bookmark.payload())
        .setDue("due", bookmark.due())
        .set("state", bookmark.state())
        .set("holder", bookmark.holder())
        .set("lease_until", bookmark.leaseUntil())
        .set("fence", bookmark.fence())
        .set("created", bookmark.created())
        .set("closed_by", bookmark.closedBy())
        .set("closed_at", bookmark.closedAt())
        .set("priority", bookmark.terms().priority())
        .set("correlation", bookmark.terms().correlation())
        .set("expires", bookmark.terms().expires())
        .set("terms", bookmark.terms().document())
        .set("audience", bookmark.terms().audience())
        .update();
  }

  private void use(String hash) throws SQLException {
    session
        .query(USE_PAYLOAD)
        .set("instance", id)
        .set("tenant", unit.instance().tenant())
        .set("hash", hash)
        .update();
  }

  private void emit(OutboxRow event) throws SQLException {
    session
        .query(EMIT)
        .set("lane", event.lane())
        .set("sink", event.sink())
        .set("event_id", event.eventId())
        .set("instance", id)
        .set("version", event.version())
        .set("ordinal", event.ordinal())
        .set("type", event.type())
        .set("data", event.data())
        .update();
  }
}
