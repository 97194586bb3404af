package dev.waymark.core;

/** Checks that a text is well-formed Unicode, so that UTF-8 can hold all of it. */
final class Unicode {

  private Unicode() {}

  /** The position of the first surrogate without its other half; negative if there is none. */
  static int loneSurrogate(String text) {
    int length = text.length();
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
        boolean pair =
            Character.isHighSurrogate(c)
                && i + 1 < length
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!pair) {
          return i;
        }
        i++;
      }
    }
    return -1;
  }

  /** The same text with U+FFFD in place of every lone surrogate. */
  static String repaired(String text) {
    int lone = loneSurrogate(text);
    if (lone < 0) {
      return text;
    }
    StringBuilder repaired = new StringBuilder(text.length());
    text.codePoints()
        .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? '\uFFFD' : c)
        .forEach(repaired::appendCodePoint);
    return repaired.toString();
  }

  static String shown(String text, int lone) {
    return "a lone surrogate U+%04X at position %d".formatted((int) text.charAt(lone), lone);
  }
}
