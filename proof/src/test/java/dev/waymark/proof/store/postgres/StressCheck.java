package dev.waymark.proof.store.postgres;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.store.CommitResult.Outcome;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Compares what the committers were told with what is in the tables. It shares no code with the
 * engine, so that both cannot be wrong in the same way.
 */
final class StressCheck {

  private static final String ROWS =
      """
      select command_id as attempt, instance_id, 'history' as what, version as number
        from wm_history
       union all
      select command_id, instance_id, 'history spends', bookmark
        from wm_history
       where bookmark is not null
       union all
      select event_id, instance_id, 'event', version
        from wm_outbox
       union all
      select id, instance_id, 'command', version
        from wm_command
       union all
      select key, instance_id, 'created', tag
        from wm_bookmark
       union all
      select closed_by, instance_id, 'closed', tag
        from wm_bookmark
       where state <> 0
       union all
      select variables, id, 'instance', version
        from wm_instance
       union all
      select data, instance_id, 'visit', visit
        from wm_activity_instance
      """;

  private static final String FENCES =
      """
      select instance_id, tag, fence
        from wm_bookmark
       where state <> 0
      """;

  private final Map<Attempt, Outcome> told;
  private final Map<String, List<String>> rows = new HashMap<>();
  private final Map<BookmarkId, Long> fences = new HashMap<>();

  private StressCheck(Map<Attempt, Outcome> told) {
    this.told = told;
  }

  static StressCheck of(Database database, Map<Attempt, Outcome> told) throws SQLException {
    StressCheck check = new StressCheck(told);
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      check.readRows(statement);
      check.readFences(statement);
    }
    return check;
  }

  private void readRows(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery(ROWS)) {
      while (row.next()) {
        rows.computeIfAbsent(row.getString("attempt"), attempt -> new ArrayList<>())
            .add(
                "%s %s %d"
                    .formatted(
                        instance(row).value(), row.getString("what"), row.getLong("number")));
      }
    }
  }

  private void readFences(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery(FENCES)) {
      while (row.next()) {
        fences.put(new BookmarkId(instance(row), row.getLong("tag")), row.getLong("fence"));
      }
    }
  }

  private static InstanceId instance(ResultSet row) throws SQLException {
    return new InstanceId(row.getObject("instance_id", UUID.class));
  }

  /**
   * Tries that left some of their rows but not all, or rows although they were stopped, or none
   * although they were committed; rows of no try; and versions that nobody, or two, have made.
   */
  List<String> halfSteps() {
    Map<InstanceId, Long> newest = new HashMap<>();
    Map<InstanceId, Long> steps = new HashMap<>();
    committed()
        .forEach(
            attempt -> {
              newest.merge(attempt.instance(), attempt.version(), Math::max);
              steps.merge(attempt.instance(), 1L, Long::sum);
            });
    List<String> wrong = new ArrayList<>();
    Map<String, List<String>> unclaimed = new HashMap<>(rows);
    told.forEach(
        (attempt, outcome) -> {
          boolean last = attempt.version() == newest.getOrDefault(attempt.instance(), 0L);
          List<String> due = outcome == Outcome.COMMITTED ? sorted(attempt.rows(last)) : List.of();
          List<String> found = unclaimed.remove(attempt.id());
          List<String> there = found == null ? List.of() : sorted(found);
          if (!there.equals(due)) {
            wrong.add("%s is %s, but left %s".formatted(attempt, outcome, there));
          }
        });
    unclaimed.forEach((attempt, found) -> wrong.add("%s of nobody: %s".formatted(attempt, found)));
    newest.forEach(
        (instance, version) -> {
          if (!version.equals(steps.get(instance))) {
            wrong.add("%s has %d steps at %d".formatted(instance, steps.get(instance), version));
          }
        });
    return wrong;
  }

  /**
   * Committed tries that spent another fence than their bookmark has. A closed bookmark keeps the
   * fence of its last claim, so nothing can have been claimed after the fence that was spent.
   */
  List<String> staleByRow() {
    return committed().stream()
        .filter(attempt -> attempt.before() > 0)
        .filter(attempt -> fences.getOrDefault(attempt.spent(), -1L) != attempt.fence())
        .map(attempt -> "%s at fence %s".formatted(attempt, fences.get(attempt.spent())))
        .toList();
  }

  /**
   * Committed tries whose bookmark a claimer was given with a higher fence. It does not matter
   * when: what is spent cannot be claimed any more, so that claim came first.
   */
  List<String> staleByClaims(Map<BookmarkId, Long> returned) {
    return committed().stream()
        .filter(attempt -> returned.getOrDefault(attempt.spent(), 0L) > attempt.fence())
        .map(attempt -> "%s claimed with %s".formatted(attempt, returned.get(attempt.spent())))
        .toList();
  }

  private List<Attempt> committed() {
    return told.entrySet().stream()
        .filter(entry -> entry.getValue() == Outcome.COMMITTED)
        .map(Map.Entry::getKey)
        .toList();
  }

  private static List<String> sorted(List<String> rows) {
    List<String> sorted = new ArrayList<>(rows);
    Collections.sort(sorted);
    return sorted;
  }
}
