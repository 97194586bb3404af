package dev.waymark.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.core.TreeNode;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that come in: well formed, converted as documented, or refused with path and advice. */
class JsonDoorTest {

  private static final byte[] BYTES = {1, 2, 3, -1};

  private record Holder(@Nullable Object held) {}

  static final class Chain {
    public Chain getNext() {
      return this;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"x\ud800y", "\udc00", "😀\ud83d", "\udc00\ud800"})
  void a_text_with_a_lone_surrogate_is_refused_where_it_stands(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Json.valueOf(Map.of("a", List.of(1, Map.of("b/c", text)))))
        .withMessageStartingWith(
            "/a/1/b~1c: Expected a text in well-formed Unicode, cut between whole characters, but"
                + " got a lone surrogate U+")
        .withMessageContaining("at position");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":[1,{\"b\":\"x\\ud800y\"}]}",
        "{\"a\":[1,{\"b\":\"\\udc00\\ud800\"}]}",
        "{\"a\":[1,{\"b\":\"\ud800\"}]}"
      })
  void a_document_with_one_is_refused_with_path_and_place(String json) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Json.read(json))
        .withMessageStartingWith("/a/1/b: Expected a text in well-formed Unicode")
        .withMessageContaining("at line 1, column 14");
  }

  @Test
  void a_key_with_one_is_refused_too_and_the_refusal_is_well_formed_itself() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Json.valueOf(Map.of("a", Map.of("k\ud800", 1))))
        .withMessageStartingWith("/a: Expected a key in well-formed Unicode");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Json.read("{\"\\ud800\":1,\"\\ud801\":2}"))
        .withMessageStartingWith("/\ufffd: Expected a key in well-formed Unicode");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Json.valueOf(new Holder("x\ud800")))
        .withMessageStartingWith("/held: Expected a text in well-formed Unicode");
  }

  @ParameterizedTest
  @ValueSource(strings = {"😀", "a😀b😀", "\u0000", "\uffff", "a\u0000b"})
  void whole_characters_pass_and_come_back_alike(String text) {
    String written = Json.write(Map.of(text, text));

    assertThat(Json.read(written)).isEqualTo(Map.of(text, text));
    assertThat(written).as("no raw NUL, which PostgreSQL refuses").doesNotContain("\u0000");
  }

  @Test
  void bytes_are_their_base64_wherever_they_stand() {
    String text = "AQID/w==";

    assertThat(Json.valueOf(BYTES)).isEqualTo(text);
    assertThat(Json.valueOf(Map.of("a", List.of(BYTES)))).isEqualTo(Map.of("a", List.of(text)));
    assertThat(Json.valueOf(new Holder(BYTES))).isEqualTo(Map.of("held", text));
    assertThat(Json.valueOf(new Holder(ByteBuffer.wrap(BYTES)))).isEqualTo(Map.of("held", text));
    assertThat(Json.convert(text, byte[].class)).isEqualTo(BYTES);
  }

  @Test
  void of_a_buffer_what_remains_is_taken_and_the_buffer_stays_as_it_is() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(5).put((byte) 9).put(BYTES).position(1);

    assertThat(Json.valueOf(buffer)).isEqualTo("AQID/w==");
    assertThat(buffer.position()).isEqualTo(1);
  }

  @Test
  void more_bytes_than_one_text_can_hold_are_refused_before_they_are_copied() {
    assertThat(Json.valueOf(new byte[Json.MAX_BYTES])).asString().hasSize(Json.MAX_TEXT_CHARS);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Json.valueOf(Map.of("pdf", new byte[Json.MAX_BYTES + 1])))
        .withMessage(
            "/pdf: Expected at most 786,432 bytes, but got 786,433; keep the document elsewhere and"
                + " give its address");
  }

  @Test
  void what_contains_itself_is_refused_before_the_stack_is_full() {
    Map<String, Object> self = new LinkedHashMap<>();
    self.put("self", self);
    List<Object> list = new ArrayList<>();
    list.add(list);

    AtomicReference<Object> reference = new AtomicReference<>();
    reference.set(reference);

    for (Object value :
        List.of(new Chain(), new Holder(self), new Holder(list), self, list, reference)) {
      assertThatIllegalArgumentException()
          .as(value.getClass().getName())
          .isThrownBy(() -> Json.valueOf(value))
          .withMessageMatching("(?s).*(levels|nesting depth|self-reference|contain itself).*");
    }
  }

  static List<Object> noData() {
    return List.of(
        new Object(),
        (Runnable) () -> {},
        new ByteArrayInputStream(BYTES),
        new StringReader("a"),
        Stream.of(1),
        IntStream.of(1),
        List.of(1).iterator());
  }

  @ParameterizedTest
  @MethodSource("noData")
  void what_is_no_data_is_refused_with_its_path_and_what_to_do(Object value) {
    for (Object outer : List.of(Map.of("a", List.of(value)), Map.of("a", new Holder(value)))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Json.valueOf(outer))
          .withMessageMatching("/a/(0|held): Expected data, but got \\S+, .*; give .*");
    }
  }

  @Test
  void a_tree_of_jackson_2_is_refused_with_a_hint() {
    TreeNode node = new Tree();

    for (Object outer : List.of(Map.of("a", node), Map.of("a", new Holder(node)))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Json.valueOf(outer))
          .withMessageMatching(
              "/a(/held)?: .* a tree of another JSON library; give its text to .*");
    }
  }

  static final class Tree implements TreeNode {
    @Override
    public boolean isArray() {
      return false;
    }
  }

  @Test
  void not_a_number_is_refused_inside_a_bean_as_well() {
    assertThatIllegalArgumentException().isThrownBy(() -> Json.valueOf(new Holder(Double.NaN)));
    assertThatIllegalArgumentException().isThrownBy(() -> Json.valueOf(new double[] {0.0 / 0}));
  }

  @Test
  void keys_that_are_no_texts_become_texts_and_never_collide() {
    assertThat(Json.valueOf(Map.of(1, "a"))).isEqualTo(Map.of("1", "a"));
    Map<Object, Object> twice = new LinkedHashMap<>();
    twice.put(1, "a");
    twice.put("1", "b");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Json.valueOf(twice))
        .withMessageContaining("Expected every key once, but got '1' twice");
  }
}
