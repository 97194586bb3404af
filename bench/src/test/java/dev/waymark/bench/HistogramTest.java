package dev.waymark.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HistogramTest {

  @ParameterizedTest
  @ValueSource(longs = {1, 63, 64, 65, 1_000, 999_999, 1_234_567_890, 3_600_000_000_000L})
  void a_duration_is_found_again_nearly_as_it_was(long nanos) {
    Histogram histogram = new Histogram();

    histogram.add(nanos);

    assertThat(histogram.millisAt(0.5) * 1e6).isCloseTo((double) nanos, within(nanos * 0.016));
  }

  @Test
  void a_percentile_is_what_that_part_did_not_exceed() {
    Histogram histogram = new Histogram();

    for (long millis = 1; millis <= 100; millis++) {
      histogram.add(millis * 1_000_000);
    }

    assertThat(histogram.millisAt(0.5)).isCloseTo(50, within(1.0));
    assertThat(histogram.millisAt(0.99)).isCloseTo(99, within(2.0));
  }

  @Test
  void nothing_seen_has_no_percentile() {
    assertThat(new Histogram().millisAt(0.5)).isNaN();
  }
}
