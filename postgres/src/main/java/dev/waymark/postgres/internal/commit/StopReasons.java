package dev.waymark.postgres.internal.commit;

import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.postgres.internal.sql.ArrayInput;
import dev.waymark.postgres.internal.sql.DatabaseClock;
import dev.waymark.postgres.internal.sql.HotStatement;
import dev.waymark.postgres.internal.sql.NamedText;
import dev.waymark.postgres.internal.sql.PlanSettings;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The question why the gates of a commit stopped units, asked only when they stopped some.
 *
 * <p>A question of its own, since the commit would carry it for every batch: a third of its plan
 * was there for reasons that hardly ever occur. It is asked after the commit and without locks, so
 * it only explains. Versions rise and a spent row stays spent, so no answer that stops a unit for
 * good can have become wrong meanwhile; if the cause is gone by then, there is no reason.
 */
final class StopReasons {

  static final List<ArrayInput<UnitRows, ?>> INPUTS =
      List.of(
          CommitInputs.UNIT,
          CommitInputs.SPEND,
          CommitInputs.RECEIPT,
          CommitInputs.COMMAND,
          CommitInputs.TAKEN);

  // Tables are asked for a value, not by EXISTS, which the planner may answer by reading a whole
  // one into a hash. A step whose command is known is to be decided again: its next load finds it.
  static final String TEXT =
      """
      with
      unit as materialized (
        {unit}
      ),
      spend as materialized (
        {spend}
      ),
      receipt as materialized (
        {receipt}
      ),
      command as materialized (
        {command}
      ),
      taken as materialized (
        {taken}
      )
      select unit.n,
             case
               when cast(:node as uuid) is not null
                 and (select node.id
                        from wm_node node
                       where node.id = :node
                         and node.state = 0
                         and node.valid_until
                             > coalesce(cast(:now as timestamptz), statement_timestamp())) is null
                 then 'NODE_NOT_ALIVE'
               when unit.before > 0
                 and (select i.version from wm_instance i where i.id = unit.id)
                     is distinct from unit.before
                 then 'STALE'
               when unit.before = 0
                 and (select i.version from wm_instance i where i.id = unit.id) is not null
                 then 'EXISTS'
               when exists (
                   select 1
                     from command
                    where command.n = unit.n
                      and (select c.version
                             from wm_command c
                            where c.tenant = unit.tenant
                              and c.scope = command.scope
                              and c.id = command.id) is not null)
                 then case unit.before when 0 then 'EXISTS' else 'STALE' end
               when exists (
                   select 1
                     from taken
                    where taken.n = unit.n
                      and (select k.instance_id
                             from wm_key k
                            where k.tenant = unit.tenant
                              and k.kind = taken.kind
                              and k.key = taken.key) is not null)
                 then 'EXISTS'
               when exists (
                   select 1
                     from spend
                    where spend.n = unit.n
                      and (select b.tag
                             from wm_bookmark b
                            where b.instance_id = unit.id
                              and b.tag = spend.tag
                              and b.state = 0
                              and case spend.guard
                                    when 0 then true
                                    when 1 then b.holder is null
                                      or b.lease_until
                                         <= coalesce(cast(:now as timestamptz), statement_timestamp())
                                    when 2 then b.holder is not null and b.fence = spend.fence
                                    when 3 then b.due
                                      <= coalesce(cast(:now as timestamptz), statement_timestamp())
                                  end) is null)
                 then 'NOT_SPENDABLE'
               when exists (
                   select 1
                     from receipt
                    where receipt.n = unit.n
                      and (select m.state
                             from wm_inbox m
                            where m.tenant = receipt.tenant
                              and m.source = receipt.source
                              and m.id = receipt.id
                              and (m.instance_id = unit.id or m.correlation is not null)
                              and m.state < 1) is null)
                 then 'NOT_SPENDABLE'
             end as reason
        from unit
       order by unit.n
      """
          .replace("{unit}", CommitInputs.UNIT.select())
          .replace("{spend}", CommitInputs.SPEND.select())
          .replace("{receipt}", CommitInputs.RECEIPT.select())
          .replace("{command}", CommitInputs.COMMAND.select())
          .replace("{taken}", CommitInputs.TAKEN.select());

  static final HotStatement HOT =
      new HotStatement("why units were stopped", TEXT, CommitInputs.types(INPUTS));

  private final DatabaseClock clock;
  private final PlanSettings pins;
  private final NamedText text;

  StopReasons(DatabaseClock clock, PlanSettings pins) {
    this.clock = clock;
    this.pins = pins;
    this.text = NamedText.of(pins.alone(TEXT));
  }

  /** One for each unit, in their order; null where nothing is in its way any more. */
  List<@Nullable Outcome> of(Connection connection, @Nullable NodeId node, List<UnitRows> stopped)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(text.sql())) {
      CommitInputs.bind(
          statement, text, clock, node, CommitInputs.arrays(connection, INPUTS, stopped));
      List<@Nullable Outcome> reasons = new ArrayList<>(stopped.size());
      try (ResultSet rows = pins.query(statement)) {
        while (rows.next()) {
          String reason = rows.getString("reason");
          reasons.add(reason == null ? null : Outcome.valueOf(reason));
        }
      }
      return reasons;
    }
  }
}
