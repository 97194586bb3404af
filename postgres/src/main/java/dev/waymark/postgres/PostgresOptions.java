package dev.waymark.postgres;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a store on PostgreSQL.
 *
 * @param name how its connections are called in {@code pg_stat_activity}
 * @param committers connections that write steps; two are enough to keep a server busy, one that
 *     prepares a batch while the other waits for the disk
 * @param workers connections for timers, the outbox and lists, and as many again for loads
 * @param bodies connections for transactional activities and joined steps, apart from the others so
 *     that slow work of the application cannot starve commits
 * @param socketTimeout how long committers and workers wait for a silent server
 * @param bodySocketTimeout the same for transactional activities, joined steps and migrations,
 *     which may take longer; a connection that broke silently keeps its activity for this time
 * @param virtualTime the clock that tests turn by hand; if absent, the database's clock counts
 */
public record PostgresOptions(
    String name,
    int committers,
    int workers,
    int bodies,
    Duration socketTimeout,
    Duration bodySocketTimeout,
    @Nullable InstantSource virtualTime) {

  public static final PostgresOptions DEFAULTS =
      new PostgresOptions("waymark", 2, 4, 4, Duration.ofSeconds(20), Duration.ofMinutes(5), null);

  public PostgresOptions {
    requireNonNull(name, "name");
    if (committers < 1 || workers < 1 || bodies < 1) {
      throw new IllegalArgumentException(
          "Expected at least one connection of each kind, but got %d, %d and %d"
              .formatted(committers, workers, bodies));
    }
    atLeastASecond(socketTimeout);
    atLeastASecond(bodySocketTimeout);
  }

  private static void atLeastASecond(Duration timeout) {
    if (timeout.toSeconds() < 1) {
      throw new IllegalArgumentException(
          "Expected a socket time-out of a second or more, but got " + timeout);
    }
  }

  public PostgresOptions withName(String newName) {
    return new PostgresOptions(
        newName, committers, workers, bodies, socketTimeout, bodySocketTimeout, virtualTime);
  }

  public PostgresOptions withConnections(int forCommitters, int forWorkers, int forBodies) {
    return new PostgresOptions(
        name, forCommitters, forWorkers, forBodies, socketTimeout, bodySocketTimeout, virtualTime);
  }

  /** Sets how long the engine's own statements, and those of bodies, wait for a silent server. */
  public PostgresOptions withSocketTimeouts(Duration own, Duration ofBodies) {
    return new PostgresOptions(name, committers, workers, bodies, own, ofBodies, virtualTime);
  }

  public PostgresOptions withVirtualTime(InstantSource time) {
    return new PostgresOptions(
        name, committers, workers, bodies, socketTimeout, bodySocketTimeout, time);
  }
}
