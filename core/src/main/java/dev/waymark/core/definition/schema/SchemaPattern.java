package dev.waymark.core.definition.schema;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import com.networknt.schema.regex.RegularExpression;
import dev.waymark.core.Limits;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A regular expression of a schema, run by RE2/J: its time grows with the text and never explodes.
 *
 * <p>RE2/J writes repetitions out while it compiles, so {@code ((a{1000}){1000}){1000}} takes all
 * memory before its size can be asked for. The size is therefore estimated first, from above.
 */
final class SchemaPattern {

  private SchemaPattern() {}

  /**
   * @throws IllegalArgumentException with the fault of the pattern
   */
  static RegularExpression compile(String source) {
    // A class that never ends is one atom to us, and takes RE2/J the square of its length.
    if (source.length() > Limits.PATTERN_CHARS) {
      throw new IllegalArgumentException(
          "%,d characters, more than %,d".formatted(source.length(), Limits.PATTERN_CHARS));
    }
    if (estimate(source) > Limits.PATTERN_STEPS) {
      throw tooLarge();
    }
    try {
      // RE2 writes a code point in braces, ECMA-262 in four digits.
      Pattern pattern = Pattern.compile(source.replaceAll("\\\\u([0-9a-fA-F]{4})", "\\\\x{$1}"));
      if (pattern.programSize() > Limits.PATTERN_STEPS) {
        throw tooLarge();
      }
      return text -> pattern.matcher(text).find();
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(e.getDescription(), e);
    }
  }

  private static IllegalArgumentException tooLarge() {
    return new IllegalArgumentException(
        "more than %d steps, with its repetitions written out".formatted(Limits.PATTERN_STEPS));
  }

  /** At least the number of atoms once all repetitions are written out. */
  private static long estimate(String source) {
    Deque<Long> outer = new ArrayDeque<>();
    long total = 0;
    long atom = 0;
    for (int i = 0; i < source.length() && total + atom <= Limits.PATTERN_STEPS; i++) {
      switch (source.charAt(i)) {
        case '(' -> {
          outer.push(total + atom);
          total = 0;
          atom = 0;
        }
        case ')' -> {
          atom = Math.max(1, total + atom);
          total = outer.isEmpty() ? 0 : outer.pop();
        }
        case '{' -> {
          long repetitions = repetitions(source, i + 1);
          total += repetitions < 0 ? atom : 0;
          atom = repetitions < 0 ? 1 : atom * repetitions;
        }
        default -> {
          total += atom;
          atom = 1;
          i = endOfAtom(source, i);
        }
      }
    }
    while (!outer.isEmpty()) {
      total += outer.pop();
    }
    return total + atom;
  }

  /** The last character of an escape, a class, or a single character. */
  private static int endOfAtom(String source, int start) {
    if (source.charAt(start) == '\\') {
      return start + 1;
    }
    if (source.charAt(start) != '[') {
      return start;
    }
    int first = source.startsWith("^", start + 1) ? start + 2 : start + 1;
    for (int i = first; i < source.length(); i++) {
      if (source.charAt(i) == '\\') {
        i++;
      } else if (source.charAt(i) == ']' && i > first) {
        return i;
      }
    }
    return source.length();
  }

  /**
   * The largest number between the braces; negative if the brace stands for itself. It reads digits
   * and commas only, so that a text full of braces is read once and not once for each of them.
   */
  private static long repetitions(String source, int start) {
    long largest = 1;
    long number = 0;
    for (int i = start; i < source.length(); i++) {
      char c = source.charAt(i);
      if (c == '}') {
        return i > start ? largest : -1;
      }
      int digit = c >= '0' && c <= '9' ? c - '0' : -1;
      if (digit < 0 && c != ',') {
        return -1;
      }
      number = digit < 0 ? 0 : Math.min(number * 10 + digit, Limits.PATTERN_STEPS + 1L);
      largest = Math.max(largest, number);
    }
    return -1;
  }
}
