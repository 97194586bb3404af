package dev.waymark.core.approval;

/**
 * A rule for how much approval is enough. Each mode says how much is required of what; that it is
 * reached, or no longer can be, is then the same question for all of them: see {@link Tally}.
 */
public sealed interface Mode {

  /** One approval is enough; the level is rejected when no person is left who could give it. */
  record Any() implements Mode {}

  /** All voices must approve: the first rejection ends it. */
  record All() implements Mode {}

  /** This number of voices must approve. */
  record AtLeast(int count) implements Mode {

    public AtLeast {
      atLeastOne("a number of approvals", count);
    }
  }

  /** The weights of the approving voices must reach this sum. */
  record Weighted(int threshold) implements Mode {

    public Weighted {
      atLeastOne("a threshold", threshold);
    }
  }

  Mode ANY = new Any();
  Mode ALL = new All();

  private static void atLeastOne(String what, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(
          "Expected %s of 1 or more, but got %d".formatted(what, value));
    }
  }
}
