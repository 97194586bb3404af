package dev.waymark.core.expression.value;

import dev.waymark.core.Json;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * Arithmetic as people do it with money: integers and decimals mix, decimals are decimal, and
 * nothing wraps around.
 *
 * <p>An integer is a {@code Long}, or a {@code BigDecimal} without decimals once a long is too
 * small. A decimal keeps at least one digit after the point, so that it can be told from an integer
 * in a result. Decimals are computed to 34 significant digits.
 */
public final class Numbers {

  private static final MathContext PRECISION = MathContext.DECIMAL128;
  private static final int DECIMAL_WORK = 10;
  private static final int DIVISION_WORK = 30;

  /** Digits after the point that one may ask for. */
  private static final int MAX_ROUND_DIGITS = 30;

  private Numbers() {}

  static boolean isNumber(@Nullable Object value) {
    return value instanceof Long || value instanceof BigDecimal;
  }

  /** True if it is one of 0 to {@code size - 1}, also if it was written with decimals. */
  static boolean isWithin(@Nullable Object number, int size) {
    BigDecimal index = big(number);
    return index.signum() >= 0
        && index.compareTo(BigDecimal.valueOf(size)) < 0
        && index.stripTrailingZeros().scale() <= 0;
  }

  static int compare(@Nullable Object left, @Nullable Object right) {
    return left instanceof Long a && right instanceof Long b
        ? Long.compare(a, b)
        : big(left).compareTo(big(right));
  }

  static Object add(Budget budget, @Nullable Object left, @Nullable Object right) {
    if (left instanceof Long x && right instanceof Long y) {
      long a = x;
      long b = y;
      long sum = a + b;
      return ((a ^ sum) & (b ^ sum)) < 0 ? integer(big(x).add(big(y))) : (Object) sum;
    }
    budget.work(DECIMAL_WORK);
    return like(left, right, big(left).add(big(right), PRECISION));
  }

  static Object subtract(Budget budget, @Nullable Object left, @Nullable Object right) {
    if (left instanceof Long x && right instanceof Long y) {
      long a = x;
      long b = y;
      long difference = a - b;
      return ((a ^ b) & (a ^ difference)) < 0
          ? integer(big(x).subtract(big(y)))
          : (Object) difference;
    }
    budget.work(DECIMAL_WORK);
    return like(left, right, big(left).subtract(big(right), PRECISION));
  }

  static Object multiply(Budget budget, @Nullable Object left, @Nullable Object right) {
    if (left instanceof Long x && right instanceof Long y) {
      long a = x;
      long b = y;
      boolean fits = Math.multiplyHigh(a, b) == (a * b) >> 63;
      return fits ? (Object) (a * b) : integer(big(x).multiply(big(y), PRECISION));
    }
    budget.work(DECIMAL_WORK);
    return like(left, right, big(left).multiply(big(right), PRECISION));
  }

  /**
   * The exact quotient, to 34 digits: {@code 10 / 4} is {@code 2.5}. An author does not see whether
   * the JSON value is 10 or 10.0, so the result must not depend on it. A whole quotient of integers
   * is an integer.
   */
  static Object divide(Budget budget, @Nullable Object left, @Nullable Object right) {
    BigDecimal divisor = divisor(left, "/", right);
    if (left instanceof Long a && right instanceof Long b && b != -1 && a % b == 0) {
      return a / b;
    }
    budget.work(DIVISION_WORK);
    BigDecimal quotient = big(left).divide(divisor, PRECISION);
    return isInteger(left) && isInteger(right) && quotient.scale() <= 0
        ? integer(quotient)
        : decimal(quotient);
  }

  /** The whole quotient, towards zero: {@code div(-7, 2)} is {@code -3}. */
  static Object wholeQuotient(Budget budget, @Nullable Object left, @Nullable Object right) {
    BigDecimal divisor = divisor(left, "div", right);
    if (left instanceof Long a && right instanceof Long b && b != -1) {
      return a / b;
    }
    budget.work(DIVISION_WORK);
    BigDecimal dividend = big(left);
    // As many digits as the quotient has before the point, and two to be safe.
    long digits =
        (long) dividend.precision() - dividend.scale() - divisor.precision() + divisor.scale() + 2;
    if (digits > Json.MAX_NUMBER_DIGITS + 2) {
      throw outOfRange();
    }
    return integer(whole(dividend.divideToIntegralValue(divisor)));
  }

  static Object remainder(Budget budget, @Nullable Object left, @Nullable Object right) {
    BigDecimal divisor = divisor(left, "%", right);
    if (left instanceof Long a && right instanceof Long b) {
      return a % b;
    }
    budget.work(DIVISION_WORK);
    try {
      return like(left, right, big(left).remainder(divisor, PRECISION));
    } catch (ArithmeticException e) {
      throw outOfRange();
    }
  }

