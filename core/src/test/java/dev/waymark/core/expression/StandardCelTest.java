package dev.waymark.core.expression;

import static dev.waymark.core.expression.Sample.evaluate;
import static dev.waymark.core.expression.Sample.fault;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Corners of the language in which we follow CEL's definition. */
class StandardCelTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          timestamp('2024-01-01T00:00:00Z') + duration('9300000000s')  | "2318-09-15T21:20:00Z"
          duration('2562047h')                           | "PT2562047H"
          duration('-2562048h')                          | "PT-2562048H"
          duration('0') == duration('0s')                | true
          duration('+1h')                                | "PT1H"
          duration('1\\u00B5s') == duration('1us')       | true
          '\\u00A0\\u0085\\u2007\\u202F x \\u3000'.trim()| "x"
          ''.split('')                                   | []
          ''.split(',')                                  | [""]
          'a\\U0001F600'.split('').size()                | 2
          '\\uFFFD' < '\\U0001F600'                      | true
          '\\U0001F600' < '\\U0001F601'                  | true
          'ab' < 'abc'                                   | true
          false < true                                   | true
          true <= false                                  | false
          bool('true') && bool('1') && !bool('F')        | true
          duration('90m').getHours()                     | 1
          duration('90m').getMinutes()                   | 90
          duration('90m').getSeconds()                   | 5400
          duration('1.25s').getMilliseconds()            | 250
          timestamp('2026-01-01T00:00:00.125Z').getMilliseconds() | 125
          timestamp('2026-01-01T23:00:00Z').getHours('02:00') | 1
          [1, 2, 3][1.0]                                 | 2
          7 in {}                                        | false
          'a' in {'a': 1}                                | true
          """)
  void a_corner_is_as_the_definition_says(String source, String expected) {
    assertThat(Json.write(evaluate(source))).isEqualTo(expected);
  }

  @Test
  void a_duration_that_cannot_be_negated_is_an_error_that_the_other_side_may_outvote() {
    String longest = "duration('PT-9223372036854775808S')";

    assertThat(evaluate("-%s > duration('1s') || true".formatted(longest))).isEqualTo(true);
    assertThat(evaluate("%1$s - %1$s > duration('1s') || true".formatted(longest))).isEqualTo(true);
  }

  @Test
  void an_integer_beyond_64_bits_is_refused_in_our_words() {
    assertThat(fault("9223372036854775808 + 1"))
        .isEqualTo(
            "Expected an integer from -9223372036854775808 to 9223372036854775807, but got"
                + " 9223372036854775808; a decimal such as 9223372036854775808.0 may be larger");
    assertThat(fault("[1, 2][1.5]")).isEqualTo("Expected an index from 0 to 1, but got 1.5");
    assertThat(fault("bool('yes')")).startsWith("Expected true, false or a text that says so");
    assertThat(fault("-duration('PT-9223372036854775808S')")).startsWith("Expected a shorter");
  }
}
