package dev.waymark.core.step;

import java.util.Locale;

/** An operator's way to deal with a parked visit. The names are stored in history. */
public enum InterventionAction {
  RETRY_ACTIVITY,
  SKIP_ACTIVITY,
  MODIFY_VARIABLES,
  CANCEL_WORKFLOW;

  /** The word under which an intervention offers it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
