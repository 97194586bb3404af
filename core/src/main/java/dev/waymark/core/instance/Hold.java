package dev.waymark.core.instance;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/** An operator's suspension of a run: nothing new starts while it is set. */
public record Hold(String by, String reason, Instant since) {

  public Hold {
    requireNonNull(by, "by");
    requireNonNull(reason, "reason");
    requireNonNull(since, "since");
  }
}
