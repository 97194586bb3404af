package dev.waymark.engine.flow;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How often a body is tried, and at which distances. */
public final class Retry {

  final Map<String, @Nullable Object> fields;

  Retry(Map<String, @Nullable Object> fields) {
    this.fields = fields;
  }

  /** The wait before the second attempt; it doubles from there. */
  public Retry backoff(Duration first) {
    return new Retry(Values.plus(fields, "backoff", first));
  }

  public Retry maxBackoff(Duration longest) {
    return new Retry(Values.plus(fields, "maxBackoff", longest));
  }

  /** Which share of each wait is left to chance, from 0 to 1. */
  public Retry jitter(double share) {
    return new Retry(Values.plus(fields, "jitter", share));
  }
}
