package dev.waymark.bench;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.spi.IdSource;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.UnitRows;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** What W2 is held against: the same rows, by plain JDBC. */
final class BareTasks {

  /** Users and groups that the million is for. */
  private static final int OWNERS = 1_000;

  /** Tasks that are on their way at a time are divided between so many commits. */
  private static final int COMMITS = 2;

  private static final Duration LEASE = Duration.ofHours(1);

  private static final String FILL_POSTGRES =
      """
      with task as (
        insert into wm_bookmark
          (instance_id, tag, tenant, visit, kind, key, payload, due, state, created, audience)
        select gen_random_uuid(), n, '%2$s', 1, 0, 'task', '{"title":"Look at it"}',
               now() + n * interval '1 second', 0, now(), 'group:g' || (n %% 1000)
          from generate_series(1, %1$d) n
        returning instance_id, tag, tenant, audience, due
      )
      insert into wm_candidate (instance_id, tag, who, due, tenant)
      select instance_id, tag, audience, due, tenant from task
      """;

  private static final String FILL_SQLITE =
      """
      insert into wm_bookmark
        (instance_id, tag, tenant, visit, kind, key, payload, due, state, created, audience)
      with recursive series(n) as (select 1 union all select n + 1 from series where n < %1$d)
      select randomblob(16), n, '%2$s', 1, 0, 'task', '{"title":"Look at it"}',
             1800000000000000 + n * 1000000, 0, 1700000000000000, 'group:g' || (n %% 1000)
        from series
      """;

  private static final String FILL_SQLITE_CANDIDATES =
      """
      insert into wm_candidate (instance_id, tag, who, due, tenant)
      select instance_id, tag, audience, due, tenant
        from wm_bookmark
       where audience like 'group:g%' and tenant = 'default' and state = 0
      """;

  private static final String CLAIM_POSTGRES =
      """
      update wm_bookmark b
         set holder = 'bare', lease_until = now() + interval '1 hour', fence = fence + 1
       where (b.instance_id, b.tag) = (
         select w.instance_id, w.tag
           from wm_bookmark w
          where w.state = 0 and w.holder is null and w.kind <> 1 and w.key not like '$ended:%'
            and w.tenant = 'bare' and w.kind = 0 and w.audience = ''
          order by w.priority desc, w.created, w.instance_id, w.tag
          limit 1
            for update skip locked)
      """;

  private static final String CLAIM_SQLITE =
      """
      update wm_bookmark
         set holder = 'bare', lease_until = 9000000000000000, fence = fence + 1
       where rowid = (
         select w.rowid
           from wm_bookmark w
          where w.state = 0 and w.holder is null and w.kind <> 1 and w.key not like '$ended:%'
            and w.tenant = 'bare' and w.kind = 0 and w.audience = ''
          order by w.priority desc, w.created, w.instance_id, w.tag
          limit 1)
      """;

  private static final String INBOX =
      """
      select b.*
        from wm_candidate c
        join wm_bookmark b on b.instance_id = c.instance_id and b.tag = c.tag
       where c.tenant = 'default' and c.who = ? and b.state = 0
       order by c.due, c.instance_id, c.tag
       limit 50
      """;

  private final Store store;
  private final boolean postgres;
  private final int workers;
  private final Histogram claim = new Histogram();

  BareTasks(Store store, Options.Kind kind, int workers) {
    this.store = store;
    this.postgres = kind == Options.Kind.POSTGRES;
    this.workers = workers;
  }

  /** The names under which the n-th reader looks: its own, and two groups. */
  static Set<String> names(int n) {
    return Set.of("user:u" + n, "group:g" + n % OWNERS, "group:g" + (n * 7 + 1) % OWNERS);
  }

  void fill(int tasks) {
    execute((postgres ? FILL_POSTGRES : FILL_SQLITE).formatted(tasks, "default"));
    if (!postgres) {
      execute(FILL_SQLITE_CANDIDATES);
    }
    execute("analyze");
  }

