package dev.waymark.proof.program;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/** Draws values that are data, but that a careless engine or database would not give back alike. */
final class Oddities {

  /**
   * Nearly as deep as a document may be; runs put what they are given into objects of their own.
   */
  private static final int DEEP = 58;

  /** Nearly as large as all variables of one run may be. */
  private static final int LARGE_CHARS = 1_500_000;

  /** One value in so many is large. */
  private static final int LARGE_IS_ONE_IN = 400;

  /** Long enough that steps write the changes of such variables, and not all of them. */
  private static final int SHORTEST_PATCHED = 9_000;

  private static final int LONGEST_PATCHED = 40_000;

  /** A text that no encoding can carry: half of a character. */
  static final String NO_TEXT = "x\ud800y";

  private static final List<Object> VALUES =
      List.of(
          "",
          "\u0000",
          "a\u0000b\u0000",
          "\ud83d\ude00\u0000\ud83d\ude00",
          "\uffff\ufffe\u202e\u0301",
          "'\"\\ ${ Variables.k1 } $$ -- ; drop table wm_instance",
          " \t\r\n\u2028\u0085 ",
          "null",
          Map.of(),
          List.of(),
          Map.of("", ""),
          Map.of("\u0000", Map.of("\ud83d\ude00", List.of("", "\u0000"))),
          List.of(List.of(), Map.of("", List.of()), "", 0L, false),
          Long.MAX_VALUE,
          Long.MIN_VALUE,
          -0.0d,
          new BigDecimal("0.1"),
          new BigDecimal("1E-300"),
          new BigDecimal("-1.7976931348623157E+308"),
          new BigDecimal("123456789012345678901234567890.000000000000000000001"));

  private final Draw draw;
  private boolean largeIsDrawn;

  Oddities(Draw draw) {
    this.draw = draw;
  }

  Object value() {
    if (!largeIsDrawn && draw.between(1, LARGE_IS_ONE_IN) == 1) {
      largeIsDrawn = true;
      return "\u00e9".repeat(LARGE_CHARS);
    }
    if (draw.chance(3)) {
      return "\u00e9\u0000'".repeat(draw.between(SHORTEST_PATCHED, LONGEST_PATCHED) / 3);
    }
    return draw.chance(5) ? deep() : draw.one(VALUES);
  }

  private Object deep() {
    Object value = draw.one(VALUES.subList(0, 8));
    for (int i = draw.between(1, DEEP); i > 0; i--) {
      value = draw.chance(50) ? List.of(value) : Map.of("\u0000", value);
    }
    return value;
  }
}
