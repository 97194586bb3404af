with
unit as materialized (
  select unnest(:unit_n) as n,
         unnest(:unit_id) as id,
         unnest(:unit_tenant) as tenant,
         unnest(:unit_definition) as definition,
         unnest(:unit_before) as before,
         unnest(:unit_version) as version,
         unnest(:unit_status) as status,
         unnest(:unit_visits) as visits,
         unnest(:unit_variables) as variables,
         unnest(:unit_patched) as patched,
         unnest(:unit_extra) as extra,
         timestamptz 'epoch' + unnest(:unit_updated) * interval '1 microsecond' as updated,
         timestamptz 'epoch' + unnest(:unit_ended) * interval '1 microsecond' as ended,
         unnest(:unit_spends) as spends,
         unnest(:unit_touches) as touches
),
spend as materialized (
  select unnest(:spend_n) as n,
         unnest(:spend_tag) as tag,
         unnest(:spend_guard) as guard,
         unnest(:spend_fence) as fence,
         unnest(:spend_state) as state,
         unnest(:spend_closed_by) as closed_by,
         timestamptz 'epoch' + unnest(:spend_closed_at) * interval '1 microsecond' as closed_at
),
receipt as materialized (
  select unnest(:receipt_n) as n,
         unnest(:receipt_tenant) as tenant,
         unnest(:receipt_source) as source,
         unnest(:receipt_id) as id,
         unnest(:receipt_version) as version
),
command as materialized (
  select unnest(:command_n) as n,
         unnest(:command_scope) as scope,
         unnest(:command_id) as id,
         unnest(:command_fingerprint) as fingerprint,
         unnest(:command_version) as version,
         timestamptz 'epoch' + unnest(:command_at) * interval '1 microsecond' as at
),
taken as materialized (
  select unnest(:taken_n) as n,
         unnest(:taken_kind) as kind,
         unnest(:taken_key) as key
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
