package dev.waymark.bench.chaos;

import dev.waymark.engine.store.Store;
import dev.waymark.proof.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Four processes of eight workers each claim from one table, with a planner that may use nothing
 * but nested loops: the plan under which a careless claim takes more than its limit.
 */
public final class ClaimRun {

  private static final int PROCESSES = 4;
  private static final int LIMIT = 7;

  private final int bookmarks;
  private final BrokenClaim claim;

  public ClaimRun(int bookmarks) {
    this(bookmarks, BrokenClaim.SOUND);
  }

  /** With a claim that is broken on purpose, to see whether this run would notice. */
  public ClaimRun(int bookmarks, BrokenClaim claim) {
    this.bookmarks = bookmarks;
    this.claim = claim;
  }

  /**
   * What a run found.
   *
   * @param claimed bookmarks that were claimed
   * @param holders workers that got any
   */
  public record Result(long claimed, long holders, List<String> faults) {}

  public Result run() throws SQLException {
    PostgresServer server = PostgresServer.shared();
    String database = server.newDatabase();
    String url = server.url(database);
    try (Store store = Victim.open("postgres", url)) {
      store.migrate();
    }
    try (Connection connection = DriverManager.getConnection(url, "postgres", "postgres");
        Statement statement = connection.createStatement()) {
      statement.execute("alter database " + database + " set enable_hashjoin = off");
      statement.execute("alter database " + database + " set enable_mergejoin = off");
      statement.execute("create table got (tag bigint, holder text, fence bigint, together int)");
      // Rows of no instance: it is claims that are tried here, and nothing else looks at them.
      statement.execute(
          """
          insert into wm_bookmark
            (instance_id, tag, tenant, visit, kind, key, state, priority, created)
          select gen_random_uuid(), n, 'claims', 1, 0, 'task', 0, n %% 5, now()
            from generate_series(1, %d) n
          """
              .formatted(bookmarks));
      List<Child> children = new ArrayList<>();
      for (int i = 0; i < PROCESSES; i++) {
        children.add(
            Child.start(
                Claimant.class, url, "process-" + i, Integer.toString(LIMIT), claim.name()));
      }
      children.forEach(child -> child.say("go"));
      List<String> faults = new ArrayList<>();
      for (Child child : children) {
        int code = child.await();
        if (code != 0) {
          faults.add("Expected a claimant to end well, but it ended with " + code);
        }
      }
      expect(statement, faults, "bookmarks claimed", bookmarks, "select count(*) from got");
      expect(statement, faults, "different ones", bookmarks, "select count(distinct tag) from got");
      expect(
          statement,
          faults,
          "claims over their limit",
          0,
          "select count(*) from got where together > " + LIMIT);
      expect(
          statement,
          faults,
          "claims that are not what the table says",
          0,
          """
          select count(*)
            from wm_bookmark b
            left join got on got.tag = b.tag and got.holder = b.holder and got.fence = b.fence
           where got.tag is null or b.fence <> 1
          """);
      return new Result(
          count(statement, "select count(*) from got"),
          count(statement, "select count(distinct holder) from got"),
          faults);
    }
  }

  private static void expect(
      Statement statement, List<String> faults, String what, long expected, String query)
      throws SQLException {
    long found = count(statement, query);
    if (found != expected) {
      faults.add("Expected %d %s, but found %d".formatted(expected, what, found));
    }
  }

  private static long count(Statement statement, String query) throws SQLException {
    try (ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
