package dev.waymark.engine;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import dev.waymark.core.step.MigrationPlan;

/** The runs that are to move: those of one version, to another one, by a plan. */
public record MigrationRequest(String key, int from, int to, MigrationPlan plan) {

  public MigrationRequest {
    Limits.name("a definition's key", requireNonNull(key, "key"));
    requireNonNull(plan, "plan");
    if (from == to) {
      throw new IllegalArgumentException(
          "Expected two versions of '%s', but got %d twice".formatted(key, from));
    }
  }
}
