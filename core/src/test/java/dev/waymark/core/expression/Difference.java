package dev.waymark.core.expression;

/** All in which expressions differ from CEL on purpose, each with an example that a test tries. */
enum Difference {
  MIXED_NUMBERS(
      "Integers and decimals mix in arithmetic and in comparisons.", "1 + 0.5", "1.5", "an error"),
  DECIMALS(
      "Decimals are decimal, to 34 digits, and no binary fractions: money loses no cents.",
      "0.1 + 0.2 == 0.3",
      "true",
      "false"),
  ZEROS("A decimal keeps the zeros that it was written with.", "1.10", "1.10", "1.1"),
  EXACT_DIVISION(
      "`/` divides exactly, integers too; `div(a, b)` divides whole numbers.",
      "10 / 4",
      "2.5",
      "2"),
  DIVISION_BY_ZERO(
      "Dividing a decimal by zero is an error: JSON has no infinity.",
      "1.0 / 0.0",
      "an error",
      "Infinity"),
  DECIMAL_REMAINDER("`%` takes decimals as well.", "7.5 % 2.0", "1.5", "an error"),
  OVERFLOW(
      "An integer that outgrows 64 bits becomes a larger number.",
      "9223372036854775807 + 1",
      "9223372036854775808",
      "an error"),
  ROUNDED_TEXT("`string` of a decimal shows it as written.", "string(2.50)", "'2.50'", "'2.5'"),
  INT_OF_TEXT(
      "`int` of a text takes every whole number, also `1e3` and `12.`",
      "int('1e3')",
      "1000",
      "an error"),
  STRING_OF_DURATION(
      "`string` of a duration is ISO 8601, as in definitions.",
      "string(duration('90s'))",
      "'PT1M30S'",
      "'90s'"),
  ISO_DURATIONS(
      "`duration` takes ISO 8601 as well.", "duration('PT1M30S').getSeconds()", "90", "an error"),
  LONG_DURATIONS(
      "A duration may be longer than 10,000 years.",
      "duration('100000000h').getHours()",
      "100000000",
      "an error"),
  NEGATIVE_PARTS(
      "Hours, minutes and seconds of a negative duration are counted towards zero, as in cel-go;"
          + " dev.cel counts down.",
      "duration('-3599.875s').getMinutes()",
      "-59",
      "-60"),
  TEXT_ORDER(
      "Texts are ordered by code points, as CEL's definition says; dev.cel orders the halves of"
          + " pairs.",
      "'\\uFFFD' < '\\U0001F600'",
      "true",
      "false"),
  ERRORS_STAY(
      "An error in `exists` or `all` stays an error when it is compared; dev.cel 0.14 takes it for"
          + " a value.",
      "true == [1].exists(x, x > int('a'))",
      "an error",
      "false"),
  TIMES_AS_TEXTS(
      "A time or duration that leaves an expression is a text, since JSON has none.",
      "timestamp(0)",
      "'1970-01-01T00:00:00Z'",
      "1970-01-01T00:00:00Z"),
  TEXT_KEYS("Keys of an object are texts.", "{1: 'a'}", "an error", "{1=a}"),
  LOOSE_IN("`in` compares with elements of every kind.", "'a' in [1, 2]", "false", "an error"),
  MIXED_CHOICE(
      "The two sides of `? :` may be of different kinds.", "true ? 1 : 'a'", "1", "an error"),
  NO_TYPES(
      "There is no `type`, and there are no type names.", "type(1) == int", "an error", "true"),
  NO_UNSIGNED("There are no unsigned numbers.", "1u", "an error", "1"),
  NO_BYTES("There are no bytes; in data they are base64 texts.", "size(b'ab')", "an error", "2"),
  SUM(
      "Functions were added: `sum`, `round`, `floor`, `ceil`, `abs`, `min`, `max` and `div`.",
      "sum([1, 2.5])",
      "3.5",
      "an error"),
  STRINGS("So was a part of CEL's strings extension.", "' a '.trim()", "'a'", "an error"),
  EMPTY_NEEDLE(
      "In `replace` an empty text to look for changes nothing.",
      "'ab'.replace('', '-')",
      "'ab'",
      "an error");

  final String sentence;
  final String example;
  final String theirs;
  final String ours;
  final String cel;

  Difference(String sentence, String example, String ours, String cel) {
    this.sentence = sentence;
    this.example = example;
    this.theirs = example;
    this.ours = ours;
    this.cel = cel;
  }
}
