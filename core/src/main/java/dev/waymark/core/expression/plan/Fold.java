package dev.waymark.core.expression.plan;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.expression.value.CelOperators;
import dev.waymark.core.expression.value.Trouble;
import dev.waymark.core.expression.value.Values;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A comprehension: the result of the macros {@code all}, {@code exists}, {@code exists_one}, {@code
 * map} and {@code filter}.
 *
 * <p>Every turn pays for the nodes of its body before it runs. A step that fails may still be
 * outvoted by a later one in {@code all} and {@code exists}, as CEL wants it; so the trouble waits
 * in place of the accumulator and is thrown when an expression reads it.
 *
 * @param condition absent where the loop runs over all elements in any case
 * @param bodyNodes how many nodes one turn evaluates at most
 */
record Fold(
    int position,
    PlanNode range,
    int element,
    int accumulator,
    PlanNode start,
    @Nullable PlanNode condition,
    PlanNode step,
    PlanNode result,
    int bodyNodes)
    implements PlanNode {

  @Override
  public @Nullable Object evaluate(Frame frame) {
    @Nullable Object[] locals = frame.locals;
    Collection<?> elements = elements(range.evaluate(frame));
    locals[accumulator] = start.evaluate(frame);
    for (Object each : elements) {
      pay(frame);
      locals[element] = each;
      if (condition != null && Boolean.FALSE.equals(condition.evaluate(frame))) {
        break;
      }
      locals[accumulator] = step(frame);
    }
    return result.evaluate(frame);
  }

  private void pay(Frame frame) {
    try {
      frame.budget.iterate(bodyNodes);
    } catch (Trouble trouble) {
      throw trouble.at(position);
    }
  }

  private @Nullable Object step(Frame frame) {
    try {
      return step.evaluate(frame);
    } catch (Trouble trouble) {
      if (condition == null) {
        throw trouble;
      }
      return frame.budget.swallow(trouble);
    }
  }

  private Collection<?> elements(@Nullable Object range) {
    return switch (range) {
      case List<?> list -> list;
      case Map<?, ?> map -> map.keySet();
      case null, default ->
          throw new Trouble(
                  "Expected a list or an object to go through, but got %s", Values.shown(range))
              .at(position);
    };
  }

  /** The empty list that {@code map} and {@code filter} start from. */
  record Gather() implements PlanNode {
    @Override
    public Object evaluate(Frame frame) {
      return new ArrayList<@Nullable Object>();
    }
  }

  /**
   * Adds to the list gathered so far, in place: as an addition of lists, {@code map} over 10,000
   * elements would copy 50 million. No other expression sees the list before the loop is done.
   */
  record Append(int position, int accumulator, PlanNode element) implements PlanNode {
    @Override
    @SuppressWarnings("unchecked") // Only Gather puts a value there.
    public Object evaluate(Frame frame) {
      Object value = element.evaluate(frame);
      try {
        frame.budget.allocate(CelOperators.ELEMENT);
      } catch (Trouble trouble) {
        throw trouble.at(position);
      }
      List<@Nullable Object> gathered =
          (List<@Nullable Object>) requireNonNull(frame.locals[accumulator]);
      gathered.add(value);
      return gathered;
    }
  }

  /** The gathered list, which is not changed from now on. */
  record Gathered(int accumulator) implements PlanNode {
    @Override
    public Object evaluate(Frame frame) {
      return Collections.unmodifiableList((List<?>) requireNonNull(frame.locals[accumulator]));
    }
  }
}
