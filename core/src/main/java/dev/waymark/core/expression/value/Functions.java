package dev.waymark.core.expression.value;

import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * All functions that an expression can call. The table holds the declaration for the checker next
 * to the code that runs, so no function can be declared without code, or have code without a
 * declaration.
 *
 * <p>dev.cel's own declarations are left out altogether: they know no mixed numbers, and overloads
 * added to one of its functions would hide it instead of joining it.
 */
public final class Functions {

  /** Two numbers, mixed in every way. */
  private static final String NUMBERS =
      "int int > int, int decimal > decimal, decimal int > decimal, decimal decimal > decimal";

  /** The quotient of two integers is an integer where it is whole. */
  private static final String QUOTIENTS = NUMBERS.replace("int int > int", "int int > any");

  private static final String WHOLE =
      "int int > int, int decimal > int, decimal int > int, decimal decimal > int";

  private static final String ORDERED =
      "int int > bool, int decimal > bool, decimal int > bool, decimal decimal > bool, "
          + "text text > bool, bool bool > bool, time time > bool, span span > bool";

  /**
   * CEL has one signature for all kinds here, but that leaves no room for mixed numbers. To the
   * checker null may stand for a time, so that any value of unknown kind can be compared with it.
   */
  private static final String EQUATED = ORDERED + ", any[] any[] > bool, any{any} any{any} > bool";

  private static final Map<String, Function> TABLE = new LinkedHashMap<>();

  static {
    arithmetic();
    comparison();
    conversion();
    texts();
    times();
  }

  private Functions() {}

  public static @Nullable Function named(String name) {
    return TABLE.get(name);
  }

  public static List<Function> all() {
    return List.copyOf(TABLE.values());
  }

  private static void arithmetic() {
    String sums =
        NUMBERS
            + ", text text > text, A[] A[] > A[], time span > time, "
            + "span time > time, span span > span";
    String differences = NUMBERS + ", time time > span, time span > time, span span > span";
    define("_+_", sums, (budget, x) -> CelOperators.add(budget, x[0], x[1]));
    define("_-_", differences, (budget, x) -> CelOperators.subtract(budget, x[0], x[1]));
    define("_*_", NUMBERS, (budget, x) -> CelOperators.multiply(budget, x[0], x[1]));
    define("_/_", QUOTIENTS, (budget, x) -> CelOperators.divide(budget, x[0], x[1]));
    define("div", WHOLE, (budget, x) -> CelOperators.wholeQuotient(budget, x[0], x[1]));
    define("_%_", NUMBERS, (budget, x) -> CelOperators.remainder(budget, x[0], x[1]));
    define("-_", "int > int, decimal > decimal, span > span", (b, x) -> CelOperators.negate(x[0]));
    define("abs", "int > int, decimal > decimal", (budget, x) -> Numbers.abs(x[0]));
    define(
        "round",
        "int > int, decimal > int, int int > decimal, decimal int > decimal",
        (b, x) -> Numbers.round(b, x[0], x.length > 1 ? x[1] : 0L, RoundingMode.HALF_UP));
    define(
        "floor",
        "int > int, decimal > int",
        (budget, x) -> Numbers.round(budget, x[0], 0L, RoundingMode.FLOOR));
    define(
        "ceil",
        "int > int, decimal > int",
        (budget, x) -> Numbers.round(budget, x[0], 0L, RoundingMode.CEILING));
    define("min", NUMBERS + ", any[] > any", (b, x) -> CelOperators.extreme(b, "min", x, -1));
    define("max", NUMBERS + ", any[] > any", (b, x) -> CelOperators.extreme(b, "max", x, 1));
    define("sum", "any[] > any", (budget, x) -> CelOperators.sum(budget, x[0]));
  }

  private static void comparison() {
    define("_==_", EQUATED, (budget, x) -> Values.same(budget, x[0], x[1]));
    define("_!=_", EQUATED, (budget, x) -> !Values.same(budget, x[0], x[1]));
    order("<", sign -> sign < 0);
    order("<=", sign -> sign <= 0);
    order(">", sign -> sign > 0);
    order(">=", sign -> sign >= 0);
    define(
        "@in",
        "any any[] > bool, any any{any} > bool",
        (budget, x) -> Values.contains(budget, x[0], x[1]));
    define("!_", "bool > bool", (budget, x) -> !Values.truth(x[0]));
    define(
        "_[_]",
        "A[] int > A, A[] decimal > A, A{B} A > B",
        (budget, x) -> CelOperators.index(x[0], x[1]));
    define(
        "size",
        "text > int, A[] > int, A{B} > int, text. > int, A[]. > int, A{B}. > int",
        (budget, x) -> Values.size(budget, x[0]));
    // These do not need all their arguments, so the planner sees to them.
    define("_&&_", "bool bool > bool", Functions::planned);
    define("_||_", "bool bool > bool", Functions::planned);
    define("_?_:_", "bool any any > any", Functions::planned);
    define("@not_strictly_false", "bool > bool", Functions::planned);
  }

