package dev.waymark.engine.store;

import static java.util.Objects.requireNonNull;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Looks for violations of the invariants in a database of Waymark. It reads one snapshot, writes
 * nothing, and may run beside working nodes; on a large database it takes as long as reading all of
 * it.
 *
 * <p>Every violation that it finds is a fault of ours, or comes from another program that wrote to
 * the tables; it never comes from a crash: after {@code kill -9} at any moment it must find
 * nothing.
 */
public interface Checker {

  /** Violations that are told; a broken table could have millions. */
  int MAX_VIOLATIONS = 1_000;

  /** The first {@link #MAX_VIOLATIONS} violations; empty if there is none. */
  List<Violation> check(Options options);

  /** The same as the caller's transaction sees it. */
  List<Violation> checkOn(Connection connection, Options options);

  /**
   * One thing that is wrong.
   *
   * @param key the instance, and which row of it
   */
  record Violation(Invariant invariant, String key, String detail) {

    @Override
    public String toString() {
      return invariant + " " + invariant.title() + ", " + key + ": " + detail;
    }
  }

  /** A command whose caller was told that it is done. Scope is the kind of command. */
  record Acknowledged(String tenant, String scope, String id, long version) {}

  /**
   * The settings of a check.
   *
   * @param quiescent whether nothing may run or be leased any more, and every event be out
   * @param maxLateness how long after its time a timer, a ready visit or a message may still wait,
   *     and the work of a dead node be taken over
   * @param deliveries attempts after which an event may be given up
   * @param replayed how many instances, the newest first, are rebuilt from their history
   * @param decoding what turns a stored document into JSON
   * @param acknowledged what callers were told
   */
  record Options(
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

    /** Rebuilds this number of instances from their history, the newest first, and compares. */
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
}
