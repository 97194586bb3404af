package dev.waymark.engine.store;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import dev.waymark.core.definition.RetryPolicy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Looks for what must not be in a database of Waymark. It reads one snapshot, writes nothing, and
 * may run beside working nodes; on a large database it takes as long as reading all of it.
 *
 * <p>Every violation that it finds is a fault of ours or of whoever wrote to the tables, never of a
 * crash: after {@code kill -9} at any moment it must find nothing.
 */
public final class Checker {

  /** Violations that are told; a broken table could have millions. */
  public static final int MAX_VIOLATIONS = 1_000;

  private static final List<Rule> RULES =
      Stream.of(
              HistoryRules.ALL,
              VisitRules.ALL,
              EndRules.ALL,
              TrafficRules.ALL,
              InboxRules.ALL,
              StateRules.ALL,
              BelongingRules.ALL,
              ScheduleRules.ALL)
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

  public Checker(Snapshots snapshots) {
    this.snapshots = requireNonNull(snapshots, "snapshots");
  }

  /**
   * One thing that is wrong.
   *
   * @param key the instance, and which row of it
   */
  public record Violation(Invariant invariant, String key, String detail) {

    @Override
    public String toString() {
      return invariant + " " + invariant.title() + ", " + key + ": " + detail;
    }
  }

  /** A command whose caller was told that it is done. Scope is the kind of command. */
  public record Acknowledged(String tenant, String scope, String id, long version) {}

  /**
   * How to look.
   *
   * @param quiescent whether nothing may run or be leased any more, and every event be out
   * @param maxLateness how long after its time a timer, a ready visit or a message may still wait,
   *     and the work of a dead node be taken over
   * @param deliveries attempts after which an event may be given up
   * @param replayed how many instances, the newest first, are rebuilt from their history
   * @param decoding what turns a stored document into JSON
   * @param acknowledged what callers were told
   */
  public record Options(
      boolean quiescent,
      Duration maxLateness,
      int deliveries,
      int replayed,
      UnaryOperator<String> decoding,
      List<Acknowledged> acknowledged) {

    private static final int DELIVERIES = 24;

    public Options {
      requireNonNull(decoding, "decoding");
      acknowledged = List.copyOf(acknowledged);
      if (maxLateness.isNegative() || deliveries < 1 || replayed < 0) {
        throw new IllegalArgumentException(
            "Expected lateness ≥ 0, deliveries ≥ 1 and replayed ≥ 0, but got %s, %d and %d"
                .formatted(maxLateness, deliveries, replayed));
      }
    }

    /** Beside working nodes. Lost messages are looked for every ten minutes, so later is late. */
    public static Options live() {
      return new Options(
          false, Duration.ofMinutes(15), DELIVERIES, 0, UnaryOperator.identity(), List.of());
    }

    /** After everything has come to rest. */
    public static Options atRest() {
      return new Options(
          true, Duration.ofSeconds(20), DELIVERIES, 0, UnaryOperator.identity(), List.of());
    }

    public Options withMaxLateness(Duration most) {
      return new Options(quiescent, most, deliveries, replayed, decoding, acknowledged);
    }

    public Options withDeliveries(int budget) {
      return new Options(quiescent, maxLateness, budget, replayed, decoding, acknowledged);
    }

    /** Rebuilds so many instances from their history, the newest first, and compares. */
    public Options replaying(int instances) {
      return new Options(quiescent, maxLateness, deliveries, instances, decoding, acknowledged);
    }

    public Options replayingAll() {
      return replaying(Integer.MAX_VALUE);
    }

    public Options decoding(UnaryOperator<String> codec) {
      return new Options(quiescent, maxLateness, deliveries, replayed, codec, acknowledged);
    }

    public Options withAcknowledged(List<Acknowledged> ledger) {
      return new Options(quiescent, maxLateness, deliveries, replayed, decoding, ledger);
    }
  }

  /** The first {@link #MAX_VIOLATIONS} of what is wrong; empty if all is well. */
  public List<Violation> check(Options options) {
    return snapshots.read(connection -> look(connection, options));
  }

  /** The same as the caller's transaction sees it. */
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

  private static List<Findings.Found> notDurable(Inquiry inquiry, Acknowledged command)
      throws SQLException {
    Map<String, Object> key =
        Map.of("tenant", command.tenant(), "scope", command.scope(), "id", command.id());
    List<Long> versions = inquiry.ask(COMMAND, key, row -> row.number("version"));
    if (versions.equals(List.of(command.version()))) {
      return List.of();
    }
    return List.of(
        new Findings.Found(
            null,
            "command %s %s of tenant %s".formatted(command.scope(), command.id(), command.tenant()),
            "acknowledged as version %d, but stored as %s".formatted(command.version(), versions)));
  }
}
