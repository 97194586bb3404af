package dev.waymark.core.definition.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class DefinitionTextTest {

  @Test
  void yaml_is_written_as_people_write_it() {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("waymark", 1);
    document.put("key", "order");
    document.put("on", Map.of("error", Map.of("to", "rejected")));
    document.put("branches", List.of("a", "b"));
    document.put("next", List.of(Map.of("when", "Variables.a > 1"), Map.of("to", "pay")));
    document.put("text", "first\nsecond\n");
    document.put("none", Map.of());

    assertThat(DefinitionText.yaml(document))
        .isEqualTo(
            """
            waymark: 1
            key: order
            on:
              error:
                to: rejected
            branches: [a, b]
            next:
              - when: "Variables.a > 1"
              - to: pay
            text: |
              first
              second
            none: {}
            """);
  }

  @Test
  void texts_that_look_like_something_else_stay_texts() {
    List<String> texts =
        Arrays.asList(
            "true True TRUE false null Null ~ yes no on off y n 1 -1 1.5 1e3 .5 0x1F 0o17 .inf -.INF"
                .split(" "));
    List<String> all = new ArrayList<>(texts);
    all.addAll(
        List.of(
            "",
            " ",
            " lead",
            "trail ",
            "a: b",
            "a #b",
            "- a",
            "? a",
            "[a]",
            "{a}",
            "*a",
            "&a",
            "!a",
            "|",
            ">",
            "%a",
            "@a",
            "`a",
            "'a'",
            "\"a\"",
            "a\tb",
            "\n",
            "a\n",
            "a\n\n",
            "\na",
            " a\nb",
            "a \nb",
            "a\r\nb",
            "a\u0085b",
            "a\u2028b",
            "\uFEFFa",
            "\u0007",
            "ä€😀",
            "---",
            "...",
            "--- a",
            "<<",
            "a,b",
            "a, b",
            "$${",
            "${ Variables.a }",
            "\\",
            "# a",
            "null\n"));

    Map<String, Object> document = new LinkedHashMap<>();
    document.put("all", all);
    all.forEach(text -> document.put(text, text));

    assertThat(DefinitionText.read(DefinitionText.yaml(document)))
        .isEqualTo(Json.objectOf(document));
    assertThat(DefinitionText.read(DefinitionText.json(document)))
        .isEqualTo(Json.objectOf(document));
  }

  @Test
  void whatever_is_written_is_read_back_the_same() {
    for (int seed = 0; seed < 2_000; seed++) {
      Map<String, Object> document = Json.objectOf(object(new Random(seed), 4));

      assertThat(DefinitionText.read(DefinitionText.yaml(document)))
          .as("seed %d", seed)
          .isEqualTo(document);
      assertThat(DefinitionText.read(DefinitionText.json(document)))
          .as("seed %d", seed)
          .isEqualTo(document);
    }
  }

  @Test
  void a_text_that_is_no_document_is_told_with_its_place() {
    assertThatThrownBy(() -> DefinitionText.read("a: 1\na: 2\n"))
        .isInstanceOf(InvalidDefinition.class)
        .hasMessageContaining("every key once");
  }

  private static Map<String, Object> object(Random random, int depth) {
    Map<String, Object> object = new LinkedHashMap<>();
    int size = random.nextInt(4);
    for (int i = 0; i < size; i++) {
      object.put(text(random), value(random, depth - 1));
    }
    return object;
  }

  private static Object value(Random random, int depth) {
    return switch (random.nextInt(depth > 0 ? 8 : 6)) {
      case 0 -> null;
      case 1 -> random.nextBoolean();
      case 2 -> random.nextLong();
      case 3 -> new BigDecimal(random.nextInt()).movePointLeft(random.nextInt(12));
      case 4, 5 -> text(random);
      case 6 -> object(random, depth);
      default -> {
        List<Object> list = new ArrayList<>();
        int size = random.nextInt(4);
        for (int i = 0; i < size; i++) {
          list.add(value(random, depth - 1));
        }
        yield list;
      }
    };
  }

  private static String text(Random random) {
    String letters = "ab1 \n\t:#-?,[]{}&*!|>'\"%@`~.<$\\\r\u0085\u2028é€";
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(8);
    for (int i = 0; i < length; i++) {
      text.append(letters.charAt(random.nextInt(letters.length())));
    }
    return text.toString();
  }
}
