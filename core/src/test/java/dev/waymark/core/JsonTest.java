package dev.waymark.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

  private record Order(String id, BigDecimal amount, Instant at) {}

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "true",
        "\"\"",
        "0",
        "-9223372036854775808",
        "9223372036854775808",
        "10.10",
        "0.00",
        "1.0E-20",
        "[]",
        "{}",
        "[1,[2,{\"a\":null}]]",
        "{\"b\":1,\"a\":2}",
        "\"\\\"\\\\\\n\\u0001é😀\""
      })
  void what_was_written_is_read_and_written_again_alike(String json) {
    assertThat(Json.write(Json.read(json))).isEqualTo(json);
  }

  @Test
  void money_keeps_its_cents() {
    assertThat(Json.readObject("{\"amount\":10.10}")).containsEntry("amount", decimal("10.10"));
    assertThat(Json.write(Map.of("amount", decimal("10.10")))).isEqualTo("{\"amount\":10.10}");
  }

  @Test
  void integers_are_longs_and_beyond_that_decimals() {
    assertThat(Json.read("7")).isEqualTo(7L);
    assertThat(Json.read("1e3")).isEqualTo(1000L);
    assertThat(Json.read("9223372036854775808")).isEqualTo(decimal("9223372036854775808"));
  }

  @Test
  void every_java_number_finds_its_form() {
    assertThat(Json.valueOf(List.of(1, (short) 2, (byte) 3, 0.1, 0.1f, new BigInteger("4"))))
        .isEqualTo(List.of(1L, 2L, 3L, decimal("0.1"), decimal("0.1"), 4L));
    assertThat(Json.valueOf(decimal("5"))).isEqualTo(5L);
    assertThat(Json.valueOf(decimal("5.0"))).isEqualTo(decimal("5.0"));
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void numbers_that_json_cannot_express_are_refused(double number) {
    assertThatIllegalArgumentException().isThrownBy(() -> Json.valueOf(number));
  }

  @Test
  void records_and_times_become_plain_values_and_come_back() {
    Order order = new Order("a", decimal("10.10"), Instant.EPOCH);

    Object value = Json.valueOf(order);

    assertThat(value)
        .isEqualTo(Map.of("id", "a", "amount", decimal("10.10"), "at", "1970-01-01T00:00:00Z"));
    assertThat(Json.convert(value, Order.class)).isEqualTo(order);
  }

  @Test
  void a_value_is_a_copy_that_cannot_change() {
    List<Object> list = new ArrayList<>(List.of(1));
    Map<String, Object> map = new HashMap<>(Map.of("list", list));

    Map<String, Object> value = Json.objectOf(map);
    list.add(2);

    assertThat(value).isEqualTo(Map.of("list", List.of(1L)));
    assertThatThrownBy(() -> value.put("x", 1)).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> value.keySet().clear())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> ((List<?>) value.get("list")).clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void a_value_made_before_is_taken_as_it_is() {
    Object value = Json.read("{\"a\":[1,2]}");

    assertThat(Json.valueOf(value)).isSameAs(value);
  }

  @Test
  void keys_keep_their_order_and_null_is_a_value() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("z", null);
    map.put("a", 1);

    assertThat(Json.write(map)).isEqualTo("{\"z\":null,\"a\":1}");
    assertThat(Json.readObject("{\"z\":null,\"a\":1}")).containsKey("z");
  }

  @Test
  void bad_json_is_refused_with_its_place() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Json.read("{\"a\":\n  oops}"))
        .withMessageContaining("Expected JSON")
        .withMessageContaining("line 2, column 3");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Json.read("{\"a\":1,\"a\":2}"))
        .withMessageContaining("'a' twice");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Json.read("1 2"))
        .withMessageContaining("Expected the end of the document");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Json.read(" "))
        .withMessageContaining("empty");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Json.readObject("[1]"))
        .withMessage("Expected a JSON object, but got [1]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[1", "{\"a\"", "{\"a\":1,}", "'a'", "NaN", "01", "// x\n1", "[1,]", "]"})
  void what_is_not_json_is_refused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> Json.read(text));
  }

  @Test
  void what_is_too_large_is_refused_on_both_ways() {
    String deep = "[".repeat(81) + "]".repeat(81);
    String longNumber = "1".repeat(101);
    String manyDigits = "1".repeat(81);
    String farAway = "1e999999999";
    String longName = "{\"" + "k".repeat(257) + "\":1}";
    String longText = "\"" + "t".repeat(Json.MAX_TEXT_CHARS + 1) + "\"";
    for (String json : List.of(deep, longNumber, manyDigits, farAway, longName, longText)) {
      assertThatIllegalArgumentException().isThrownBy(() -> Json.read(json));
    }

    Object nested = Json.read("[".repeat(72) + "]".repeat(72));
    for (Object value :
        List.of(
            List.of(nested),
            new BigInteger(manyDigits),
            decimal(farAway),
            Map.of("k".repeat(257), 1),
            "t".repeat(Json.MAX_TEXT_CHARS + 1))) {
      assertThatIllegalArgumentException().isThrownBy(() -> Json.valueOf(value));
    }
  }

  @Test
  void what_is_given_may_have_64_levels_and_is_written_and_read_inside_of_others() {
    Map<String, Object> given = Map.of("k", nested(63));

    Object wrapped = Json.valueOf(Map.of("results", List.of(Map.of("answer", Json.given(given)))));
    String row = Json.write(List.of(Map.of("changes", List.of(wrapped))));

    assertThat(Json.read(row)).isEqualTo(List.of(Map.of("changes", List.of(wrapped))));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Json.given(Map.of("k", nested(64))))
        .withMessage("Expected at most 64 levels of lists and objects, but got 65");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Json.given(null))
        .withMessage("Expected a JSON object, but got null");
  }

  private static Object nested(int levels) {
    Object value = 1L;
    for (int i = 0; i < levels; i++) {
      value = List.of(value);
    }
    return value;
  }

  @Test
  void a_document_of_a_megabyte_is_read() {
    String json = "[" + "\"0123456789\",".repeat(90_000) + "1]";

    assertThat((List<?>) Json.read(json)).hasSize(90_001);
  }

  @Test
  void a_list_that_contains_itself_is_refused() {
    List<Object> list = new ArrayList<>();
    list.add(list);

    assertThatIllegalArgumentException().isThrownBy(() -> Json.valueOf(list));
  }

  private static BigDecimal decimal(String digits) {
    return new BigDecimal(digits);
  }
}
