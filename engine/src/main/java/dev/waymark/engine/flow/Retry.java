package dev.waymark.engine.flow;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The number of tries of a body, and the distances between them. */
public final class Retry {

  final Map<String, @Nullable Object> fields;

  Retry(Map<String, @Nullable Object> fields) {
    this.fields = fields;
  }

  /** The wait before the second attempt; it doubles from there. */
  public Retry backoff(Duration first) {
    return new Retry(PlainData.plus(fields, "backoff", first));
  }

  public Retry maxBackoff(Duration longest) {
    return new Retry(PlainData.plus(fields, "maxBackoff", longest));
  }

  /** The share of each wait that is left to chance, from 0 to 1. */
  public Retry jitter(double share) {
    return new Retry(PlainData.plus(fields, "jitter", share));
  }
}
