package dev.waymark.engine;

import dev.waymark.core.instance.InstanceId;
import java.util.List;

/**
 * The effect that a migration would have, or has had.
 *
 * @param examined the instances that were running or suspended on the old version
 * @param moved those that can move, or have
 * @param gone those that ended or moved by themselves in the meantime
 * @param obstacles why the others stay where they are
 */
public record MigrationReport(long examined, long moved, long gone, List<Obstacle> obstacles) {

  /**
   * One reason, and the runs that cannot move because of it.
   *
   * @param instances the first of them, at most 1,000
   */
  public record Obstacle(String reason, long count, List<InstanceId> instances) {}

  public MigrationReport {
    obstacles = List.copyOf(obstacles);
  }

  public long staying() {
    return obstacles.stream().mapToLong(Obstacle::count).sum();
  }

  /** The report as lines for an operator. */
  @Override
  public String toString() {
    StringBuilder text =
        new StringBuilder(
            "%,d examined, %,d moved, %,d gone, %,d stay"
                .formatted(examined, moved, gone, staying()));
    for (Obstacle obstacle : obstacles) {
      text.append(
          "%n  %,d: %s (first: %s)"
              .formatted(obstacle.count(), obstacle.reason(), obstacle.instances().get(0)));
    }
    return text.toString();
  }
}
