package dev.waymark.core.expression;

import java.util.List;
import java.util.Random;

/**
 * Random expressions that mean the same to us and to dev.cel, written as each of the two writes
 * them.
 *
 * <p>What is different on purpose ({@link Difference}) is kept out: numbers are mixed nowhere,
 * decimals are multiples of a quarter so that a double holds them, integers stay small, and
 * integers are divided by {@code div} here and by {@code /} there.
 */
final class RandomExpression {

  /** One expression in the two spellings. */
  record Pair(String ours, String theirs) {

    static Pair of(String both) {
      return new Pair(both, both);
    }

    /** Puts parts into a frame with {@code %s} for each. */
    static Pair of(String frame, Pair... parts) {
      Object[] ours = List.of(parts).stream().map(Pair::ours).toArray();
      Object[] theirs = List.of(parts).stream().map(Pair::theirs).toArray();
      return new Pair(frame.formatted(ours), frame.formatted(theirs));
    }
  }

  private static final List<String> TEXTS =
      List.of("''", "'a'", "'Ab'", "'b c'", "'\\u00e4'", "'\\U0001F600x'", "'12'");
  private static final List<String> TIMES =
      List.of(
          "timestamp('2026-02-28T23:59:59Z')",
          "timestamp('2024-02-29T00:00:00+05:30')",
          "timestamp('1969-12-31T12:00:00Z')");
  private static final List<String> SPANS =
      List.of("duration('1h30m')", "duration('-90s')", "duration('2s')", "duration('36h')");

  /** Not to be added up: dev.cel 0.14 fails where two of different signs have fractions. */
  private static final List<String> FRACTIONS =
      List.of("duration('1.5s')", "duration('3599.875s')");

  private static final List<String> ZONES =
      List.of("", "'UTC'", "'Europe/Berlin'", "'America/New_York'", "'02:00'", "'-09:30'");
  private static final List<String> PARTS =
      List.of(
          "getFullYear",
          "getMonth",
          "getDate",
          "getDayOfMonth",
          "getDayOfWeek",
          "getDayOfYear",
          "getHours",
          "getMinutes",
          "getSeconds",
          "getMilliseconds");

  private final Random random;

  RandomExpression(Random random) {
    this.random = random;
  }

  Pair draw() {
    return switch (random.nextInt(6)) {
      case 0 -> integer(4);
      case 1 -> decimal(4);
      case 2 -> text(4);
      case 3 -> integers(4);
      default -> truth(4);
    };
  }

  private Pair integer(int depth) {
    if (depth == 0) {
      return Pair.of(
          random.nextInt(4) == 0 ? "Variables.n" : String.valueOf(random.nextInt(21) - 10));
    }
    return switch (random.nextInt(13)) {
      case 0 -> Pair.of("(%s + %s)", integer(depth - 1), integer(depth - 1));
      case 1 -> Pair.of("(%s - %s)", integer(depth - 1), integer(depth - 1));
      case 2 -> Pair.of("(%s * %s)", integer(depth - 1), integer(0));
      case 3 -> {
        Pair left = integer(depth - 1);
        Pair right = integer(depth - 1);
        yield new Pair(
            "div(%s, %s)".formatted(left.ours(), right.ours()),
            "(%s / %s)".formatted(left.theirs(), right.theirs()));
      }
      case 4 -> Pair.of("(%s %% %s)", integer(depth - 1), integer(depth - 1));
      case 5 -> Pair.of("-(%s)", integer(depth - 1));
      case 6 -> Pair.of("size(%s)", text(depth - 1));
      case 7 -> Pair.of("%s.size()", integers(depth - 1));
      case 8 -> Pair.of("%s[%s]", integers(depth - 1), integer(depth - 1));
      case 9 -> Pair.of("(%s ? %s : %s)", truth(depth - 1), integer(depth - 1), integer(depth - 1));
      case 10 -> Pair.of("%s." + one(PARTS) + "(" + one(ZONES) + ")", time(depth - 1));
      case 11 ->
          Pair.of(
              "%s.get" + one(List.of("Hours", "Minutes", "Seconds", "Milliseconds")) + "()",
              random.nextBoolean() ? span(depth - 1) : Pair.of(one(FRACTIONS)));
      default -> Pair.of("int(%s)", random.nextBoolean() ? decimal(depth - 1) : text(depth - 1));
    };
  }

