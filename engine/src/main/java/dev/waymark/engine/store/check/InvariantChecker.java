package dev.waymark.engine.store.check;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import dev.waymark.core.definition.RetryPolicy;
import dev.waymark.engine.store.Checker;
import dev.waymark.engine.store.Invariant;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The checker of both stores: it asks every rule, and rebuilds instances from their history. */
public final class InvariantChecker implements Checker {

  private static final List<Rule> RULES =
      Stream.of(
              HistoryRules.ALL,
              VisitRules.ALL,
              EndRules.ALL,
              TrafficRules.ALL,
              InboxRules.ALL,
              StateRules.ALL,
              BelongingRules.ALL,
              ScheduleRules.ALL,
              PayloadRules.ALL)
          .flatMap(List::stream)
          .toList();

  // A step that was acknowledged under a name of the caller's must be found under that name.
  private static final String COMMAND =
      """
      select c.version
        from wm_command c
       where c.tenant = :tenant
         and c.scope = :scope
         and c.id = :id
      """;

  private final Snapshots snapshots;

  public InvariantChecker(Snapshots snapshots) {
    this.snapshots = requireNonNull(snapshots, "snapshots");
  }

  @Override
  public List<Violation> check(Options options) {
    return snapshots.read(connection -> look(connection, options));
  }

  @Override
  public List<Violation> checkOn(Connection connection, Options options) {
    try {
      return look(connection, options);
    } catch (SQLException e) {
      throw snapshots.fault(e);
    }
  }

  private List<Violation> look(Connection connection, Options options) throws SQLException {
    Inquiry inquiry = new Inquiry(connection, snapshots);
    Findings findings = new Findings(MAX_VIOLATIONS);
    Map<String, Object> values = values(snapshots.now(connection), options);
    for (Rule rule : RULES) {
      if (rule.holds(options.quiescent()) && !findings.isFull()) {
        values.put("limit", findings.room());
        findings.addAll(rule.invariant(), inquiry.ask(rule.sql(), values, Findings::read));
      }
    }
    for (Acknowledged command : options.acknowledged()) {
      findings.addAll(Invariant.I9, notDurable(inquiry, command));
    }
    new FamilyCheck(inquiry, findings).run();
    new StateCheck(inquiry, options.decoding(), findings).run(options.replayed());
    return findings.list();
  }

  private static Map<String, Object> values(Instant now, Options options) {
    Map<String, Object> values = new HashMap<>();
    values.put("now", now);
    values.put("overdue", now.minus(options.maxLateness()));
    values.put("deliveries", options.deliveries());
    values.put("crashes", Limits.CRASHES);
    values.put("failures", RetryPolicy.MAX_ATTEMPTS);
    values.put("copy_every", Limits.SNAPSHOT_EVERY);
    return values;
  }

  private static List<Findings.RuleFinding> notDurable(Inquiry inquiry, Acknowledged command)
      throws SQLException {
    Map<String, Object> key =
        Map.of("tenant", command.tenant(), "scope", command.scope(), "id", command.id());
    List<Long> versions = inquiry.ask(COMMAND, key, row -> row.number("version"));
    if (versions.equals(List.of(command.version()))) {
      return List.of();
    }
    return List.of(
        new Findings.RuleFinding(
            null,
            "command %s %s of tenant %s".formatted(command.scope(), command.id(), command.tenant()),
            "acknowledged as version %d, but stored as %s".formatted(command.version(), versions)));
  }
}
