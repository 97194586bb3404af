package dev.waymark.core.expression;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.waymark.core.expression.value.Budget;
import dev.waymark.core.expression.value.EvaluationScope;
import dev.waymark.core.expression.value.Root;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Expressions written to hurt. What stops them is counted, so each ends the same way every time.
 *
 * <p>The cost is measured as processor time and memory of this thread alone, not by the clock on
 * the wall: a busy machine, the compiler's threads and the collector's do not change it.
 */
class ExpressionBudgetTest {

  private static final Duration MAX_TIME = Duration.ofMillis(200);
  private static final long MAX_BYTES = 64L * 1024 * 1024;

  private static final String ITERATIONS = "iterations";
  private static final String WORK = "units of work";
  private static final String MEMORY = "characters on the way";
  private static final String RESULT = "result of at most";
  private static final String NESTING = "recursion limit exceeded";
  private static final String LENGTH = "at most 4,096 characters";
  private static final String RANGE = "number within";

  private static final EvaluationScope SCOPE = scope();

  static Stream<Arguments> hostile() {
    Map<String, String> cases = new LinkedHashMap<>();
    cases.put("Variables.l.all(a, Variables.l.all(b, a + b >= 0))", ITERATIONS);
    cases.put(
        "Variables.l.all(a, Variables.l.all(b, Variables.l.all(c, a + b + c >= 0)))", ITERATIONS);
    cases.put("Variables.l.map(a, Variables.l.map(b, a + b))", ITERATIONS);
    cases.put("Variables.l.map(x,".repeat(45) + "1" + ")".repeat(45), ITERATIONS);
    cases.put("[Variables.s]" + ".map(a, a + a)".repeat(12), MEMORY);
    cases.put("[Variables.l]" + ".map(a, a + a)".repeat(20), MEMORY);
    cases.put("Variables.l.map(x, Variables.s + Variables.s + Variables.s + Variables.s)", MEMORY);
    cases.put("Variables.l.map(x, string(x) + Variables.s)", MEMORY);
    cases.put("Variables.l.map(x, Variables.s.split(''))", MEMORY);
    cases.put("Variables.s.replace('a', Variables.s)", MEMORY);
    cases.put("Variables.l.map(x, Variables.s).join(Variables.s)", MEMORY);
    cases.put("Variables.big.all(x, Variables.s.lowerAscii() != '')", MEMORY);
    cases.put("Variables.big.map(x, {'a': x, 'b': x, 'c': x, 'd': x})", MEMORY);
    cases.put("Variables.l.all(x, [" + "x,".repeat(900) + "x].size() > 0)", MEMORY);
    cases.put("[1]" + ".map(y, [y, y, y, y])".repeat(40), RESULT);
    cases.put("Variables.l.map(x, Variables.l)", RESULT);
    cases.put("Variables.l.map(x, Variables.s)", RESULT);
    cases.put(sharedTree() + " == " + sharedTree(), WORK);
    cases.put("Variables.l.all(x, !Variables.s.contains(Variables.needle))", WORK);
    cases.put("Variables.big.all(x, Variables.s == Variables.s2)", WORK);
    cases.put("Variables.big.all(x, x in Variables.big)", WORK);
    cases.put("Variables.l.all(x, sum(Variables.l) >= 0)", WORK);
    cases.put("Variables.big.all(x, [" + "x/3.7,".repeat(300) + "x].size() > 0)", WORK);
    cases.put("Variables.big.all(x, [" + "(Variables.z||true),".repeat(180) + "x] != [])", WORK);
    cases.put("Variables.big.all(x, [" + "duration('1h1m1s1ms'),".repeat(150) + "x] != [])", WORK);
    cases.put("Variables.l.all(x, Variables.s.matches('(a|b|c|aa|bb|cc)+$'))", WORK);
    cases.put("Variables.l.all(x, 'a'.matches('(a|b)' + string(x)) || true)", WORK);
    cases.put("Variables.s.matches('" + "(a?)".repeat(120) + "b')", WORK);
    cases.put("Variables.s.matches('((a{100}){10}){10}')", "pattern of at most 500 steps");
    cases.put("Variables.s.matches('((a{1000}){1000}){1000}')", "pattern of at most 500 steps");
    cases.put("Variables.s.matches(Variables.pattern)", "pattern of at most 500 steps");
    cases.put("[Variables.digits]" + ".map(x, x * x)".repeat(40), RANGE);
    cases.put("Variables.huge * Variables.huge", RANGE);
    cases.put("Variables.huge % 7", RANGE);
    cases.put("round(Variables.huge, 30)", RANGE);
    cases.put("(".repeat(2000) + "1" + ")".repeat(2000), NESTING);
    cases.put("[".repeat(2000) + "]".repeat(2000), NESTING);
    cases.put("1+".repeat(2000) + "1", NESTING);
    cases.put("true?1:".repeat(500) + "1", NESTING);
    cases.put("Variables" + ".a".repeat(1500), NESTING);
    cases.put("[" + "1,".repeat(2000) + "1]", "node limit");
    cases.put("1 + ".repeat(1100) + "1", LENGTH);
    cases.put("'" + "x".repeat(1_000_000) + "'", LENGTH);
    cases.put("$#@!".repeat(1000), "token recognition error");
    cases.put("'".repeat(4001), "mismatched input");
    return cases.entrySet().stream().map(e -> Arguments.of(e.getKey(), e.getValue()));
  }

