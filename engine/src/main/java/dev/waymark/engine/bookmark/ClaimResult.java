package dev.waymark.engine.bookmark;

import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.Lease;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.engine.CommandRefused;
import java.util.List;

/** The result of a claim: a lease on the bookmark, or the reason for the refusal. */
public sealed interface ClaimResult {

  /**
   * The caller holds the wait until the lease ends.
   *
   * @param bookmark the wait with its lease
   */
  record Held(Bookmark bookmark, Lease lease) implements ClaimResult {}

  record Refused(Rejection rejection) implements ClaimResult {}

  static ClaimResult refused(Rejection.Code code, String message) {
    return new Refused(new Rejection(code, message, List.of()));
  }

  /** The lease, unless it was refused. */
  default Held orThrow() {
    return switch (this) {
      case Held held -> held;
      case Refused refused -> throw new CommandRefused(refused.rejection());
    };
  }
}
