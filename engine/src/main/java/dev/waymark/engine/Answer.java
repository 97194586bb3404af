package dev.waymark.engine;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Decision.Rejection;

/**
 * The answer to a caller: the request is done and durable, it was done before, or it was refused.
 */
public sealed interface Answer {

  InstanceId instance();

  /**
   * Done by this call.
   *
   * @param version the instance's version that this command made
   */
  record Done(InstanceId instance, long version) implements Answer {}

  /**
   * Done before, or no longer needed.
   *
   * @param version the version in which it was done, or the current one
   */
  record Unchanged(InstanceId instance, long version, String reason) implements Answer {}

  record Refused(InstanceId instance, Rejection rejection) implements Answer {}

  /** The instance, unless the command was refused. */
  default InstanceId orThrow() {
    if (this instanceof Refused refused) {
      throw new CommandRefused(refused.rejection());
    }
    return instance();
  }
}
