package dev.waymark.core.expression;

import static dev.waymark.core.expression.Sample.evaluate;
import static dev.waymark.core.expression.Sample.fault;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpressionNumbersTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Variables.amount * 0.1              | 1.010
          Variables.amount + 1                | 11.10
          1 + Variables.amount                | 11.10
          Variables.amount - 0.10             | 10.00
          0.1 + 0.2                           | 0.3
          1.10                                | 1.10
          0.12345678901234567890              | 0.12345678901234567890
          -0.50                               | -0.50
          - 1.50                              | -1.50
          1 / 2                               | 0.5
          -7 / 2                              | -3.5
          10 / 5                              | 2
          100 / 3                             | 33.33333333333333333333333333333333
          Variables.count / 4                 | 2.5
          div(1, 2)                           | 0
          div(-7, 2)                          | -3
          div(7.5, 2)                         | 3
          div(7e40, 2e40)                     | 3
          7e40 / 2e40                         | 3.5
          Variables.amount * 1e34 / 1e35      | 1.010
          7 % 4                               | 3
          -7 % 4                              | -3
          7.5 % 2                             | 1.5
          1 / 2.0                             | 0.5
          10.10 / 2                           | 5.05
          10 / 3.0                            | 3.333333333333333333333333333333333
          (10.10 / 10.10) / 2                 | 0.5
          4.0 / 2.0 / 4                       | 0.5
          9223372036854775807 + 1             | 9223372036854775808
          9223372036854775807 + 1 - 1         | 9223372036854775807
          -9223372036854775808 - 1            | -9223372036854775809
          -9223372036854775808 / -1           | 9223372036854775808
          9223372036854775807 * 2             | 18446744073709551614
          -(-9223372036854775808)             | 9223372036854775808
          Variables.count * 2 - 5             | 15
          abs(-2.50)                          | 2.50
          min(1, 2.5)                         | 1
          max(Variables.mixed)                | 3
          sum([])                             | 0
          sum([0.1, 0.2, 1])                  | 1.3
          round(2.345, 2)                     | 2.35
          round(-2.5)                         | -3
          round(5, 2)                         | 5.00
          floor(-1.5)                         | -2
          ceil(1.2)                           | 2
          int(3.9)                            | 3
          int('12')                           | 12
          int(-3.9)                           | -3
          double(5) / 2                       | 2.5
          double('10.10')                     | 10.10
          size(Variables.mixed) * 0.5         | 1.5
          Variables.mixed[1] + Variables.mixed[0] | 3.5
          """)
  void numbers_come_out_as_people_expect(String source, String result) {
    assertThat(Json.write(evaluate(source))).isEqualTo(result);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Variables.large > 10000",
        "10000 < Variables.large",
        "Variables.amount == 10.1",
        "Variables.count == 10.0",
        "1 == 1.0",
        "1 != 1.5",
        "[1, 2] == [1.0, 2.00]",
        "{'a': 1} == {'a': 1.0}",
        "2.5 in Variables.mixed",
        "3.0 in Variables.mixed",
        "1 in [1.0, 2.0]",
        "Variables.count in [9, 10]",
        "Variables.count >= 10 && Variables.count <= 10.0",
        "9223372036854775807 + 1 > 9223372036854775807",
      })
  void integers_and_decimals_mix_in_comparisons(String source) {
    assertThat(evaluate(source)).isEqualTo(true);
  }

  @Test
  void an_order_total_is_one_line() {
    assertThat(Json.write(evaluate("sum(Variables.lines.map(l, l.price * l.quantity))")))
        .isEqualTo("7.80");
  }

  @Test
  void division_by_zero_is_told() {
    assertThat(fault("Variables.count / 0"))
        .isEqualTo("Expected a divisor other than 0, but got 10 / 0");
    assertThat(fault("1.5 % 0.0")).isEqualTo("Expected a divisor other than 0, but got 1.5 % 0.0");
  }

  @Test
  void a_text_is_no_number() {
    assertThat(fault("Variables.tier * 2"))
        .isEqualTo("Expected two numbers around '*', but got \"gold\" and 2");
    assertThat(fault("Variables.tier + 2")).contains("\"gold\" and 2", "string(…)");
    assertThat(fault("int('1.5')")).contains("Expected an integer");
    assertThat(fault("double('x')")).contains("Expected a text with a number");
    assertThat(fault("sum([1, 'a'])")).contains("Expected a number for 'sum'");
  }
}
