package dev.waymark.engine.store;

/**
 * The promises about every committed state, whatever crashed when.
 *
 * <p>Number 4, one effect for each key, begins with external calls and has no rule yet.
 */
public enum Invariant {
  I1("Consumed once"),
  I2("Dense versions"),
  I3("Atomic step"),
  I4("One effect for each key"),
  I5("Nothing stranded"),
  I6("Terminal is terminal"),
  I7("Fencing"),
  I8("Outbox truth"),
  I9("Acknowledged is durable"),
  I10("Inbound once"),
  I11("Time"),
  I12("Bounded trouble"),
  I13("State equals log"),
  I14("Belonging");

  private final String title;

  Invariant(String title) {
    this.title = title;
  }

  /** Its name for people. */
  public String title() {
    return title;
  }
}
