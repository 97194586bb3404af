package dev.waymark.engine;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Bookmark;
import java.time.Instant;

/** Moves closed waits to the archive, and old ones out of it. */
final class EngineHousekeeping implements Housekeeping {

  private final Node node;
  private final Retention retention;

  EngineHousekeeping(Node node, Retention retention) {
    this.node = node;
    this.retention = retention;
  }

  @Override
  public Retention retention() {
    return retention;
  }

  @Override
  public int archive(Bookmark.End end, Instant before, int batch) {
    return node.store().closedWaits().archive(end, past(before), checked(batch));
  }

  @Override
  public int forget(Instant before, int batch) {
    return node.store().closedWaits().forget(past(before), checked(batch));
  }

  @Override
  public Tidied tidy() {
    Instant now = node.now();
    int batch = retention.batch();
    return new Tidied(
        archive(Bookmark.End.CONSUMED, now.minus(retention.consumed()), batch),
        archive(Bookmark.End.EXPIRED, now.minus(retention.expired()), batch),
        archive(Bookmark.End.WITHDRAWN, now.minus(retention.withdrawn()), batch),
        forget(now.minus(retention.archive()), batch));
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
