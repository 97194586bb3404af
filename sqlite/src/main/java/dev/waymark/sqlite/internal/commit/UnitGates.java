package dev.waymark.sqlite.internal.commit;

import dev.waymark.core.instance.Instance.Origin.Parent;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.engine.store.UnitRows.CommandRow;
import dev.waymark.engine.store.UnitRows.InstanceRow;
import dev.waymark.engine.store.UnitRows.KeyRow;
import dev.waymark.engine.store.UnitRows.ReceiptRow;
import dev.waymark.engine.store.UnitRows.SpendRow;
import dev.waymark.sqlite.internal.file.Query;
import dev.waymark.sqlite.internal.file.Session;
import java.sql.SQLException;
import java.time.Instant;

/**
 * The gates that a unit must pass: its version, the rows that it spends, and keys that are unique
 * across instances. Each gate is the write itself, which must change one row; so a unit that is
 * stopped at the second has to be undone.
 */
final class UnitGates {

  private static final String START =
      """
      insert into wm_instance
        (id, tenant, definition_id, version, status, visits, variables, extra,
         business_key, correlation_id, trace_parent, created, updated, ended,
         parent_id, parent_visit, parent_reports)
      values
        (:id, :tenant, :definition, :version, :status, :visits, :variables, :extra,
         :business_key, :correlation_id, :trace_parent, :created, :updated, :ended,
         :parent_id, :parent_visit, :parent_reports)
      on conflict (id) do nothing
      """;

  // Most steps leave the status as it is, and setting an indexed column to its old value would
  // still move its index entry. So the common case does not name it.
  private static final String MOVE =
      """
      update wm_instance
         set version = :version, visits = :visits, variables = coalesce(:variables, variables),
             variables_at = case
               when :patched then coalesce(variables_at, :before)
               when :variables is null then variables_at
             end,
             extra = :extra, updated = :updated, ended = :ended
       where id = :id
         and version = :before
         and status = :status
         and definition_id = :definition
      """;

  private static final String MOVE_STATUS =
      """
      update wm_instance
         set version = :version, visits = :visits, variables = coalesce(:variables, variables),
             variables_at = case
               when :patched then coalesce(variables_at, :before)
               when :variables is null then variables_at
             end,
             extra = :extra, updated = :updated, ended = :ended, status = :status,
             definition_id = :definition
       where id = :id
         and version = :before
      """;

  private static final String SPEND =
      """
      update wm_bookmark
         set state = :state, closed_by = :closed_by, closed_at = :closed_at,
             holder = case :state when 0 then holder end,
             lease_until = case :state when 0 then lease_until end
       where instance_id = :instance
         and tag = :tag
         and state = 0
         and case :guard
               when 'ANY' then true
               when 'FREE' then holder is null or lease_until <= :now
               when 'FENCE' then holder is not null and fence = :fence
               when 'DUE' then due <= :now
             end
      """;

  private static final String RECEIVE =
      """
      update wm_inbox
         set state = 1, spent_version = :version, instance_id = :instance
       where tenant = :tenant
         and source = :source
         and id = :id
         and (instance_id = :instance or correlation is not null)
         and state = 0
      """;

  // A message that a step has sent comes from that step alone, so no row is needed to recognise a
  // duplicate.
  private static final String DROP =
      """
      delete from wm_inbox
       where tenant = :tenant
         and source = :source
         and id = :id
         and instance_id = :instance
         and state = 0
      """;

  private static final String FREE_KEY =
      """
      delete from wm_key
       where tenant = :tenant and kind = :kind and key = :key and instance_id = :instance
      """;

  private static final String TAKE_KEY =
      """
      insert into wm_key (tenant, kind, key, instance_id)
      values (:tenant, :kind, :key, :instance)
      on conflict (tenant, kind, key) do nothing
      """;

  private static final String COMMAND =
      """
      insert into wm_command (tenant, scope, id, fingerprint, instance_id, version, at)
      values (:tenant, :scope, :id, :fingerprint, :instance, :version, :at)
      on conflict (tenant, scope, id) do nothing
      """;

  private final Session session;
  private final UnitRows unit;
  private final Instant now;
  private final InstanceRow instance;
  private final byte[] id;

  UnitGates(Session session, UnitRows unit, byte[] id, Instant now) {
    this.session = session;
    this.unit = unit;
    this.now = now;
    this.instance = unit.instance();
    this.id = id;
  }

