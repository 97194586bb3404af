package dev.waymark.core.expression.value;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A pattern of {@code matches}: RE2, hence linear in the text, and small, hence linear with a small
 * factor.
 *
 * <p>RE2/J writes repetitions out while it compiles: {@code ((a{1000}){1000}){1000}} takes all
 * memory before anyone can ask for its size (measured with 1.8: out of memory after 16 s). So the
 * size is estimated from the text first, and from above.
 */
public final class Regex {

  /** Instructions of the compiled program. */
  static final int MAX_PROGRAM = 500;

  private static final int COMPILE_WORK = 1_000;

  private final Pattern pattern;

  private Regex(Pattern pattern) {
    this.pattern = pattern;
  }

  public static Regex compile(Budget budget, String source) {
    budget.work(COMPILE_WORK);
    if (estimate(source) > MAX_PROGRAM) {
      throw tooLarge(source);
    }
    try {
      Pattern pattern = Pattern.compile(source);
      if (pattern.programSize() > MAX_PROGRAM) {
        throw tooLarge(source);
      }
      return new Regex(pattern);
    } catch (PatternSyntaxException e) {
      throw new Trouble(
          "Expected a pattern (RE2), but got %s: %s", Values.shown(source), e.getDescription());
    }
  }

  /** True if some part of the text matches; patterns that mean all of it say {@code ^…$}. */
  public boolean findsIn(Budget budget, String text) {
    // Measured: 10 to 20 ns for each character and instruction, at worst.
    budget.work(1 + (long) text.length() * (pattern.programSize() + 4) / 4);
    return pattern.matcher(text).find();
  }

  /**
   * At least the number of atoms when all repetitions are written out. Only escapes and classes are
   * understood; whatever else looks like a repetition counts as one.
   */
  private static long estimate(String source) {
    Deque<Long> outer = new ArrayDeque<>();
    long total = 0;
    long atom = 0;
    for (int i = 0; i < source.length() && total + atom <= MAX_PROGRAM; i++) {
      switch (source.charAt(i)) {
        case '\\' -> {
          if (source.startsWith("\\Q", i)) {
            throw new Trouble("Expected a pattern without \\Q, but got %s", Values.shown(source));
          }
          total += atom;
          atom = 1;
          i++;
        }
        case '[' -> {
          total += atom;
          atom = 1;
          i = endOfClass(source, i);
        }
        case '(' -> {
          outer.push(total + atom);
          total = 0;
          atom = 0;
        }
        case ')' -> {
          atom = Math.max(1, total + atom);
          total = outer.isEmpty() ? 0 : outer.pop();
        }
        case '{' -> atom *= repetitions(source, i + 1);
        default -> {
          total += atom;
          atom = 1;
        }
      }
    }
    return total + atom;
  }

  private static int endOfClass(String source, int start) {
    int first = source.startsWith("^", start + 1) ? start + 2 : start + 1;
    for (int i = first; i < source.length(); i++) {
      char c = source.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == ']' && i > first) {
        return i;
      }
    }
    return source.length();
  }

  /** The larger number between the braces; RE2 itself refuses more than 1000. */
  private static long repetitions(String source, int start) {
    long largest = 1;
    long number = 0;
    for (int i = start; i < source.length() && source.charAt(i) != '}'; i++) {
      int digit = Character.digit(source.charAt(i), 10);
      number = digit < 0 ? 0 : Math.min(number * 10 + digit, MAX_PROGRAM + 1);
      largest = Math.max(largest, number);
    }
    return largest;
  }

  private static Trouble tooLarge(String source) {
    return new Trouble(
        "Expected a pattern of at most %d steps, but %s has more",
        MAX_PROGRAM, Values.shown(source));
  }
}
