package dev.waymark.sqlite.internal.table;

import dev.waymark.core.instance.Candidates;
import dev.waymark.engine.store.Turns;
import dev.waymark.sqlite.internal.file.Database;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** Turns on SQLite. */
public final class SqliteTurns implements Turns {

  private static final String NEXT =
      """
      insert into wm_turn (tenant, name, turn)
      values (:tenant, :name, 1)
      on conflict (tenant, name) do update set turn = turn + 1
      returning turn
      """;

  private static final String LOAD =
      """
      select count(*) as load from wm_candidate where tenant = :tenant and who = :who
      """;

  private final Database database;

  public SqliteTurns(Database database) {
    this.database = database;
  }

  @Override
  public long next(String tenant, String group) {
    return database.write(
        session ->
            session
                .query(NEXT)
                .set("tenant", tenant)
                .set("name", group)
                .list(row -> row.number("turn"))
                .get(0));
  }

  @Override
  public Map<String, Long> loads(String tenant, Collection<String> users) {
    return database.read(
        session -> {
          Map<String, Long> loads = new LinkedHashMap<>();
          for (String user : users) {
            long load =
                session
                    .query(LOAD)
                    .set("tenant", tenant)
                    .set("who", Candidates.user(user))
                    .list(row -> row.number("load"))
                    .get(0);
            if (load > 0) {
              loads.put(user, load);
            }
          }
          return loads;
        });
  }
}
