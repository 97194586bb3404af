package dev.waymark.core.expression;

import static dev.waymark.core.expression.Sample.evaluate;
import static dev.waymark.core.expression.Sample.fault;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpressionValuesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Variables.nothing == null",
        "Variables.tier != null",
        "has(Variables.nothing)",
        "!has(Variables.missing)",
        "has(Variables.customer.name)",
        "null in [1, null]",
        "{'a': null}.a == null",
        "[null].size() == 1",
        "(Variables.count > 100 ? 'big' : null) == null",
        "Variables.mixed.filter(x, x == null).size() == 0",
      })
  void null_is_a_value_like_others(String source) {
    assertThat(evaluate(source)).isEqualTo(true);
  }

  @Test
  void null_cannot_be_ordered_or_added() {
    assertThat(fault("Variables.nothing < 5"))
        .isEqualTo("Expected two numbers, two texts or two times around '<', but got null and 5");
    assertThat(fault("Variables.nothing + 1")).contains("but got null and 1");
    assertThat(fault("Variables.nothing.name"))
        .isEqualTo("Expected Variables.nothing to be an object with key 'name', but got null");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'a' + 'b'                                     | "ab"
          [1] + [2]                                     | [1,2]
          Variables.mixed.map(x, x * 2)                 | [2,5.0,6]
          Variables.mixed.map(x, x > 1, x * 2)          | [5.0,6]
          Variables.mixed.filter(x, x > 1)              | [2.5,3]
          Variables.mixed.map(x, [x].map(y, y))         | [[1],[2.5],[3]]
          Variables.mixed.all(x, x > 0)                 | true
          Variables.mixed.exists(x, x == 2.5)           | true
          Variables.mixed.exists_one(x, x > 1)          | false
          Variables.customer.map(k, k)                  | ["name","vip"]
          {'a': 1, 'b': [Variables.tier]}               | {"a":1,"b":["gold"]}
          Variables['customer']['name']                 | "Ann"
          Variables.customer                            | {"name":"Ann","vip":true}
          Variables.mixed[0]                            | 1
          'name' in Variables.customer                  | true
          string(Variables.amount) + ' EUR'             | "10.10 EUR"
          string(true) + string(5)                      | "true5"
          size('héllo') + 'a'.size()                    | 6
          size('😀')                                    | 1
          'gold'.startsWith('go') && 'gold'.endsWith('ld') | true
          'gold'.contains('ol')                         | true
          'gold'.matches('^g.*d$')                      | true
          'gold'.matches(Variables.tier)                | true
          'a,b,,c'.split(',')                           | ["a","b","","c"]
          'a😀'.split('')                               | ["a","😀"]
          ['a', 'b'].join('-') + ['c', 'd'].join()      | "a-bcd"
          ' Abc '.trim().lowerAscii()                   | "abc"
          'aé'.upperAscii()                             | "Aé"
          'banana'.replace('an', 'AN')                  | "bANANa"
          'hello'.substring(1, 3) + 'hello'.substring(4) | "elo"
          'a😀b'.indexOf('b')                           | 2
          timestamp('2026-11-01T08:00:00Z') + duration('1h30m') | "2026-11-01T09:30:00Z"
          timestamp('2026-11-01T08:00:00+01:00')        | "2026-11-01T07:00:00Z"
          [timestamp('2026-11-01T08:00:00Z') - timestamp('2026-11-01T07:00:00Z')] | ["PT1H"]
          duration('PT2H') > duration('90m')            | true
          timestamp('2026-11-01T08:00:00Z').getHours('Europe/Berlin') | 9
          timestamp('2026-11-01T08:00:00Z').getDayOfWeek() | 0
          dyn(1) == dyn('a')                            | false
          Variables.tier == 5                           | false
          """)
  void expressions_come_to_values(String source, String result) {
    assertThat(Json.write(evaluate(source))).isEqualTo(result);
  }

  @Test
  void and_and_or_let_the_side_that_decides_win() {
    assertThat(evaluate("Variables.missing || true")).isEqualTo(true);
    assertThat(evaluate("1 / 0 > 1 && false")).isEqualTo(false);
    assertThat(evaluate("[0, 1].all(x, 1 / x > 5)")).isEqualTo(false);
    assertThat(evaluate("[0, 1].exists(x, 1 / x == 1)")).isEqualTo(true);
    assertThat(fault("Variables.missing && true")).contains("Expected key 'missing'");
    assertThat(fault("[0, 1].all(x, 1 / x > 0)")).contains("divisor other than 0");
  }

  @Test
  void what_does_not_fit_is_told() {
    assertThat(fault("Variables.mixed[3]")).isEqualTo("Expected an index from 0 to 2, but got 3");
    assertThat(fault("Variables.yes ? 1 : 2"))
        .isEqualTo("Expected true or false before '?', but got \"yes\"");
    assertThat(fault("Variables.tier.all(x, true)"))
        .isEqualTo("Expected a list or an object to go through, but got \"gold\"");
    assertThat(fault("'a'.matches('(')")).contains("Expected a pattern (RE2)");
    assertThat(fault("timestamp('today')")).contains("Expected a time such as");
    assertThat(fault("timestamp(9223372036854775807)")).contains("between the years 1 and 9999");
    assertThat(fault("duration('1 hour')")).contains("Expected a duration such as");
    assertThat(fault("timestamp('2026-11-01T08:00:00Z').getHours('Mars/Base')"))
        .contains("Expected a time zone such as");
    assertThat(fault("{Variables.tier: 1, 'gold': 2}")).contains("\"gold\" twice");
  }

  @Test
  void what_json_does_not_know_is_no_value() {
    assertThat(fault("1u")).contains("no unsigned numbers");
    assertThat(fault("b'abc'")).contains("Expected a text, a number, true, false or null");
    assertThat(fault("{1: 'a'}")).isEqualTo("Expected a text as key");
    assertThat(fault("google.protobuf.Struct{}")).contains("undeclared reference");
    assertThat(fault("google.protobuf.Timestamp")).contains("undeclared reference");
    assertThat(fault("type(1)")).contains("no such function");
    assertThat(fault("int")).contains("undeclared reference");
  }
}
