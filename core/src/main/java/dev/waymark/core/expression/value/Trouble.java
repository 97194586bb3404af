package dev.waymark.core.expression.value;

import java.util.Arrays;

/**
 * An error inside an evaluation, on its way up to the place that tells the user.
 *
 * <p>It carries no stack trace and writes its text only when asked, because CEL's {@code &&} and
 * {@code ||} swallow errors as a matter of course. It never leaves this package.
 */
public final class Trouble extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private static final int NOWHERE = -1;

  private final transient Object[] details;
  private final boolean fatal;
  private int position = NOWHERE;

  private Trouble(boolean fatal, String message, Object... details) {
    super(message, null, false, false);
    this.details = details;
    this.fatal = fatal;
  }

  /**
   * The message is a format with the expected form and the value that came; values among the
   * details are {@link Shown}.
   */
  public Trouble(String message, Object... details) {
    this(false, message, details);
  }

  /** Stops the evaluation for good: were it swallowed, a loop could go on without a budget. */
  static Trouble spent(String message, int limit) {
    return new Trouble(true, message, limit);
  }

  /** The innermost part of the expression that knows its position wins. */
  public Trouble at(int where) {
    if (position == NOWHERE) {
      position = where;
    }
    return this;
  }

  public int position() {
    return Math.max(0, position);
  }

  public String text(boolean hidesValues) {
    Object[] shown =
        Arrays.stream(details)
            .map(detail -> hidesValues && detail instanceof Shown ? "(hidden)" : detail)
            .toArray();
    return String.valueOf(getMessage()).formatted(shown);
  }

  Trouble orStop() {
    if (fatal) {
      throw this;
    }
    return this;
  }
}
