package dev.waymark.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.bench.JudgedFigure.Ratio;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class KeptRatiosTest {

  private static final List<Ratio> KNOWN =
      List.of(
          new Ratio("w1", "ratio", "steps/s of the limit's"),
          new Ratio("w2", "claims_ratio", "claims/s of plain JDBC's"));

  private final Path file;

  KeptRatiosTest(@TempDir Path folder) {
    file = folder.resolve("ratios.properties");
  }

  @Test
  void what_was_written_is_read_again() {
    KeptRatios kept = new KeptRatios(Map.of("w1.ratio", 0.512, "w2.claims_ratio", 1.25));

    kept.write(file, KNOWN);

    assertThat(KeptRatios.read(file, KNOWN)).isEqualTo(kept);
  }

  @Test
  void each_stands_under_what_it_is_in_the_order_of_the_set() throws IOException {
    new KeptRatios(Map.of("w1.ratio", 0.5, "w2.claims_ratio", 1.25)).write(file, KNOWN);

    assertThat(Files.readString(file))
        .endsWith(
            """

            # steps/s of the limit's
            w1.ratio = 0.500

            # claims/s of plain JDBC's
            w2.claims_ratio = 1.250
            """);
  }

  @Test
  void without_a_file_nothing_is_kept() {
    assertThat(KeptRatios.read(file, KNOWN).of("w1.ratio")).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "w3.ratio = 0.5",
        "w1.ratio = fast",
        "w1.ratio = 0",
        "w1.ratio = -1",
        "w1.ratio ="
      })
  void a_file_that_says_something_else_is_refused(String line) throws IOException {
    Files.writeString(file, line + "\n");

    assertThatThrownBy(() -> KeptRatios.read(file, KNOWN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Expected ");
  }

  @Test
  void what_was_not_measured_cannot_be_kept() {
    assertThatThrownBy(() -> new KeptRatios(Map.of("w1.ratio", 0.5)).write(file, KNOWN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("w2.claims_ratio");
    assertThat(file).doesNotExist();
  }
}
