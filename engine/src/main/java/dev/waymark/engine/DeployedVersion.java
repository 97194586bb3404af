package dev.waymark.engine;

import java.time.Instant;

/** One version of a definition, and whether new runs get it. */
public record DeployedVersion(String key, int version, State state, String by, Instant at) {

  /** The availability of a version to new runs. Runs that have begun stay on theirs in any case. */
  public enum State {
    /** New runs that name no version get it. */
    ACTIVE,
    /** New runs that name it get it. */
    DEPLOYED,
    /** No new run gets it. */
    RETIRED
  }
}
