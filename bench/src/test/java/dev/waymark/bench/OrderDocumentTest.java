package dev.waymark.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OrderDocumentTest {

  private static final int ONE_LINE = 300;

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 100})
  void it_is_as_large_as_was_asked_for_give_or_take_a_line(int kilobytes) {
    String json = Json.write(OrderDocument.ofKilobytes(kilobytes));

    assertThat(json.length()).isBetween(kilobytes * 1_024 - ONE_LINE, kilobytes * 1_024 + ONE_LINE);
  }

  @Test
  void it_is_a_list_of_lines_and_always_the_same() {
    var order = OrderDocument.ofKilobytes(10);

    assertThat((List<?>) order.get("lines")).hasSizeGreaterThan(40);
    assertThat(Json.write(order)).isEqualTo(Json.write(OrderDocument.ofKilobytes(10)));
  }
}