  private Pair decimal(int depth) {
    if (depth == 0) {
      return Pair.of(
          random.nextInt(4) == 0 ? "Variables.d" : String.valueOf((random.nextInt(81) - 40) / 4.0));
    }
    return switch (random.nextInt(6)) {
      case 0 -> Pair.of("(%s + %s)", decimal(depth - 1), decimal(depth - 1));
      case 1 -> Pair.of("(%s - %s)", decimal(depth - 1), decimal(depth - 1));
      case 2 -> Pair.of("(%s * %s)", decimal(depth - 1), decimal(0));
      case 3 -> Pair.of("(%s / " + one(List.of("2.0", "0.5", "-4.0")) + ")", decimal(depth - 1));
      case 4 -> Pair.of("double(%s)", integer(depth - 1));
      default -> Pair.of("(%s ? %s : %s)", truth(depth - 1), decimal(depth - 1), decimal(0));
    };
  }

  private Pair text(int depth) {
    if (depth == 0) {
      return Pair.of(random.nextInt(4) == 0 ? "Variables.s" : one(TEXTS));
    }
    return switch (random.nextInt(4)) {
      case 0 -> Pair.of("(%s + %s)", text(depth - 1), text(depth - 1));
      case 1 -> Pair.of("string(%s)", random.nextBoolean() ? integer(depth - 1) : truth(depth - 1));
      case 2 -> Pair.of("(%s ? %s : %s)", truth(depth - 1), text(depth - 1), text(0));
      default -> Pair.of("string(Variables.o[%s])", text(depth - 1));
    };
  }

  private Pair integers(int depth) {
    if (depth == 0) {
      return random.nextInt(3) == 0
          ? Pair.of("Variables.l")
          : Pair.of("[%s, %s]", integer(0), integer(0));
    }
    return switch (random.nextInt(4)) {
      case 0 -> Pair.of("(%s + %s)", integers(depth - 1), integers(depth - 1));
      case 1 -> Pair.of("%s.map(x, x + %s)", integers(depth - 1), integer(depth - 1));
      case 2 -> Pair.of("%s.filter(x, x > %s)", integers(depth - 1), integer(depth - 1));
      default -> Pair.of("[%s, %s, %s]", integer(depth - 1), integer(0), integer(0));
    };
  }

  private Pair time(int depth) {
    return depth == 0 || random.nextBoolean()
        ? Pair.of(one(TIMES))
        : Pair.of("(%s " + one(List.of("+", "-")) + " %s)", time(depth - 1), span(depth - 1));
  }

  private Pair span(int depth) {
    if (depth == 0 || random.nextBoolean()) {
      return Pair.of(one(SPANS));
    }
    return random.nextBoolean()
        ? Pair.of("(%s " + one(List.of("+", "-")) + " %s)", span(depth - 1), span(depth - 1))
        : Pair.of("(%s - %s)", time(depth - 1), time(depth - 1));
  }

  private Pair truth(int depth) {
    if (depth == 0) {
      return Pair.of(one(List.of("true", "false", "Variables.b")));
    }
    String order = one(List.of("<", "<=", ">", ">=", "==", "!="));
    return switch (random.nextInt(16)) {
      case 0 -> Pair.of("(%s && %s)", truth(depth - 1), truth(depth - 1));
      case 1 -> Pair.of("(%s || %s)", truth(depth - 1), truth(depth - 1));
      case 2 -> Pair.of("!%s", truth(depth - 1));
      case 3 -> Pair.of("(%s " + order + " %s)", integer(depth - 1), integer(depth - 1));
      case 4 -> Pair.of("(%s " + order + " %s)", decimal(depth - 1), decimal(depth - 1));
      case 5 -> Pair.of("(%s " + order + " %s)", text(depth - 1), text(depth - 1));
      case 6 -> Pair.of("(%s " + order + " %s)", truth(0), truth(0));
      case 7 -> Pair.of("(%s " + order + " %s)", time(depth - 1), time(depth - 1));
      case 8 -> Pair.of("(%s " + order + " %s)", span(depth - 1), span(depth - 1));
      case 9 -> Pair.of("(%s in %s)", integer(depth - 1), integers(depth - 1));
      case 10 -> Pair.of("(%s in Variables.o)", text(depth - 1));
      case 11 ->
          Pair.of(
              "%s." + one(List.of("contains", "startsWith", "endsWith")) + "(%s)",
              text(depth - 1),
              text(depth - 1));
      case 12 ->
          Pair.of(
              "%s." + one(List.of("all", "exists", "exists_one")) + "(x, x > %s)",
              integers(depth - 1),
              integer(depth - 1));
      case 13 ->
          Pair.of("%s.matches('" + one(List.of("^a+$", "[0-9]", "b.c")) + "')", text(depth - 1));
      case 14 -> Pair.of("has(Variables." + one(List.of("n", "missing")) + ")");
      default -> Pair.of("(%s == %s)", integers(depth - 1), integers(depth - 1));
    };
  }

  private String one(List<String> choices) {
    return choices.get(random.nextInt(choices.size())).replace("%", "%%");
  }
}
