package dev.waymark.core.expression.value;

/**
 * The work and memory that one evaluation may still use up. An expression is stopped by counting,
 * never by a clock: the same expression over the same data ends the same way on every machine.
 *
 * <p>All expressions of a template draw on one budget, and a caller may pass one to several
 * evaluations that belong together. A spent budget stays spent. Not for use by two threads at once.
 */
public final class Budget {

  /** Turns of all comprehensions together, nested ones included. */
  public static final int ITERATIONS = 10_000;

  /**
   * Units of work of about 50 ns: a node of the expression in a comprehension, 16 characters
   * compared, a tenth of a decimal operation.
   */
  public static final int WORK = 1_000_000;

  /** Characters of text made on the way; an element of a list counts as 8, an entry as 32. */
  public static final int ALLOCATION = 1024 * 1024;

  /** Characters of JSON in the results. */
  public static final int RESULT_CHARS = 256 * 1024;

  /** The cost of a trouble that {@code &&} or {@code ||} swallows: throwing takes 1 to 2 µs. */
  private static final int SWALLOWED_WORK = 50;

  private int iterations = ITERATIONS;
  private long work = WORK;
  private long allocation = ALLOCATION;
  private long result = RESULT_CHARS;

  private Budget() {}

  public static Budget full() {
    return new Budget();
  }

  public void iterate(int bodyNodes) {
    if (--iterations < 0) {
      iterations = 0;
      throw Trouble.spent("Expected at most %,d iterations, but there are more", ITERATIONS);
    }
    work(bodyNodes);
  }

  void work(long units) {
    work -= units;
    if (work < 0) {
      work = 0;
      throw Trouble.spent("Expected at most %,d units of work, but there is more to do", WORK);
    }
  }

  public Trouble swallow(Trouble trouble) {
    Trouble swallowed = trouble.orStop();
    work(SWALLOWED_WORK);
    return swallowed;
  }

  /** Must be called before the memory is taken, not after. */
  public void allocate(long units) {
    allocation -= units;
    if (allocation < 0) {
      allocation = 0;
      throw Trouble.spent(
          "Expected to build at most %,d characters on the way, but there are more", ALLOCATION);
    }
  }

  public void deliver(long chars) {
    result -= chars;
    if (result < 0) {
      result = 0;
      throw Trouble.spent(
          "Expected a result of at most %,d characters, but it is larger", RESULT_CHARS);
    }
  }
}
