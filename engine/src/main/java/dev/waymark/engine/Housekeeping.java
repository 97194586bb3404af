package dev.waymark.engine;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Bookmark;
import java.time.Instant;

/**
 * What becomes of closed waits: into the archive first, and out of it much later. It is done by
 * itself as {@link Retention} says; these verbs are for operators who cannot wait for that.
 *
 * <p>Of all tenants. Each call is one short transaction over a bounded batch; call again for the
 * rest. Open waits are never touched, whatever the cutoff.
 */
public final class Housekeeping {

  private final Node node;
  private final Retention retention;

  Housekeeping(Node node, Retention retention) {
    this.node = node;
    this.retention = retention;
  }

  /** How long waits are kept where nobody asks for something else. */
  public Retention retention() {
    return retention;
  }

  /**
   * Moves into the archive waits that ended like this before a moment, the oldest first.
   *
   * @param batch how many at most, 1 to {@link Limits#HOUSEKEEPING_BATCH}
   * @return how many were moved; fewer than the batch if none is left
   */
  public int archive(Bookmark.End end, Instant before, int batch) {
    return node.store().closedWaits().archive(end, past(before), checked(batch));
  }

  /**
   * Removes for good from the archive waits that were closed before a moment, the oldest first.
   *
   * @return how many were removed; fewer than the batch if none is left
   */
  public int forget(Instant before, int batch) {
    return node.store().closedWaits().forget(past(before), checked(batch));
  }

  /** One batch of everything that is older than it is kept. */
  public Tidied tidy() {
    Instant now = node.now();
    int batch = retention.batch();
    return new Tidied(
        archive(Bookmark.End.CONSUMED, now.minus(retention.consumed()), batch),
        archive(Bookmark.End.EXPIRED, now.minus(retention.expired()), batch),
        archive(Bookmark.End.WITHDRAWN, now.minus(retention.withdrawn()), batch),
        forget(now.minus(retention.archive()), batch));
  }

  /**
   * What one round has done.
   *
   * @param consumed how many of these were archived
   * @param expired how many of these were archived
   * @param withdrawn how many of these were archived
   * @param forgotten how many the archive has lost for good
   */
  public record Tidied(int consumed, int expired, int withdrawn, int forgotten) {

    /** Whether one of them was a whole batch, and so another round may find more. */
    boolean fills(int batch) {
      return consumed == batch || expired == batch || withdrawn == batch || forgotten == batch;
    }
  }

  // What the archive has forgotten up to is remembered; it must not say so about what is to come.
  private Instant past(Instant before) {
    if (before.isAfter(node.now())) {
      throw new IllegalArgumentException(
          "Expected a moment in the past, but it is %s and you said %s"
              .formatted(node.now(), before));
    }
    return before;
  }

  private static int checked(int batch) {
    if (batch < 1 || batch > Limits.HOUSEKEEPING_BATCH) {
      throw new IllegalArgumentException(
          "Expected a batch of 1 to %,d waits, but got %d"
              .formatted(Limits.HOUSEKEEPING_BATCH, batch));
    }
    return batch;
  }
}
