package dev.waymark.core.expression;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An expression that cannot be compiled, or that came to no value.
 *
 * <p>From compiling it brings every fault found, from evaluating exactly one. It has no stack trace
 * of its own: the fault lies in a definition or its data, and there the faults point.
 */
public final class ExpressionException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient List<ExpressionFault> faults;

  ExpressionException(List<ExpressionFault> faults, @Nullable Throwable cause) {
    super(
        faults.stream().map(ExpressionFault::toString).collect(Collectors.joining("\n")),
        cause,
        false,
        false);
    this.faults = List.copyOf(faults);
  }

  ExpressionException(List<ExpressionFault> faults) {
    this(faults, null);
  }

  public List<ExpressionFault> faults() {
    return faults;
  }
}
