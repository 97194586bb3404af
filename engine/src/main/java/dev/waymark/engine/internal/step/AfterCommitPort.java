package dev.waymark.engine.internal.step;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Unit;

/** The consequences of a commit in this process, as mailboxes see them. */
public interface AfterCommitPort {

  /** The part of the work that is left once the mailbox is out of the way. */
  interface FollowUpWork {
    void run();
  }

  /**
   * Enters the bodies that the unit lets start, so that its mailbox knows that it is still needed,
   * and gives back the rest of the work.
   */
  FollowUpWork begin(Unit unit);

  /** True if a body of the instance runs here: then its mailbox stays. */
  boolean keepsBusy(InstanceId instance);

  /** True if this process may begin another body. */
  boolean hasRoom();
}
