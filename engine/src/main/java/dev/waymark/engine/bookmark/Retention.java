package dev.waymark.engine.bookmark;

import dev.waymark.core.Limits;
import java.time.Duration;

/**
 * The times for which closed waits are kept, counted from their closing. Runs and their history are
 * kept, and so are the ids of commands: a repeated command stays one command.
 *
 * @param consumed the time after which an answered wait goes into the archive
 * @param expired the same for a wait that was not answered in time
 * @param withdrawn the same for a wait that was not needed any more
 * @param archive the time after which the archive forgets all of them
 * @param every how often one of all nodes looks for old waits
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
