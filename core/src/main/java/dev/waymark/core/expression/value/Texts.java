package dev.waymark.core.expression.value;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The functions on texts. Each pays for its work and its memory before it takes them.
 *
 * <p>A search may in the worst case compare every character of the needle at every place, so it
 * pays for that, however well {@link String#indexOf} mostly does.
 */
final class Texts {

  private static final int PIECE = 32;

  private Texts() {}

  static String concat(Budget budget, String left, String right) {
    budget.allocate((long) left.length() + right.length());
    return left.concat(right);
  }

  static boolean contains(Budget budget, String text, String needle) {
    search(budget, text, needle);
    return text.contains(needle);
  }

  static boolean startsWith(Budget budget, String text, String start) {
    budget.work(start.length() / 16);
    return text.startsWith(start);
  }

  static boolean endsWith(Budget budget, String text, String end) {
    budget.work(end.length() / 16);
    return text.endsWith(end);
  }

  /** Counted in characters as {@code size} counts them, so that a surrogate pair is one. */
  static long indexOf(Budget budget, String text, String needle) {
    search(budget, text, needle);
    int index = text.indexOf(needle);
    return index < 0 ? -1 : text.codePointCount(0, index);
  }

  /** Without an end index, the rest of the text. */
  static String substring(
      Budget budget, String text, @Nullable Object from, @Nullable Object until) {
    budget.allocate(text.length());
    long length = text.codePointCount(0, text.length());
    Object to = until == null ? (Object) length : until;
    if (!(from instanceof Long start)
        || !(to instanceof Long end)
        || start < 0
        || start > end
        || end > length) {
      throw new Trouble(
          "Expected 'substring' within 0 to %d, but got %s to %s",
          length, Values.shown(from), Values.shown(to));
    }
    int first = text.offsetByCodePoints(0, start.intValue());
    return text.substring(first, text.offsetByCodePoints(first, (int) (end - start)));
  }

  static String lower(Budget budget, String text) {
    return ascii(budget, text, 'A', 'Z', 'a' - 'A');
  }

  static String upper(Budget budget, String text) {
    return ascii(budget, text, 'a', 'z', 'A' - 'a');
  }

  static String trim(Budget budget, String text) {
    budget.allocate(text.length());
    int start = 0;
    int end = text.length();
    while (start < end && isSpace(text.charAt(start))) {
      start++;
    }
    while (end > start && isSpace(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(start, end);
  }

  /** Unicode's White_Space. Java's own two notions leave out the spaces that do not break. */
  private static boolean isSpace(char c) {
    return (c >= 0x09 && c <= 0x0D)
        || c == 0x20
        || c == 0x85
        || c == 0xA0
        || c == 0x1680
        || (c >= 0x2000 && c <= 0x200A)
        || c == 0x2028
        || c == 0x2029
        || c == 0x202F
        || c == 0x205F
        || c == 0x3000;
  }

  /** By code points, as the definition of CEL says; Java compares halves of pairs. */
  static int compare(String left, String right) {
    int common = Math.min(left.length(), right.length());
    for (int i = 0; i < common; i++) {
      char a = left.charAt(i);
      char b = right.charAt(i);
      if (a != b) {
        // A pair stands for a code point above all single ones.
        boolean pair = Character.isSurrogate(a);
        return pair == Character.isSurrogate(b) ? a - b : pair ? 1 : -1;
      }
    }
    return left.length() - right.length();
  }

  /** All places are replaced; an empty text to look for changes nothing. */
  static String replace(Budget budget, String text, String needle, String replacement) {
    search(budget, text, needle);
    budget.allocate(text.length());
    if (needle.isEmpty()) {
      return text;
    }
    StringBuilder out = new StringBuilder();
    int from = 0;
    for (int at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, from)) {
      budget.allocate(replacement.length() + 1L);
      out.append(text, from, at).append(replacement);
      from = at + needle.length();
    }
    return out.append(text, from, text.length()).toString();
  }

  /** The pieces between the separators; an empty separator splits into single characters. */
  static List<String> split(Budget budget, String text, String separator) {
    search(budget, text, separator);
    budget.allocate(text.length());
    if (text.isEmpty() && separator.isEmpty()) {
      return List.of();
    }
    List<String> pieces = new ArrayList<>();
    int from = 0;
    while (from <= text.length()) {
      budget.allocate(PIECE);
      int end = separator.isEmpty() ? next(text, from) : text.indexOf(separator, from);
      if (end < 0) {
        pieces.add(text.substring(from));
        break;
      }
      pieces.add(text.substring(from, end));
      from = end + separator.length();
    }
    return Collections.unmodifiableList(pieces);
  }

  static String join(Budget budget, List<?> pieces, String separator) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < pieces.size(); i++) {
      String piece = Values.text("join", pieces.get(i));
      budget.allocate((long) piece.length() + separator.length() + 1);
      out.append(i == 0 ? "" : separator).append(piece);
    }
    return out.toString();
  }

  /** The end of the character at {@code from}; negative if the text ends with it. */
  private static int next(String text, int from) {
    int end = from + (from < text.length() ? Character.charCount(text.codePointAt(from)) : 1);
    return end >= text.length() ? -1 : end;
  }

  private static String ascii(Budget budget, String text, char first, char last, int shift) {
    budget.allocate(text.length());
    char[] chars = text.toCharArray();
    for (int i = 0; i < chars.length; i++) {
      if (chars[i] >= first && chars[i] <= last) {
        chars[i] = (char) (chars[i] + shift);
      }
    }
    return new String(chars);
  }

  private static void search(Budget budget, String text, String needle) {
    budget.work(1 + (long) text.length() * (needle.length() + 1) / 16);
  }
}
