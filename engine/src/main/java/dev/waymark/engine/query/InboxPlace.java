package dev.waymark.engine.query;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.InstanceId;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A place in an inbox: by due time, those without one last.
 *
 * @param due absent for a wait without a due time
 */
public record InboxPlace(@Nullable Instant due, InstanceId instance, long tag) {

  /** Before everything. */
  public static final InboxPlace START =
      new InboxPlace(Instant.EPOCH, new InstanceId(new UUID(0, 0)), Long.MIN_VALUE);

  public InboxPlace {
    requireNonNull(instance, "instance");
    due = due == null ? null : Limits.moment("the due time of a place", due);
  }
}
