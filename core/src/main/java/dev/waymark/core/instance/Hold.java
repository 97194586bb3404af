package dev.waymark.core.instance;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/** An operator's hand on a run: while it lies there, nothing new starts. */
public record Hold(String by, String reason, Instant since) {

  public Hold {
    requireNonNull(by, "by");
    requireNonNull(reason, "reason");
    requireNonNull(since, "since");
  }
}