  static Object negate(@Nullable Object value) {
    return value instanceof Long a && a != Long.MIN_VALUE
        ? (Object) (-a)
        : like(value, value, big(number("-", value)).negate());
  }

  static Object abs(@Nullable Object value) {
    return big(number("abs", value)).signum() < 0 ? negate(value) : number("abs", value);
  }

  /**
   * Rounds half away from zero, as is usual with money. Without digits the result is an integer.
   */
  static Object round(
      Budget budget, @Nullable Object value, @Nullable Object digits, RoundingMode mode) {
    budget.work(DECIMAL_WORK);
    BigDecimal number = big(number("round", value));
    if (!(digits instanceof Long count) || count < 0 || count > MAX_ROUND_DIGITS) {
      throw new Trouble(
          "Expected 0 to %d digits for 'round', but got %s",
          MAX_ROUND_DIGITS, Values.shown(digits));
    }
    if ((long) number.precision() - number.scale() + count > Json.MAX_NUMBER_DIGITS) {
      throw outOfRange();
    }
    return bounded(number.setScale(count.intValue(), mode));
  }

  /** The integer part of a number, or the integer that a text shows. */
  static Object toInteger(Budget budget, @Nullable Object value) {
    budget.work(DECIMAL_WORK);
    if (value instanceof String text) {
      Object number = parse("int", text);
      if (!isInteger(number)) {
        throw new Trouble("Expected an integer for 'int', but got %s", Values.shown(value));
      }
      return number;
    }
    return value instanceof Long ? value : integer(whole(big(number("int", value))));
  }

  static Object toDecimal(Budget budget, @Nullable Object value) {
    budget.work(DECIMAL_WORK);
    return decimal(
        big(value instanceof String text ? parse("double", text) : number("double", value)));
  }

  static Object number(String user, @Nullable Object value) {
    if (value != null && isNumber(value)) {
      return value;
    }
    throw new Trouble("Expected a number for '%s', but got %s", user, Values.shown(value));
  }

  /** Writes the number without an exponent as long as that is readable. */
  static String plain(BigDecimal number) {
    long digits = Math.max(number.precision(), (long) number.precision() - number.scale());
    return Math.max(digits, number.scale()) > 40 ? number.toString() : number.toPlainString();
  }

  /** A decimal as the source writes it: {@code 0.1} means a tenth and not the nearest double. */
  public static Object literal(BigDecimal written) {
    return decimal(written);
  }

  private static Object parse(String user, String text) {
    try {
      if (text.length() <= Json.MAX_NUMBER_CHARS) {
        return Json.number(new BigDecimal(text));
      }
    } catch (IllegalArgumentException e) {
      // Reported below, with the same message for every text that is not a number.
    }
    throw new Trouble(
        "Expected a text with a number for '%s', but got %s", user, Values.shown(text));
  }

  private static BigDecimal divisor(
      @Nullable Object left, String operator, @Nullable Object right) {
    if (big(right).signum() == 0) {
      throw new Trouble(
          "Expected a divisor other than 0, but got %s %s %s",
          Values.shown(left), operator, Values.shown(right));
    }
    return big(right);
  }

  private static boolean isInteger(@Nullable Object value) {
    return value instanceof Long || (value instanceof BigDecimal big && big.scale() <= 0);
  }

  private static BigDecimal big(@Nullable Object value) {
    return switch (value) {
      case Long number -> BigDecimal.valueOf(number);
      case BigDecimal number -> number;
      case null, default -> throw new Trouble("Expected a number, but got %s", Values.shown(value));
    };
  }

  private static Object like(@Nullable Object left, @Nullable Object right, BigDecimal result) {
    return isInteger(left) && isInteger(right) ? integer(result) : decimal(result);
  }

  private static BigDecimal whole(BigDecimal number) {
    return number.scale() > 0 ? number.setScale(0, RoundingMode.DOWN) : number;
  }

  private static Object integer(BigDecimal result) {
    return bounded(result);
  }

  private static Object decimal(BigDecimal result) {
    boolean short34 = (long) result.precision() - result.scale() <= PRECISION.getPrecision();
    return bounded(result.scale() < 1 && short34 ? result.setScale(1) : result);
  }

  private static Object bounded(BigDecimal result) {
    try {
      return Json.number(result);
    } catch (IllegalArgumentException e) {
      throw outOfRange();
    }
  }

  private static Trouble outOfRange() {
    return new Trouble(
        "Expected a number within ±1e%d, but the result lies outside", Json.MAX_EXPONENT);
  }
}
