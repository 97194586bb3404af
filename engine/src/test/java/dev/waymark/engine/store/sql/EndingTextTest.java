package dev.waymark.engine.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SQL text that would end a transaction, and text that only looks like it. */
final class EndingTextTest {

  @ParameterizedTest
  @ValueSource(strings = {"commit", "END", "-- note\n rollback", "/* a */;abort work"})
  void text_that_ends_a_transaction_is_found_behind_any_white_space(String text) {
    assertThat(EndingText.isOne(text)).isTrue();
    assertThat(EndingText.isOne("\n ".repeat(50_000) + text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "select 'commit'",
        "rollback to a",
        "rollback work to a",
        "endless",
        "--commit"
      })
  void other_text_is_let_through(String text) {
    assertThat(EndingText.isOne(text)).isFalse();
  }
}
