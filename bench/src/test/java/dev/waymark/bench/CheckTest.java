package dev.waymark.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.bench.Check.Measurement;
import dev.waymark.bench.JudgedFigure.Cap;
import dev.waymark.bench.JudgedFigure.Ratio;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The check on a set whose figures are known; {@link MainTest} runs the true one. */
final class CheckTest {

  private static final List<JudgedFigure> FIGURES =
      List.of(
          new Ratio("fast", "ratio", "how fast it is"),
          new Cap("fast", "late_ms", "how late it is", 50));

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final List<Options> seen = new ArrayList<>();
  private final Path file;

  CheckTest(@TempDir Path folder) {
    file = folder.resolve("ratios.properties");
  }

  /** Finds what it was told to find. */
  private final class Known implements Benchmark {

    private final double ratio;
    private final double late;

    Known(double ratio, double late) {
      this.ratio = ratio;
      this.late = late;
    }

    @Override
    public String name() {
      return "known";
    }

    @Override
    public String summary() {
      return "finds what it was told to find";
    }

    @Override
    public Figures run(Options options, PrintStream print) {
      seen.add(options);
      return new Figures().put("ratio", Double.valueOf(ratio)).put("late_ms", Double.valueOf(late));
    }
  }

  private boolean check(Benchmark benchmark, String... options) throws Exception {
    List<String> args = new ArrayList<>(List.of("--ratios", file.toString()));
    args.addAll(List.of(options));
    Measurement fast = Measurement.of("fast", benchmark, "--seconds 8 --concurrency 32");
    return new Check(CheckRequest.parse(args), List.of(fast), FIGURES)
        .run(new PrintStream(out, true, UTF_8));
  }

  private String row(String figure) {
    return out.toString(UTF_8)
        .lines()
        .filter(line -> line.startsWith("  " + figure))
        .findFirst()
        .orElseThrow()
        .strip()
        .replaceAll(" +", " ");
  }

  @Test
  void what_is_as_it_was_passes() throws Exception {
    Files.writeString(file, "fast.ratio = 0.5\n");

    assertThat(check(new Known(0.46, 12))).isTrue();

    assertThat(row("fast.ratio")).isEqualTo("fast.ratio 0.500 0.460 ok");
    assertThat(row("fast.late_ms")).isEqualTo("fast.late_ms at most 50 12.000 ok");
    assertThat(out.toString(UTF_8))
        .endsWith("{\"w\":\"check\",\"fast.ratio\":0.46,\"fast.late_ms\":12}\n");
  }

  @Test
  void a_ratio_that_has_fallen_fails() throws Exception {
    Files.writeString(file, "fast.ratio = 0.5\n");

    assertThat(check(new Known(0.44, 12))).isFalse();

    assertThat(row("fast.ratio")).isEqualTo("fast.ratio 0.500 0.440 FALLEN");
    assertThat(out.toString(UTF_8)).contains("fast.ratio is how fast it is");
  }

  @Test
  void a_cap_that_is_exceeded_fails() throws Exception {
    Files.writeString(file, "fast.ratio = 0.5\n");

    assertThat(check(new Known(0.5, 51))).isFalse();

    assertThat(row("fast.late_ms")).isEqualTo("fast.late_ms at most 50 51.000 OVER");
  }

  @Test
  void what_is_written_is_what_the_next_check_compares_with() throws Exception {
    assertThat(check(new Known(0.5, 12))).as("nothing is kept yet").isFalse();

    assertThat(check(new Known(0.5, 51), "--write")).isTrue();

    assertThat(check(new Known(0.46, 12))).isTrue();
    assertThat(check(new Known(0.44, 12))).isFalse();
  }

  @Test
  void options_of_the_command_go_before_those_of_the_set() throws Exception {
    check(new Known(0.5, 12), "--seconds", "1", "--runs", "3", "--write");

    assertThat(seen)
        .hasSize(3)
        .allSatisfy(
            options -> {
              assertThat(options.time()).hasSeconds(1);
              assertThat(options.clientsOr(1)).isEqualTo(32);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--store sqlite",
        "--url jdbc:postgresql:x",
        "--keys no",
        "--concurrency 8",
        "--payload 10",
        "--seconds 0",
        "--ratios"
      })
  void what_would_make_it_another_check_is_refused_before_anything_is_measured(String line) {
    assertThatThrownBy(() -> check(new Known(0.5, 12), line.split(" ")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Expected ");
    assertThat(seen).isEmpty();
  }

  @Test
  void a_file_with_other_figures_is_refused_before_anything_is_measured() throws IOException {
    Files.writeString(file, "slow.ratio = 0.5\n");

    assertThatThrownBy(() -> check(new Known(0.5, 12)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("slow.ratio");
    assertThat(seen).isEmpty();
  }
}
