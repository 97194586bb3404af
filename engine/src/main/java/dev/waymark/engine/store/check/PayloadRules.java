package dev.waymark.engine.store.check;

import static dev.waymark.engine.store.Invariant.I14;

import java.util.List;

/** Payloads: whole, of runs that are there, and with no parts that belong to nothing. */
final class PayloadRules {

  private static final String USES =
      """
      select u.instance_id,
             'payload ' || u.hash as item,
             case when p.hash is null then 'used, but it is not there'
                  else 'of tenant ' || u.tenant || ', but its instance is of '
                         || coalesce(i.tenant, 'none')
              end as detail
        from wm_payload_use u
        left join wm_instance i on i.id = u.instance_id
        left join wm_payload p on p.tenant = u.tenant and p.hash = u.hash
       where p.hash is null
          or i.id is null
          or i.tenant <> u.tenant
       limit :limit
      """;

  private static final String WHOLE =
      """
      select cast(null as text) as instance_id,
             'payload ' || p.hash || ' of tenant ' || p.tenant as item,
             'of ' || p.size || ' bytes in ' || p.parts || ' parts, but there are '
               || coalesce(sum(length(t.content)), 0) || ' in ' || count(t.part) as detail
        from wm_payload p
        left join wm_payload_part t on t.upload = p.upload
       group by p.tenant, p.hash, p.size, p.parts
      having count(t.part) <> p.parts
          or coalesce(max(t.part), -1) <> p.parts - 1
          or coalesce(sum(length(t.content)), 0) <> p.size
       limit :limit
      """;

  // The housekeeping finds what it removes by the rows of uploads.
  private static final String PARTS =
      """
      select cast(null as text) as instance_id,
             'part ' || t.part || ' of an upload' as item,
             'of no payload, and of no upload that could be removed' as detail
        from wm_payload_part t
       where not exists (select 1 from wm_payload p where p.upload = t.upload)
         and not exists (select 1 from wm_payload_upload u where u.id = t.upload)
       limit :limit
      """;

  static final List<Rule> ALL =
      List.of(Rule.always(I14, USES), Rule.always(I14, WHOLE), Rule.always(I14, PARTS));

  private PayloadRules() {}
}
