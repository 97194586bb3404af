package dev.waymark.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The chaos runs in their short form; a fault in one of them fails the build. */
final class ChaosTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kill --store sqlite --times 2",
        "kill --store postgres --times 1",
        "cut --times 30",
        "busy --times 8",
        "takeover --times 100"
      })
  void nothing_is_lost_doubled_or_stranded(String command) {
    Map<String, Object> figures = run(command);

    assertThat(figures).containsEntry("faults", 0L);
    if (command.startsWith("kill")) {
      assertThat((Long) figures.get("orphans")).as("runs that lost their node").isPositive();
    }
  }

  /** How much they cost depends on the machine, and is not judged here. */
  @ParameterizedTest
  @ValueSource(strings = {"waiting --store postgres --times 5", "waiting --store sqlite --times 5"})
  void what_waiting_costs_is_measured(String command) {
    Map<String, Object> figures = run(command);

    assertThat(figures).containsEntry("instances", 5_000L);
    assertThat(figures.keySet())
        .contains("start_ratio", "resume_ratio", "step_ratio", "heap_bytes_per_instance");
    assertThat(figures.values()).doesNotContainNull();
  }

  @Test
  void what_a_long_history_costs_is_measured() {
    Map<String, Object> figures = run("history --store sqlite");

    double early = ((Number) figures.get("early_ms")).doubleValue();
    double late = ((Number) figures.get("late_ms")).doubleValue();
    double ratio = ((Number) figures.get("ratio")).doubleValue();
    // All are rounded to a thousandth.
    assertThat(ratio)
        .isBetween(
            (late - 0.0005) / (early + 0.0005) - 0.0005,
            (late + 0.0005) / (early - 0.0005) + 0.0005);
  }

  private Map<String, Object> run(String command) {
    int code =
        Main.run(
            List.of(command.split(" ")),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    String said = out.toString(StandardCharsets.UTF_8);
    assertThat(code).as(said + err.toString(StandardCharsets.UTF_8)).isZero();
    return Json.readObject(said.lines().toList().getLast());
  }
}
