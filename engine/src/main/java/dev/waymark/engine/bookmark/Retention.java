package dev.waymark.engine.bookmark;

import dev.waymark.core.Limits;
import java.time.Duration;

/**
 * How long closed waits are kept, counted from when they were closed. Runs and their history are
 * not touched by it, and neither are the ids of commands: asking twice stays asking once.
 *
 * @param consumed after which time what was answered goes into the archive
 * @param expired the same for what nobody answered in time
 * @param withdrawn the same for what was not needed any more
 * @param archive after which time the archive forgets all of them
 * @param every how often it is looked for what is old, by one of all nodes
 * @param batch how many waits one transaction moves or removes
 */
public record Retention(
    Duration consumed,
    Duration expired,
    Duration withdrawn,
    Duration archive,
    Duration every,
    int batch) {

  public static final Retention DEFAULT =
      new Retention(
          Limits.CONSUMED_KEPT,
          Limits.EXPIRED_KEPT,
          Limits.CONSUMED_KEPT,
          Limits.ARCHIVE_KEPT,
          Limits.HOUSEKEEPING_EVERY,
          Limits.HOUSEKEEPING_BATCH);

  public Retention {
    check("consumed", consumed);
    check("expired", expired);
    check("withdrawn", withdrawn);
    check("archive", archive);
    check("every", every);
    for (Duration kept : new Duration[] {consumed, expired, withdrawn}) {
      if (kept.compareTo(archive) > 0) {
        throw new IllegalArgumentException(
            "Expected the archive to be kept longer than waits, but got %s and %s"
                .formatted(archive, kept));
      }
    }
    if (every.isZero()) {
      throw new IllegalArgumentException("Expected a pause between two looks, but got none");
    }
    if (batch < 1 || batch > Limits.HOUSEKEEPING_BATCH) {
      throw new IllegalArgumentException(
          "Expected a batch of 1 to %,d waits, but got %d"
              .formatted(Limits.HOUSEKEEPING_BATCH, batch));
    }
  }

  private static void check(String what, Duration value) {
    if (value.isNegative() || value.compareTo(Limits.DURATION) > 0) {
      throw new IllegalArgumentException(
          "Expected 0 to %s for '%s', but got %s".formatted(Limits.DURATION, what, value));
    }
  }

  public Retention consumed(Duration kept) {
    return new Retention(kept, expired, withdrawn, archive, every, batch);
  }

  public Retention expired(Duration kept) {
    return new Retention(consumed, kept, withdrawn, archive, every, batch);
  }

  public Retention withdrawn(Duration kept) {
    return new Retention(consumed, expired, kept, archive, every, batch);
  }

  public Retention archive(Duration kept) {
    return new Retention(consumed, expired, withdrawn, kept, every, batch);
  }

  public Retention every(Duration pause) {
    return new Retention(consumed, expired, withdrawn, archive, pause, batch);
  }

  public Retention batch(int waits) {
    return new Retention(consumed, expired, withdrawn, archive, every, waits);
  }
}
