package dev.waymark.core.expression.plan;

import dev.waymark.core.expression.value.CelOperators;
import dev.waymark.core.expression.value.Function;
import dev.waymark.core.expression.value.Regex;
import dev.waymark.core.expression.value.Root;
import dev.waymark.core.expression.value.Trouble;
import dev.waymark.core.expression.value.Values;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One part of a planned expression. It holds no state of its own, that is in the frame; so a plan
 * may be evaluated by many threads at once.
 */
public interface PlanNode {

  @Nullable Object evaluate(Frame frame);

  /** A part whose value is known before any data is. */
  record Constant(@Nullable Object value) implements PlanNode {
    @Override
    public @Nullable Object evaluate(Frame frame) {
      return value;
    }
  }

  record Data(Root root) implements PlanNode {
    @Override
    public Object evaluate(Frame frame) {
      return frame.scope.get(root);
    }
  }

  /** A variable of a comprehension. Trouble that waits there comes out when it is read. */
  record Local(int slot) implements PlanNode {
    @Override
    public @Nullable Object evaluate(Frame frame) {
      Object value = frame.locals[slot];
      if (value instanceof Trouble trouble) {
        throw trouble;
      }
      return value;
    }
  }

  /** The value of a key that must be there. */
  record Select(int position, String holder, PlanNode object, String key) implements PlanNode {
    @Override
    public @Nullable Object evaluate(Frame frame) {
      try {
        return CelOperators.select(holder, object.evaluate(frame), key);
      } catch (Trouble trouble) {
        throw trouble.at(position);
      }
    }
  }

  /** A test whether a key is there; a key with the value null is. */
  record Has(int position, String holder, PlanNode object, String key) implements PlanNode {
    @Override
    public Object evaluate(Frame frame) {
      if (object.evaluate(frame) instanceof Map<?, ?> map) {
        return map.containsKey(key);
      }
      throw new Trouble("Expected %s to be an object for 'has'", holder).at(position);
    }
  }

  record Call(int position, Function.Evaluation body, List<PlanNode> arguments)
      implements PlanNode {
    @Override
    public @Nullable Object evaluate(Frame frame) {
      @Nullable Object[] values = new @Nullable Object[arguments.size()];
      try {
        for (int i = 0; i < values.length; i++) {
          values[i] = arguments.get(i).evaluate(frame);
        }
        return body.apply(frame.budget, values);
      } catch (Trouble trouble) {
        throw trouble.at(position);
      }
    }
  }

  /**
   * {@code &&} and {@code ||}. As in CEL, the side that decides wins, even if the other one fails.
   *
   * @param decisive the value that settles the matter: false for and, true for or
   */
  record Logic(int position, boolean decisive, PlanNode left, PlanNode right) implements PlanNode {
    @Override
    public Object evaluate(Frame frame) {
      Trouble pending = null;
      try {
        if (truth(left, frame) == decisive) {
          return decisive;
        }
      } catch (Trouble trouble) {
        pending = frame.budget.swallow(trouble);
      }
      if (truth(right, frame) == decisive) {
        return decisive;
      }
      if (pending != null) {
        throw pending;
      }
      return !decisive;
    }

    private boolean truth(PlanNode side, Frame frame) {
      Object value = side.evaluate(frame);
      try {
        return Values.truth(value);
      } catch (Trouble trouble) {
        throw trouble.at(position);
      }
    }
  }

  record Choice(int position, PlanNode condition, PlanNode yes, PlanNode no) implements PlanNode {
    @Override
    public @Nullable Object evaluate(Frame frame) {
      Object value = condition.evaluate(frame);
      if (value instanceof Boolean truth) {
        return truth ? yes.evaluate(frame) : no.evaluate(frame);
      }
      throw new Trouble("Expected true or false before '?', but got %s", Values.shown(value))
          .at(position);
    }
  }

  /** Keeps a loop going unless its condition is certainly false. */
  record NotStrictlyFalse(PlanNode condition) implements PlanNode {
    @Override
    public Object evaluate(Frame frame) {
      try {
        return !Boolean.FALSE.equals(condition.evaluate(frame));
      } catch (Trouble trouble) {
        frame.budget.swallow(trouble);
        return true;
      }
    }
  }

  record Matches(int position, PlanNode text, Regex regex) implements PlanNode {
    @Override
    public Object evaluate(Frame frame) {
      try {
        return regex.findsIn(frame.budget, Values.text("matches", text.evaluate(frame)));
      } catch (Trouble trouble) {
        throw trouble.at(position);
      }
    }
  }

  record Elements(int position, List<PlanNode> elements) implements PlanNode {
    @Override
    public Object evaluate(Frame frame) {
      List<@Nullable Object> values = new ArrayList<>(elements.size());
      try {
        frame.budget.allocate((long) elements.size() * CelOperators.ELEMENT);
        for (PlanNode element : elements) {
          values.add(element.evaluate(frame));
        }
      } catch (Trouble trouble) {
        throw trouble.at(position);
      }
      return Collections.unmodifiableList(values);
    }
  }

  record Entries(int position, List<PlanNode> keys, List<PlanNode> values) implements PlanNode {
    @Override
    public Object evaluate(Frame frame) {
      Map<String, @Nullable Object> entries = new LinkedHashMap<>();
      try {
        frame.budget.allocate((long) keys.size() * CelOperators.ENTRY);
        for (int i = 0; i < keys.size(); i++) {
          String key = Values.text("a key", keys.get(i).evaluate(frame));
          if (entries.containsKey(key)) {
            throw new Trouble("Expected every key once, but got %s twice", Values.shown(key));
          }
          entries.put(key, values.get(i).evaluate(frame));
        }
      } catch (Trouble trouble) {
        throw trouble.at(position);
      }
      return Collections.unmodifiableMap(entries);
    }
  }
}
