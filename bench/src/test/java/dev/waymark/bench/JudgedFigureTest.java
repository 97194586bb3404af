package dev.waymark.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.bench.JudgedFigure.Cap;
import dev.waymark.bench.JudgedFigure.Ratio;
import dev.waymark.bench.JudgedFigure.Verdict;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JudgedFigureTest {

  private static final Ratio RATIO = new Ratio("w1", "ratio", "steps/s of the limit's");
  private static final Cap CAP = new Cap("lateness", "p99_ms", "lateness", 50);
  private static final KeptRatios KEPT = new KeptRatios(Map.of("w1.ratio", 0.5));

  @ParameterizedTest
  @CsvSource({"0.5,OK", "0.451,OK", "0.449,FALLEN", "0.549,OK", "0.551,BETTER", "0,FALLEN"})
  void a_ratio_may_fall_by_a_tenth(double now, Verdict verdict) {
    assertThat(RATIO.judge(KEPT, now)).isEqualTo(verdict);
  }

  @Test
  void a_ratio_that_was_never_kept_is_a_fault() {
    assertThat(RATIO.judge(new KeptRatios(Map.of()), 0.5)).isEqualTo(Verdict.NOT_KEPT);
    assertThat(Verdict.NOT_KEPT.isFault()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"0,OK", "50,OK", "50.1,OVER"})
  void a_cap_may_not_be_exceeded(double now, Verdict verdict) {
    assertThat(CAP.judge(KEPT, now)).isEqualTo(verdict);
  }

  @Test
  void what_was_not_measured_is_a_fault() {
    assertThat(RATIO.judge(KEPT, null)).isEqualTo(Verdict.NOT_MEASURED);
    assertThat(CAP.judge(KEPT, null)).isEqualTo(Verdict.NOT_MEASURED);
    assertThat(Verdict.NOT_MEASURED.isFault()).isTrue();
  }

  @Test
  void it_says_what_it_is_held_against() {
    assertThat(RATIO.against(KEPT)).isEqualTo("0.500");
    assertThat(RATIO.against(new KeptRatios(Map.of()))).isEqualTo("-");
    assertThat(CAP.against(KEPT)).isEqualTo("at most 50");
  }
}