  private void execute(String sql) {
    store.inTransaction(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            return statement.execute(sql);
          }
        });
  }

  /** Claims a second, one at a time by each worker; each is a transaction of a plain statement. */
  double claims(int tasks) throws InterruptedException {
    execute(
        postgres
            ? """
            insert into wm_bookmark
              (instance_id, tag, tenant, visit, kind, key, state, created)
            select gen_random_uuid(), n, 'bare', 1, 0, 'task', 0, now()
              from generate_series(1, %d) n
            """
                .formatted(tasks)
            : """
            insert into wm_bookmark
              (instance_id, tag, tenant, visit, kind, key, state, created)
            with recursive s(n) as (select 1 union all select n + 1 from s where n < %d)
            select randomblob(16), n, 'bare', 1, 0, 'task', 0, 1 from s
            """
                .formatted(tasks));
    AtomicInteger left = new AtomicInteger(tasks);
    long begun = System.nanoTime();
    Crew.allDo(
        workers,
        () -> {
          while (left.getAndDecrement() > 0) {
            long asked = System.nanoTime();
            store.inTransaction(
                connection -> {
                  try (PreparedStatement statement =
                      connection.prepareStatement(postgres ? CLAIM_POSTGRES : CLAIM_SQLITE)) {
                    return statement.executeUpdate();
                  }
                });
            claim.add(System.nanoTime() - asked);
          }
        });
    return tasks / ((System.nanoTime() - begun) / 1e9);
  }

  /** How long each of those claims took. */
  Histogram claim() {
    return claim;
  }

  /** The last unit of many tasks, in batches as small as so many workers make them. */
  double completes(Template sample, int tasks) throws InterruptedException {
    IdSource ids = IdSource.timeOrdered(InstantSource.system());
    NodeId node = new NodeId(ids.next());
    var unused = store.nodes().register(node, "limit", LEASE);
    Template template = sample.on(node);
    List<InstanceId> all = new ArrayList<>();
    for (int i = 0; i < tasks; i++) {
      all.add(new InstanceId(ids.next()));
    }
    int last = template.size() - 1;
    for (int step = 0; step < last; step++) {
      int batch = store.capacity().unitsPerBatch();
      for (int i = 0; i < tasks; i += batch) {
        commit(template, step, node, all.subList(i, Math.min(tasks, i + batch)));
      }
    }
    int together = Math.clamp(workers / COMMITS, 1, store.capacity().unitsPerBatch());
    AtomicInteger next = new AtomicInteger();
    long begun = System.nanoTime();
    Crew crew = new Crew();
    for (int c = 0; c < Math.min(workers, store.capacity().committers()); c++) {
      crew.add(
          Thread.ofPlatform().daemon(),
          () -> {
            for (int i = next.getAndAdd(together); i < tasks; i = next.getAndAdd(together)) {
              commit(template, last, node, all.subList(i, Math.min(tasks, i + together)));
            }
          });
    }
    crew.start();
    crew.join();
    return tasks / ((System.nanoTime() - begun) / 1e9);
  }

  private void commit(Template template, int step, NodeId node, List<InstanceId> ids) {
    List<UnitRows> units = ids.stream().map(id -> template.unit(step, id)).toList();
    store
        .commit(node, units)
        .forEach(
            result -> {
              if (result.outcome() != Outcome.COMMITTED) {
                throw new IllegalStateException("Expected a bare commit, but got " + result);
              }
            });
  }

  void inbox(int n) {
    store.inTransaction(
        connection -> {
          int rows = 0;
          try (PreparedStatement query = connection.prepareStatement(INBOX)) {
            query.setString(1, "group:g" + n % OWNERS);
            try (ResultSet page = query.executeQuery()) {
              while (page.next()) {
                rows++;
              }
            }
          }
          return rows;
        });
  }
}
