package dev.waymark.core.step;

import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.InstanceId;
import org.jspecify.annotations.Nullable;

/**
 * The facts that the store had about a command before it was decided, read together with the
 * instance.
 *
 * @param command the record of an earlier command with the same id, if there was one
 * @param bookmark the bookmark that the command names, even if it is closed
 * @param keyHolder the live instance that has the business key which the command wants
 */
public record StoredFacts(
    @Nullable CommandRecord command, @Nullable Bookmark bookmark, @Nullable InstanceId keyHolder) {

  public static final StoredFacts NONE = new StoredFacts(null, null, null);

  /** A command whose id came from outside, as it is remembered. */
  public record CommandRecord(
      String tenant, String id, String fingerprint, InstanceId instance, long version) {}
}
