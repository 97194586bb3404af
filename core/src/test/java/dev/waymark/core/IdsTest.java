package dev.waymark.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class IdsTest {

  @Test
  void a_fingerprint_does_not_depend_on_the_order_of_keys() {
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("a", 1);
    one.put("b", List.of(Map.of("c", 2)));
    Map<String, Object> other = new LinkedHashMap<>();
    other.put("b", List.of(Map.of("c", 2)));
    other.put("a", 1);

    assertThat(Ids.fingerprint(Map.of("input", one)))
        .isEqualTo(Ids.fingerprint(Map.of("input", other)));
  }

  @Test
  void documents_that_only_look_alike_have_different_fingerprints() {
    List<Map<String, @Nullable Object>> documents =
        List.of(
            Map.of("x", "1, y=2"),
            Map.of("x", 1, "y", 2),
            Map.of("x", "1", "y", 2),
            nothing("x"),
            Map.of("x", "null"),
            Map.of(),
            Map.of("x", List.of(1, 2)),
            Map.of("x", List.of(2, 1)));

    assertThat(documents.stream().map(Ids::fingerprint)).doesNotHaveDuplicates();
  }

  private static Map<String, @Nullable Object> nothing(String key) {
    Map<String, @Nullable Object> document = new LinkedHashMap<>();
    document.put(key, null);
    return document;
  }
}
