package dev.waymark.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Change;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Values know whether they hold a reference to a payload, and changes keep references whole. */
final class PayloadValuesTest {

  private static Map<String, @Nullable Object> reference(int number) {
    Map<String, @Nullable Object> reference = new LinkedHashMap<>();
    reference.put("$payload", "sha256:" + number);
    reference.put("size", number);
    return reference;
  }

  private record Scan(Map<String, @Nullable Object> toDocument) implements JsonForm {}

  private record Order(String number, Scan scan) {}

  @Test
  void a_value_knows_whether_it_holds_a_reference() {
    assertThat(Json.holdsPayload(Json.valueOf(reference(1)))).isTrue();
    assertThat(Json.holdsPayload(Json.valueOf(List.of(Map.of("a", List.of(reference(1)))))))
        .isTrue();
    assertThat(Json.holdsPayload(Json.read("{\"a\":[{\"$payload\":1}]}"))).isTrue();
    assertThat(Json.holdsPayload(Json.valueOf(Map.of("a", List.of("$payload"))))).isFalse();
    assertThat(Json.holdsPayload("$payload")).isFalse();
    assertThat(Json.holdsPayload(null)).isFalse();
  }

  @Test
  void only_the_object_itself_is_a_reference() {
    assertThat(Json.isPayload(reference(1))).isTrue();
    assertThat(Json.isPayload(Json.valueOf(reference(1)))).isTrue();
    assertThat(Json.isPayload(Json.valueOf(Map.of("a", reference(1))))).isFalse();
    assertThat(Json.isPayload("$payload")).isFalse();
  }

  @Test
  void a_value_that_knows_its_json_is_written_so_wherever_it_stands() {
    Scan scan = new Scan(reference(1));

    assertThat(Json.valueOf(Map.of("scan", scan)))
        .isEqualTo(Json.valueOf(Map.of("scan", reference(1))));
    assertThat(Json.valueOf(new Order("7", scan)))
        .isEqualTo(Json.valueOf(Map.of("number", "7", "scan", reference(1))));
  }

  @Test
  void a_reference_that_changes_is_written_whole() {
    Object before = Json.valueOf(Map.of("scan", reference(1)));
    Object after = Json.valueOf(Map.of("scan", reference(2)));

    assertThat(Change.betweenOrdered(List.of(), before, after))
        .containsExactly(Change.set(List.of("scan"), Json.valueOf(reference(2))));
  }
}
