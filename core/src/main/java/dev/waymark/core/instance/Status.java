package dev.waymark.core.instance;

/**
 * The status of a whole run. The order is stored: never reorder, append only.
 *
 * <p>{@code SUSPENDED} means that a person is needed: an operator holds the instance, or one of its
 * visits is parked with an intervention. Branches that are not parked go on.
 */
public enum Status {
  RUNNING,
  SUSPENDED,
  COMPLETED,
  FAILED,
  CANCELLED;

  public boolean isTerminal() {
    return compareTo(COMPLETED) >= 0;
  }
}