  /** The outcome of the gate that stopped the unit, or {@code COMMITTED} if it has passed. */
  Outcome pass() throws SQLException {
    Outcome outrun = unit.isStart() ? Outcome.EXISTS : Outcome.STALE;
    if (unit.isStart() ? !started() : !moved()) {
      return outrun;
    }
    if (!spent() || !received()) {
      return Outcome.NOT_SPENDABLE;
    }
    if (!keysTaken()) {
      return Outcome.EXISTS;
    }
    return remembered() ? Outcome.COMMITTED : outrun;
  }

  private boolean started() throws SQLException {
    Parent parent = instance.parent();
    int rows =
        session
            .query(START)
            .set("id", id)
            .set("tenant", instance.tenant())
            .set("definition", instance.definition())
            .set("version", instance.version())
            .set("status", instance.status())
            .set("visits", instance.visits())
            .set("variables", instance.variables())
            .set("extra", instance.extra())
            .set("business_key", instance.businessKey())
            .set("correlation_id", instance.correlationId())
            .set("trace_parent", instance.traceParent())
            .set("created", instance.created())
            .set("updated", instance.updated())
            .set("ended", instance.ended())
            .set("parent_id", parent == null ? null : parent.instance().value())
            .set("parent_visit", parent == null ? null : (Long) parent.visit())
            .set("parent_reports", parent == null ? null : (Long) (parent.reports() ? 1L : 0L))
            .update();
    return rows == 1;
  }

  private boolean moved() throws SQLException {
    return move(MOVE) || move(MOVE_STATUS);
  }

  private boolean move(String sql) throws SQLException {
    int rows =
        session
            .query(sql)
            .set("version", instance.version())
            .set("visits", instance.visits())
            .set("variables", instance.variables())
            .set("patched", unit.patched() ? 1 : 0)
            .set("extra", instance.extra())
            .set("updated", instance.updated())
            .set("ended", instance.ended())
            .set("status", instance.status())
            .set("definition", instance.definition())
            .set("id", id)
            .set("before", unit.before())
            .update();
    return rows == 1;
  }

  private boolean spent() throws SQLException {
    for (SpendRow spend : unit.spends()) {
      int rows =
          session
              .query(SPEND)
              .set("state", spend.state())
              .set("closed_by", spend.closedBy())
              .set("closed_at", spend.closedAt())
              .set("instance", id)
              .set("tag", spend.tag())
              .set("guard", spend.guard().name())
              .set("fence", spend.fence())
              .set("now", now)
              .update();
      if (rows != 1) {
        return false;
      }
    }
    return true;
  }

  private boolean received() throws SQLException {
    for (ReceiptRow receipt : unit.received()) {
      if (received(receipt) != 1) {
        return false;
      }
    }
    return true;
  }

  private int received(ReceiptRow receipt) throws SQLException {
    boolean fromStep = receipt.key().source().equals(Message.FROM_A_STEP);
    Query query =
        fromStep ? session.query(DROP) : session.query(RECEIVE).set("version", receipt.version());
    return query
        .set("tenant", receipt.key().tenant())
        .set("source", receipt.key().source())
        .set("id", receipt.key().id())
        .set("instance", id)
        .update();
  }

  // Freed before taken: a unit of several steps may hand a key on within the instance.
  private boolean keysTaken() throws SQLException {
    for (KeyRow key : unit.keysFreed()) {
      if (update(FREE_KEY, key) != 1) {
        throw new IllegalStateException(
            "Expected instance %s to hold key '%s', but it does not"
                .formatted(unit.id(), key.key()));
      }
    }
    for (KeyRow key : unit.keysTaken()) {
      if (update(TAKE_KEY, key) != 1) {
        return false;
      }
      if (!unit.holdsKeys()) {
        update(FREE_KEY, key);
      }
    }
    return true;
  }

  private int update(String sql, KeyRow key) throws SQLException {
    return session
        .query(sql)
        .set("tenant", instance.tenant())
        .set("kind", key.kind())
        .set("key", key.key())
        .set("instance", id)
        .update();
  }

  // Another command with this id was first; loading again finds it.
  private boolean remembered() throws SQLException {
    for (CommandRow command : unit.commands()) {
      int rows =
          session
              .query(COMMAND)
              .set("tenant", instance.tenant())
              .set("scope", command.scope())
              .set("id", command.id())
              .set("fingerprint", command.fingerprint())
              .set("instance", id)
              .set("version", command.version())
              .set("at", command.at())
              .update();
      if (rows != 1) {
        return false;
      }
    }
    return true;
  }
}