  private static void conversion() {
    define(
        "string",
        "text > text, int > text, decimal > text, bool > text, time > text, " + "span > text",
        (budget, x) -> CelOperators.string(budget, x[0]));
    define(
        "int",
        "int > int, decimal > int, text > int, time > int",
        (budget, x) ->
            x[0] instanceof Instant time ? time.getEpochSecond() : Numbers.toInteger(budget, x[0]));
    define(
        "double",
        "int > decimal, decimal > decimal, text > decimal",
        (budget, x) -> Numbers.toDecimal(budget, x[0]));
    define("bool", "bool > bool, text > bool", (budget, x) -> CelOperators.bool(x[0]));
    define("dyn", "any > any", (budget, x) -> x[0]);
  }

  private static void texts() {
    define("contains", "text.text > bool", (b, x) -> Texts.contains(b, text(x, 0), text(x, 1)));
    define(
        "startsWith",
        "text.text > bool",
        (budget, x) -> Texts.startsWith(budget, text(x, 0), text(x, 1)));
    define("endsWith", "text.text > bool", (b, x) -> Texts.endsWith(b, text(x, 0), text(x, 1)));
    define(
        "matches",
        "text.text > bool, text text > bool",
        (budget, x) -> Regex.compile(budget, text(x, 1)).findsIn(budget, text(x, 0)));
    define("indexOf", "text.text > int", (b, x) -> Texts.indexOf(b, text(x, 0), text(x, 1)));
    define(
        "substring",
        "text.int > text, text.int int > text",
        (budget, x) -> Texts.substring(budget, text(x, 0), x[1], x.length > 2 ? x[2] : null));
    define("lowerAscii", "text. > text", (budget, x) -> Texts.lower(budget, text(x, 0)));
    define("upperAscii", "text. > text", (budget, x) -> Texts.upper(budget, text(x, 0)));
    define("trim", "text. > text", (budget, x) -> Texts.trim(budget, text(x, 0)));
    define(
        "replace",
        "text.text text > text",
        (budget, x) -> Texts.replace(budget, text(x, 0), text(x, 1), text(x, 2)));
    define("split", "text.text > text[]", (b, x) -> Texts.split(b, text(x, 0), text(x, 1)));
    define(
        "join",
        "text[]. > text, text[].text > text",
        (budget, x) ->
            Texts.join(budget, Values.list("join", x[0]), x.length > 1 ? text(x, 1) : ""));
  }

  private static void times() {
    define("timestamp", "text > time, int > time, time > time", (b, x) -> Times.timestamp(b, x[0]));
    define("duration", "text > span, span > span", (b, x) -> Times.duration(b, x[0]));
    // Numbered as CEL numbers them: months, days of the year, of the month (but not dates) and of
    // the week count from zero, and the week starts on Sunday.
    part("getFullYear", ZonedDateTime::getYear);
    part("getMonth", time -> time.getMonthValue() - 1L);
    part("getDate", ZonedDateTime::getDayOfMonth);
    part("getDayOfMonth", time -> time.getDayOfMonth() - 1L);
    part("getDayOfWeek", time -> time.getDayOfWeek().getValue() % 7L);
    part("getDayOfYear", time -> time.getDayOfYear() - 1L);
    // For a duration, the result is all its hours, minutes or seconds; but for milliseconds, only
    // those of the last second.
    part("getHours", ZonedDateTime::getHour, span -> Times.seconds(span) / 3_600);
    part("getMinutes", ZonedDateTime::getMinute, span -> Times.seconds(span) / 60);
    part("getSeconds", ZonedDateTime::getSecond, Times::seconds);
    part("getMilliseconds", time -> time.getNano() / 1_000_000L, Times::milliseconds);
  }

  private static void order(String operator, IntPredicate holds) {
    define(
        "_" + operator + "_",
        ORDERED,
        (budget, x) -> holds.test(Values.order(budget, operator, x[0], x[1])));
  }

  private static void part(String name, ToLongFunction<ZonedDateTime> part) {
    define(name, "time. > int, time.text > int", (b, x) -> Times.part(b, name, x, part, null));
  }

  private static void part(
      String name, ToLongFunction<ZonedDateTime> part, ToLongFunction<Duration> ofSpan) {
    define(
        name,
        "time. > int, time.text > int, span. > int",
        (budget, x) -> Times.part(budget, name, x, part, ofSpan));
  }

  private static void define(String name, String signatures, Function.Evaluation body) {
    TABLE.put(name, Function.of(name, signatures, body));
  }

  private static String text(@Nullable Object[] arguments, int index) {
    return Values.text(arguments[index]);
  }

  private static Object planned(Budget budget, @Nullable Object[] arguments) {
    throw new IllegalStateException("The planner evaluates this one");
  }
}
