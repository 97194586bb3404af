package dev.waymark.engine.bookmark;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Bookmark;
import java.time.Instant;

/**
 * The archiving of closed waits, and their removal from the archive much later. Both are done by
 * themselves as {@link Retention} says; these verbs are for operators who cannot wait for that.
 *
 * <p>Of all tenants. Each call is one short transaction over a bounded batch; call again for the
 * rest. Open waits are never touched, whatever the cutoff.
 */
public interface Housekeeping {

  /** The time that waits are kept where no operator asks for something else. */
  Retention retention();

  /**
   * Moves into the archive waits that ended like this before a moment, the oldest first.
   *
   * @param batch how many at most, 1 to {@link Limits#HOUSEKEEPING_BATCH}
   * @return how many were moved; fewer than the batch if none is left
   */
  int archive(Bookmark.End end, Instant before, int batch);

  /**
   * Removes for good from the archive waits that were closed before a moment, the oldest first.
   *
   * @return how many were removed; fewer than the batch if none is left
   */
  int forget(Instant before, int batch);

  /**
   * One batch of everything that is older than it is kept: of waits, and of payloads that no run
   * uses.
   */
  Tidied tidy();

  /**
   * The result of one round.
   *
   * @param consumed how many of these were archived
   * @param expired how many of these were archived
   * @param withdrawn how many of these were archived
   * @param forgotten how many the archive has lost for good
   * @param payloads how many payloads were removed, which no run used
   * @param morePayloads whether another round may find more payloads, or more of what is left of
   *     them
   */
  record Tidied(
      int consumed, int expired, int withdrawn, int forgotten, int payloads, boolean morePayloads) {

    /** True if one of the counts is a whole batch, and so another round may find more. */
    public boolean fills(int batch) {
      return consumed == batch
          || expired == batch
          || withdrawn == batch
          || forgotten == batch
          || morePayloads;
    }
  }
}
