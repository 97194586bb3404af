package dev.waymark.core.approval;

import java.util.Locale;

/** The decision of one person, or of an approval as a whole. */
public enum Outcome {
  APPROVED,
  REJECTED,
  CHANGES_REQUESTED;

  /** The word in definitions, answers and outputs: {@code changes-requested}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public static Outcome of(String word) {
    for (Outcome outcome : values()) {
      if (outcome.word().equals(word)) {
        return outcome;
      }
    }
    throw new IllegalArgumentException(
        "Expected approved, rejected or changes-requested, but got '%s'".formatted(word));
  }
}
