package dev.waymark.engine.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class PaceTest {

  private static final Duration QUICK = Duration.ofNanos(50_000);

  private final Pace pace = new Pace();

  @Test
  void new_code_counts_as_quick_after_a_row_of_quick_runs() {
    run(QUICK, 15);
    assertThat(pace.isQuick()).isFalse();

    run(QUICK, 1);
    assertThat(pace.isQuick()).isTrue();
  }

  @Test
  void a_body_that_now_and_then_loses_its_core_stays_quick_most_of_the_time() {
    run(QUICK, 16);
    int quick = 0;
    for (int i = 0; i < 100_000; i++) {
      quick += pace.isQuick() ? 1 : 0;
      run(i % 5_000 == 0 ? Duration.ofMillis(8) : QUICK, 1);
    }
    assertThat(quick).isGreaterThan(95_000);
  }

  @Test
  void a_slow_run_is_made_good_by_quick_runs_in_proportion_to_its_time() {
    run(QUICK, 16);
    run(Duration.ofMillis(100), 1);

    run(QUICK, 1_599);
    assertThat(pace.isQuick()).isFalse();
    run(QUICK, 1);
    assertThat(pace.isQuick()).isTrue();
  }

  @Test
  void code_that_is_slow_each_tenth_time_never_counts_as_quick_for_long() {
    int quick = 0;
    for (int i = 0; i < 10_000; i++) {
      quick += pace.isQuick() ? 1 : 0;
      run(i % 10 == 0 ? Duration.ofMillis(5) : QUICK, 1);
    }
    assertThat(quick).isLessThan(20);
  }

  @Test
  void a_run_of_a_day_is_forgiven_after_a_bounded_number_of_quick_runs() {
    run(QUICK, 16);
    run(Duration.ofDays(1), 3);

    run(QUICK, 1 << 16);

    assertThat(pace.isQuick()).isTrue();
  }

  private void run(Duration each, int times) {
    for (int i = 0; i < times; i++) {
      pace.took(each.toNanos());
    }
  }
}