  @BeforeAll
  static void warm_up() {
    for (int round = 0; round < 3; round++) {
      hostile().forEach(hostile -> outcome((String) hostile.get()[0]));
    }
  }

  @ParameterizedTest(name = "{index} {1}")
  @MethodSource("hostile")
  void a_hostile_expression_is_stopped_early(String source, String reason) {
    ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long bytes = thread.getCurrentThreadAllocatedBytes();
    long nanos = thread.getCurrentThreadCpuTime();

    String outcome = outcome(source);

    assertThat(Duration.ofNanos(thread.getCurrentThreadCpuTime() - nanos)).isLessThan(MAX_TIME);
    assertThat(thread.getCurrentThreadAllocatedBytes() - bytes).isLessThan(MAX_BYTES);
    assertThat(outcome).contains(reason);
  }

  @Test
  void repeated_signs_are_harmless() {
    assertThat(outcome("!".repeat(4000) + "true")).isEqualTo("true");
    assertThat(outcome("-".repeat(4000) + "1")).isEqualTo("1");
    assertThat(outcome("Variables.s.matches('(a+)+$')")).isEqualTo("true");
  }

  @Test
  void a_spent_budget_stays_spent() {
    Budget budget = Budget.full();
    Expression loop = compile("Variables.big.all(x, true)");

    assertThat(loop.evaluate(SCOPE, budget)).isEqualTo(true);
    assertThat(outcome(loop, budget)).contains(ITERATIONS);
    assertThat(outcome(loop, budget)).contains(ITERATIONS);
  }

  @Test
  void running_out_is_not_an_error_that_or_can_swallow() {
    assertThat(outcome("Variables.l.all(a, Variables.l.all(b, true)) || true"))
        .contains(ITERATIONS);
    assertThat(
            outcome("[1].exists(x, Variables.l.map(y, Variables.s + Variables.s) == [] || true)"))
        .contains(MEMORY);
  }

  @Test
  void ordinary_work_fits_the_budget() {
    assertThat(outcome("Variables.l.map(x, x * 1.19).filter(x, x > 1100)")).startsWith("[");
    assertThat(outcome("Variables.l.all(x, x in Variables.l)")).isEqualTo("true");
    assertThat(outcome("sum(Variables.big.map(x, x * 0.5))")).isEqualTo("24997500.0");
  }

  private static String sharedTree() {
    return "[1]" + ".map(y, [y, y])".repeat(24);
  }

  private static String outcome(String source) {
    try {
      return outcome(compile(source), Budget.full());
    } catch (ExpressionException e) {
      return e.faults().get(0).message();
    }
  }

  private static String outcome(Expression expression, Budget budget) {
    try {
      return String.valueOf(expression.evaluate(SCOPE, budget));
    } catch (ExpressionException e) {
      return e.faults().get(0).message();
    }
  }

  /** With an instance of its own, so that compiling is measured too. */
  private static Expression compile(String source) {
    return new Expressions().compile(source, "/test", Set.of(Root.VARIABLES));
  }

  private static EvaluationScope scope() {
    return EvaluationScope.of(
        Map.of(
            "l",
            IntStream.range(0, 1_000).boxed().toList(),
            "big",
            IntStream.range(0, 10_000).boxed().toList(),
            "s",
            "a".repeat(10_000),
            "s2",
            "a".repeat(10_000),
            "needle",
            "a".repeat(4_999) + "b",
            "pattern",
            "((a{1000}){1000}){1000}",
            "huge",
            new BigDecimal("9e900"),
            "digits",
            new BigDecimal("9".repeat(60) + ".5")));
  }
}
