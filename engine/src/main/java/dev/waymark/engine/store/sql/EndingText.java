package dev.waymark.engine.store.sql;

import java.util.regex.Pattern;

/**
 * Finds SQL text that would end a transaction. It looks at the first words only: a second statement
 * behind a semicolon is not seen.
 */
final class EndingText {

  private static final Pattern ENDS =
      Pattern.compile(
          "(?:[\\s;]++|--[^\\n]*+|/\\*.*?\\*/)*+"
              + "(?:commit|end|abort|prepare\\s+transaction"
              + "|rollback(?!(?:\\s+(?:work|transaction))?\\s+to\\b))\\b",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private EndingText() {}

  static boolean isOne(String sql) {
    return ENDS.matcher(sql).lookingAt();
  }
}
