package dev.waymark.engine.store.postgres;

import static java.util.Collections.nCopies;
import static java.util.stream.Collectors.joining;

import dev.waymark.engine.store.postgres.CommitStatement.Form;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Looks at the plans of the hot statements at start-up. With sequential scans forbidden, one is
 * left only where no index serves, because it was dropped or never made: better told now than found
 * out when the tables have grown.
 *
 * <p>An index that is read from its first entry to its last is no better, and while the tables are
 * empty the planner thinks it as good as a look-up by key: the gate of a message once read all that
 * waited, 1.3 ms for each instead of 0.01. So what is looked up by its key says {@code state < 1},
 * which is the same as {@code state = 0} but proves nothing to an index over what is open.
 *
 * <p>Such a plan is told only of a table that the planner knows to be big. Of an empty one, or one
 * that was never analysed, it says nothing: the plan is made anew once the table was analysed.
 */
final class PlanCheck {

  /** Tables that stay small are left out: their only page is read either way. */
  private static final Pattern SCAN =
      Pattern.compile("Seq Scan on (?!wm_node|wm_lane|wm_chore|wm_definition)(wm_\\w+)");

  private static final Pattern WHOLE_INDEX =
      Pattern.compile(
          "Index (?:Only )?Scan using (?!"
              // Few run or are parked at a time, and what is read of them is bounded by a limit.
              + "wm_activity_instance_node|wm_outbox_parked"
              // Its first entry is all that is wanted.
              + "|wm_bookmark_free"
              + ")(\\w+) on (?!wm_node|wm_lane|wm_definition)(wm_\\w+).*\\n(?! *Index Cond)");

