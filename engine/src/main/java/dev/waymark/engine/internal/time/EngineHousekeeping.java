package dev.waymark.engine.internal.time;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.engine.bookmark.Housekeeping;
import dev.waymark.engine.bookmark.Retention;
import dev.waymark.engine.internal.node.StoreCalls;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.store.ClosedWaits;
import dev.waymark.engine.store.StoredPayloads;
import java.time.Instant;

/** Moves closed waits to the archive, and old ones out of it; removes payloads that no run uses. */
public final class EngineHousekeeping implements Housekeeping {

  private final ThisNode node;
  private final StoreCalls calls;
  private final Retention retention;

  public EngineHousekeeping(ThisNode node, StoreCalls calls, Retention retention) {
    this.node = node;
    this.calls = calls;
    this.retention = retention;
  }

  @Override
  public Retention retention() {
    return retention;
  }

  // After a lost answer the repeat takes the next batch: it is old enough too.
  @Override
  public int archive(Bookmark.End end, Instant before, int batch) {
    Instant moment = past(before);
    int most = checked(batch);
    return calls.read(() -> node.store().closedWaits().archive(end, moment, most));
  }

  @Override
  public int forget(Instant before, int batch) {
    Instant moment = past(before);
    int most = checked(batch);
    return calls.read(() -> node.store().closedWaits().forget(moment, most));
  }

  @Override
  public Tidied tidy() {
    return calls.read(this::tidyOnce);
  }

  /** The same for the engine itself, which comes back at its own pace after a fault. */
  Tidied tidyOnce() {
    ClosedWaits waits = node.store().closedWaits();
    Instant now = node.now();
    int batch = retention.batch();
    StoredPayloads payloads = node.store().payloads();
    StoredPayloads.Look look =
        payloads.removeUnused(
            now, Limits.after(now, Limits.PAYLOAD_LOOK), Limits.PAYLOADS_PER_LOOK);
    boolean parts = payloads.removeParts(now, Limits.PARTS_REMOVED) > 0;
    return new Tidied(
        waits.archive(Bookmark.End.CONSUMED, Limits.before(now, retention.consumed()), batch),
        waits.archive(Bookmark.End.EXPIRED, Limits.before(now, retention.expired()), batch),
        waits.archive(Bookmark.End.WITHDRAWN, Limits.before(now, retention.withdrawn()), batch),
        waits.forget(Limits.before(now, retention.archive()), batch),
        look.removed(),
        parts || look.removed() + look.used() == Limits.PAYLOADS_PER_LOOK);
  }

  // The moment up to which the archive has forgotten is stored; it must not lie in the future.
  private Instant past(Instant before) {
    if (before.isAfter(node.now())) {
      throw new IllegalArgumentException(
          "Expected a moment in the past, but it is %s and you said %s"
              .formatted(node.now(), before));
    }
    return Limits.within(before);
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
