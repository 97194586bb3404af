package dev.waymark.postgres.internal.sql;

import static java.util.Collections.nCopies;
import static java.util.stream.Collectors.joining;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Looks at the plans of the hot statements at start-up, unless a node has found the same plans good
 * before ({@link PlanMemory}). With sequential scans forbidden, one is left only where no index
 * serves, because it was dropped or never made: an error at start-up is better than slow statements
 * when the tables have grown.
 *
 * <p>An index that is read from its first entry to its last is no better, and while the tables are
 * empty the planner thinks it as good as a look-up by key: the gate of a message once read all
 * waiting messages, 1.3 ms for each instead of 0.01. So a look-up by key says {@code state < 1},
 * which is the same as {@code state = 0} but does not let the planner use an index over open rows.
 *
 * <p>Such a plan is reported only for a table that the planner knows to be big. For an empty table,
 * or one that was never analysed, nothing is reported: the plan is made anew once the table was
 * analysed.
 */
public final class PlanCheck {

  /** Tables that stay small are left out: their only page is read either way. */
  private static final Pattern SCAN =
      Pattern.compile("Seq Scan on (?!wm_node|wm_lane|wm_chore|wm_definition)(wm_\\w+)");

  private static final Pattern WHOLE_INDEX =
      Pattern.compile(
          "Index (?:Only )?Scan using (?!"
              // Few visits run or are parked at a time, and a limit bounds the rows that are read.
              + "wm_activity_instance_node|wm_outbox_parked"
              // The statement reads only the first entry of the index.
              + "|wm_bookmark_free"
              + ")(\\w+) on (?!wm_node|wm_lane|wm_definition)(wm_\\w+).*\\n(?! *Index Cond)");

  private static final String BIG_TABLES =
      """
      select c.relname
        from pg_class c
        join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'r'
         and c.relname like 'wm\\_%'
         and n.nspname = current_schema()
         and c.reltuples >= 10000
      """;

  /**
   * Rows of one batch, each compared with each: of 67 messages that a batch spent, that took a
   * quarter of the time.
   */
  private static final Pattern EACH_WITH_EACH =
      Pattern.compile("Join Filter: \\((\\w+\\.n = \\w+\\.n)\\)");

  private static final String PIN =
      """
      select set_config('plan_cache_mode', 'force_generic_plan', true),
             set_config('enable_seqscan', 'off', true),
             set_config('jit', 'off', true)
      """;

  private static final String SHORT_WAIT = "set local lock_timeout = '250ms'";

  private final List<HotStatement> statements = new ArrayList<>();
  private boolean complete;

  /**
   * Takes in one statement more. Every part of a store says so of its own, when it is made.
   *
   * @throws IllegalStateException if the store was complete before: the plan of this statement
   *     would not be looked at when a node starts
   */
  public void add(HotStatement statement) {
    if (complete) {
      throw new IllegalStateException(
          "Expected every hot statement to be made with its store, but '%s' was made later: make it"
                  .formatted(statement.name())
              + " in the constructor of its part");
    }
    statements.add(statement);
  }

  /** The store is made, and all its statements are known. */
  public void complete() {
    complete = true;
  }

  /** The statements whose plans are looked at, in that order. */
  public List<HotStatement> statements() {
    return List.copyOf(statements);
  }

  /** True if a node has found the same plans good before. Writes nothing. */
  public boolean isRemembered(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(SHORT_WAIT);
      return PlanMemory.of(connection, statements, bigTables(statement)).knows(connection);
    }
  }

  /** Remembers that the plans are good, for the nodes that start later. */
  public void remember(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(SHORT_WAIT);
      PlanMemory.of(connection, statements, bigTables(statement)).keep(connection);
    }
  }

  /** Only plans, writes nothing. The settings end with the caller's transaction. */
  public List<String> run(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return look(statement, bigTables(statement));
    }
  }

  private List<String> look(Statement statement, Set<String> big) throws SQLException {
    List<String> doubts = new ArrayList<>();
    statement.execute(PIN);
    for (HotStatement hot : statements) {
      String plan = plan(statement, hot);
      refuseScans(hot.name(), plan);
      doubts.addAll(wholeIndexes(hot, plan, big));
      if (!hot.ofOneUnit()) {
        doubts.addAll(eachWithEach(hot.name(), plan));
      }
    }
    return doubts;
  }

  /**
   * The generic plan, which knows no values. The statement is prepared for the time of this check
   * only.
   */
  private static String plan(Statement statement, HotStatement hot) throws SQLException {
    List<String> names = hot.parameters();
    String declared = names.stream().map(hot.types()::get).collect(joining(", "));
    String types = names.isEmpty() ? "" : "(" + declared + ")";
    statement.execute(
        "prepare wm_plan_check %s as %s".formatted(types, numbered(hot.text(), names)));
    try (ResultSet lines =
        statement.executeQuery("explain execute wm_plan_check " + nulls(names.size()))) {
      StringBuilder plan = new StringBuilder();
      while (lines.next()) {
        plan.append(lines.getString(1)).append('\n');
      }
      return plan.toString();
    } finally {
      statement.execute("deallocate wm_plan_check");
    }
  }

  private static String numbered(String text, List<String> names) {
    return NamedText.NAME
        .matcher(text)
        .replaceAll(name -> "\\$" + (names.indexOf(name.group(1)) + 1));
  }

  private static String nulls(int parameters) {
    return parameters == 0 ? "" : "(" + String.join(", ", nCopies(parameters, "null")) + ")";
  }

  private static void refuseScans(String statement, String plan) {
    Matcher scan = SCAN.matcher(plan);
    if (scan.find()) {
      throw new IllegalStateException(
          "Expected an index for every table in '%s', but it scans %s from end to end. Is one missing?%n%s"
              .formatted(statement, scan.group(1), plan));
    }
  }

  private static Set<String> bigTables(Statement statement) throws SQLException {
    Set<String> big = new TreeSet<>();
    try (ResultSet tables = statement.executeQuery(BIG_TABLES)) {
      while (tables.next()) {
        big.add(tables.getString(1));
      }
    }
    return big;
  }

  private static List<String> wholeIndexes(HotStatement hot, String plan, Set<String> big) {
    return WHOLE_INDEX
        .matcher(plan)
        .results()
        .filter(whole -> big.contains(whole.group(2)))
        .filter(whole -> !hot.wholeIndexes().contains(whole.group(1)))
        .map(
            whole ->
                "Expected a condition on every index in '%s', but it reads %s from end to end: is the table analysed (analyze %s)?"
                    .formatted(hot.name(), whole.group(1), whole.group(2)))
        .toList();
  }

  private static List<String> eachWithEach(String statement, String plan) {
    return EACH_WITH_EACH
        .matcher(plan)
        .results()
        .map(
            join ->
                "Expected units to be joined by a hash in '%s', but each is compared with each: %s"
                    .formatted(statement, join.group(1)))
        .toList();
  }
}
