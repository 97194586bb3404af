package dev.waymark.postgres.internal.table;

import dev.waymark.core.instance.Candidates;
import dev.waymark.engine.store.Turns;
import dev.waymark.postgres.internal.sql.Db;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** Turns on PostgreSQL. */
public final class PostgresTurns implements Turns {

  // One statement, so the group's row is held for no longer than it takes.
  private static final String NEXT =
      """
      insert into wm_turn (tenant, name, turn)
      values (:tenant, :name, 1)
      on conflict (tenant, name) do update set turn = wm_turn.turn + 1
      returning turn
      """;

  private static final String LOADS =
      """
      select who, count(*) as load
        from wm_candidate
       where tenant = :tenant
         and who = any(:who)
       group by who
      """;

  private final Db db;

  public PostgresTurns(Db db) {
    this.db = db;
  }

  @Override
  public long next(String tenant, String group) {
    return db.call(
        "Taking a turn",
        handle ->
            handle
                .createQuery(NEXT)
                .bind("tenant", tenant)
                .bind("name", group)
                .mapTo(Long.class)
                .one());
  }

  @Override
  public Map<String, Long> loads(String tenant, Collection<String> users) {
    Map<String, String> names = new LinkedHashMap<>();
    users.forEach(user -> names.put(Candidates.user(user), user));
    Map<String, Long> loads = new LinkedHashMap<>();
    db.run(
        "Counting what people have",
        handle ->
            handle
                .createQuery(LOADS)
                .bind("tenant", tenant)
                .bind("who", names.keySet().toArray(String[]::new))
                .map((row, context) -> Map.entry(row.getString("who"), row.getLong("load")))
                .forEach(
                    entry ->
                        loads.put(
                            names.getOrDefault(entry.getKey(), entry.getKey()), entry.getValue())));
    return loads;
  }
}
