package dev.waymark.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OptionsTest {

  private static Options parse(String line) {
    return Options.parse(line.isEmpty() ? List.of() : List.of(line.split(" ")));
  }

  @Test
  void what_is_not_given_is_what_the_benchmark_thinks_right() {
    Options options = parse("");

    assertThat(options.clientsOr(8)).isEqualTo(8);
    assertThat(options.timesOr(1_000)).isEqualTo(1_000);
    assertThat(options.keys()).isFalse();
    assertThat(options.payload()).isZero();
    assertThat(options.variation()).isEmpty();
  }

  @Test
  void what_is_given_counts() {
    Options options = parse("--concurrency 32 --keys yes --payload 100");

    assertThat(options.clientsOr(8)).isEqualTo(32);
    assertThat(options.variation()).isEqualTo(", with business keys, with documents of 100 KB");
  }

  @Test
  void defaults_of_the_callers_count_where_nothing_is_given() {
    Options options =
        Options.parse(List.of("--seconds", "3"), List.of("--seconds", "8", "--concurrency", "200"));

    assertThat(options.time()).isEqualTo(Duration.ofSeconds(3));
    assertThat(options.clientsOr(1)).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--concurrency 0",
        "--concurrency 5001",
        "--payload -1",
        "--payload 1901",
        "--payload ten",
        "--keys perhaps",
        "--payload 1 --payload 2",
        "--write yes"
      })
  void what_cannot_be_meant_is_refused(String line) {
    assertThatThrownBy(() -> parse(line))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Expected ");
  }
}