  private static final String BIG_TABLES =
      """
      select c.relname
        from pg_class c
       where c.relkind = 'r'
         and c.relname like 'wm\\_%'
         and c.relnamespace = to_regnamespace(current_schema())
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

  private static final Map<String, String> TYPES =
      Map.ofEntries(
          Map.entry("now", "timestamptz"),
          Map.entry("node", "uuid"),
          Map.entry("limit", "int4"),
          Map.entry("bytes", "int8"),
          Map.entry("max_crashes", "int4"),
          Map.entry("tenant", "text"),
          Map.entry("kind", "int4"),
          Map.entry("holder", "text"),
          Map.entry("lease", "int8"),
          Map.entry("instance", "uuid"),
          Map.entry("after", "uuid"),
          Map.entry("visit", "int8"),
          Map.entry("source", "text"),
          Map.entry("id", "text"),
          Map.entry("stem", "text"),
          Map.entry("received", "timestamptz"),
          Map.entry("skew", "int8"),
          Map.entry("kept", "int8"),
          Map.entry("instances", "uuid[]"),
          Map.entry("visits", "int8[]"),
          Map.entry("attempts", "int4[]"),
          Map.entry("nodes", "uuid[]"),
          Map.entry("names", "text[]"),
          Map.entry("tenants", "text[]"),
          Map.entry("sources", "text[]"),
          Map.entry("ids", "text[]"),
          Map.entry("addressees", "uuid[]"),
          Map.entry("payloads", "text[]"),
          Map.entry("senders", "text[]"),
          Map.entry("moments", "int8[]"),
          Map.entry("correlations", "text[]"),
          Map.entry("expiries", "int8[]"),
          Map.entry("name", "text"),
          Map.entry("several", "text[]"),
          Map.entry("holders", "text[]"),
          Map.entry("kinds", "int4[]"),
          Map.entry("barred", "text"),
          Map.entry("key", "text"),
          Map.entry("correlation", "text"),
          Map.entry("before", "timestamptz"),
          Map.entry("state", "int4"),
          Map.entry("reach", "int4"),
          Map.entry("extensions", "int4"),
          Map.entry("tag", "int8"),
          Map.entry("progress", "text"),
          Map.entry("fence", "int8"),
          Map.entry("after_due", "timestamptz"),
          Map.entry("after_tag", "int8"),
          Map.entry("lanes", "int4[]"),
          Map.entry("sinks", "text[]"),
          Map.entry("busy_lanes", "int4[]"),
          Map.entry("busy_sinks", "text[]"));

  private PlanCheck() {}

  /** Only plans, writes nothing. The settings end with the caller's transaction. */
  static List<String> run(Connection connection) throws SQLException {
    List<String> doubts = new ArrayList<>();
    try (Statement statement = connection.createStatement()) {
      statement.execute(PIN);
      Set<String> big = bigTables(statement);
      for (Map.Entry<String, String> hot : statements().entrySet()) {
        String plan = plan(statement, hot.getValue());
        refuseScans(hot.getKey(), plan);
        doubts.addAll(wholeIndexes(hot.getKey(), plan, big));
        doubts.addAll(eachWithEach(hot.getKey(), plan));
      }
    }
    return doubts;
  }

  private static Map<String, String> statements() {
    Map<String, String> statements = new LinkedHashMap<>();
    for (CommitShape shape : CommitShape.values()) {
      statements.put("commit " + shape, CommitStatement.text(Form.SKIPPING, shape));
    }
    statements.put("why units were stopped", StopReasons.TEXT);
    statements.put("load", LoadStatement.TEXT);
    statements.put("ready visits", PostgresDuties.READY);
    statements.put("due timers", PostgresDuties.DUE_TIMERS);
    statements.put("due schedules", PostgresSchedules.DUE);
    statements.put("stranded visits", PostgresDuties.STRANDED);
    statements.put("visits of a node", PostgresDuties.RUNNING_ON);
    statements.put("superseded visits", PostgresDuties.SUPERSEDED);
    statements.put("an inbox", PostgresWaits.INBOX);
    statements.put("claims by priority", ClaimStatement.BY_PRIORITY_TEXT);
    statements.put("claims by due time", ClaimStatement.BY_DUE_TEXT);
    statements.put("waits by key", WaitTexts.BY_KEY);
    statements.put("waits by correlation", WaitTexts.BY_CORRELATION);
    statements.put("open waits", WaitTexts.OPEN);
    statements.put("overdue waits", WaitTexts.OVERDUE);
    statements.put("tenants that wait", WaitTexts.TENANTS);
    statements.put("waits out of time", WaitTexts.OUT_OF_TIME);
    statements.put("a claim", PostgresLeases.CLAIM_ONE);
    statements.put("an extension", PostgresLeases.EXTEND);
    statements.put("a beginning", PostgresLeases.BEGIN);
    statements.put("progress", PostgresLeases.PROGRESS);
    statements.put("a release", PostgresLeases.RELEASE);
    statements.put("a late release", PostgresLeases.RELEASE_LATER);
    statements.put("waiting messages", PostgresInbox.WAITING_FOR);
    statements.put("matchable messages", PostgresInbox.MATCHABLE);
    statements.put("matchable messages of instances", PostgresInbox.MATCHABLE_OF);
    statements.put("messages for nobody", PostgresInbox.CLEAR);
    statements.put("waiting broadcasts", PostgresBroadcasts.WAITING);
    statements.put("a page of a broadcast", PostgresBroadcasts.HAND_OUT);
    statements.put("receiving messages", PostgresCorrelations.RECEIVE);
    statements.put("who waits for a message", PostgresCorrelations.TARGETS);
    statements.put("who waits for messages", PostgresCorrelations.OF);
    statements.put("messages paired with waits", PostgresCorrelations.PAIRS);
    statements.put("messages that waits are for", PostgresCorrelations.TO);
    statements.put("correlated messages", PostgresCorrelations.MATCHABLE);
    statements.put("a tenant's correlated messages", PostgresCorrelations.WAITING);
    statements.put("free messages", PostgresStarts.OF);
    statements.put("a tenant's free messages", PostgresStarts.ALL);
    statements.put("messages whose time is over", PostgresCorrelations.EXPIRE);
    statements.put("closed waits that are old", PostgresClosedWaits.ARCHIVE);
    statements.put("old waits of the archive", PostgresClosedWaits.FORGET);
    statements.put("children", PostgresInstances.CHILDREN);
    statements.put("next events", PostgresOutbox.NEXT);
    statements.put("parked events", PostgresOutbox.DUE);
    return statements;
  }

  /** The generic plan, which knows no values. It is prepared only until it has been looked at. */
  private static String plan(Statement statement, String text) throws SQLException {
    List<String> names = NamedText.of(text).parameters().stream().distinct().toList();
    Map<String, String> types = types();
    String declared = names.stream().map(name -> type(types, name)).collect(joining(", "));
    statement.execute(
        "prepare wm_plan_check (%s) as %s".formatted(declared, numbered(text, names)));
    try (ResultSet lines =
        statement.executeQuery(
            "explain execute wm_plan_check (%s)"
                .formatted(String.join(", ", nCopies(names.size(), "null"))))) {
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

  private static Map<String, String> types() {
    Map<String, String> types = new HashMap<>(TYPES);
    for (CommitShape shape : CommitShape.values()) {
      shape.inputs().forEach(input -> input.types(types));
    }
    LoadStatement.INPUTS.forEach(input -> input.types(types));
    return types;
  }

  private static String type(Map<String, String> types, String name) {
    String type = types.get(name);
    if (type == null) {
      throw new IllegalStateException("Expected to know the type of :" + name + ", but do not");
    }
    return type;
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
    Set<String> big = new HashSet<>();
    try (ResultSet tables = statement.executeQuery(BIG_TABLES)) {
      while (tables.next()) {
        big.add(tables.getString(1));
      }
    }
    return big;
  }

  private static List<String> wholeIndexes(String statement, String plan, Set<String> big) {
    return WHOLE_INDEX
        .matcher(plan)
        .results()
        .filter(whole -> big.contains(whole.group(2)))
        .map(
            whole ->
                "Expected a condition on every index in '%s', but it reads %s from end to end: is the table analysed (analyze %s)?"
                    .formatted(statement, whole.group(1), whole.group(2)))
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
