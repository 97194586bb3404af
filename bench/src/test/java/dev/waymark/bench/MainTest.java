package dev.waymark.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The benchmarks in short: that they measure, not how fast anything is. */
final class MainTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String line) {
    return Main.run(
        List.of(line.split(" ")),
        new PrintStream(out, true, UTF_8),
        new PrintStream(err, true, UTF_8));
  }

  private Map<String, Object> lastLine() {
    List<String> lines = out.toString(UTF_8).lines().toList();
    return Json.readObject(lines.get(lines.size() - 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "postgres"})
  void flow_measures_every_shape_beside_w1(String store) {
    int exit = run("flow --store " + store + " --concurrency 8 --seconds 1 --warmup 1");

    assertThat(err.toString(UTF_8)).isEmpty();
    assertThat(exit).isZero();
    Map<String, Object> figures = lastLine();
    for (String name : List.of("w1_steps_s", "fork_ratio", "each_ratio", "child_ratio")) {
      assertThat(((Number) figures.get(name)).doubleValue()).as(name).isPositive();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "postgres"})
  void w3_measures_a_drain_its_limit_and_lateness(String store) {
    int exit = run("w3 --store " + store + " --times 1 --warmup 1");

    assertThat(err.toString(UTF_8)).isEmpty();
    assertThat(exit).isZero();
    Map<String, Object> figures = lastLine();
    assertThat(figures).containsEntry("w", "w3").containsEntry("timers", 1_000L);
    for (String name : List.of("drain_s", "limit_drain_s", "ratio", "lateness_p99_ms")) {
      assertThat(((Number) figures.get(name)).doubleValue()).as(name).isPositive();
    }
  }

  @ParameterizedTest
  @CsvSource({"w1,sqlite", "w1,postgres", "w1e,sqlite", "w1e,postgres"})
  void w1_measures_the_engine_and_the_limit_beside_it(String benchmark, String store) {
    int exit = run(benchmark + " --store " + store + " --concurrency 8 --seconds 1 --warmup 1");

    assertThat(err.toString(UTF_8)).isEmpty();
    assertThat(exit).isZero();
    Map<String, Object> figures = lastLine();
    assertThat(figures).containsEntry("w", benchmark).containsEntry("store", store);
    assertThat(figures)
        .containsKeys("disk_bytes_per_step", "wal_bytes_per_step", "hot_ratio")
        .containsEntry("concurrency", 8L);
    for (String name :
        List.of(
            "instances_s",
            "steps_s",
            "limit_steps_s",
            "ratio",
            "p50_ms",
            "p99_ms",
            "limit_p50_ms",
            "heap_mb")) {
      assertThat(((Number) figures.get(name)).doubleValue()).as(name).isPositive();
    }
    if (benchmark.equals("w1e")) {
      assertThat(((Number) figures.get("events_per_step")).doubleValue()).isPositive();
    }
  }

  @Test
  void several_runs_end_with_their_median() {
    int exit = run("idle --store sqlite --seconds 1 --warmup 0 --runs 2");

    assertThat(exit).isZero();
    assertThat(out.toString(UTF_8)).contains("Run 2 of 2", "The median of 2 runs");
    assertThat(lastLine()).containsEntry("w", "idle").containsKey("calls_s");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "w0",
        "w1 --store oracle",
        "w1 --seconds",
        "w1 --seconds 0",
        "w1 --seconds ten",
        "w1 --speed 9",
        "w1 --runs 1 --runs 2",
        "w1 --store sqlite --url jdbc:postgresql:x"
      })
  void what_cannot_be_understood_is_refused_with_a_reason(String line) {
    int exit = run(line);

    assertThat(exit).isEqualTo(2);
    assertThat(err.toString(UTF_8)).startsWith("Expected ").contains("--help");
    assertThat(out.toString(UTF_8)).isEmpty();
  }

  @Test
  void help_names_every_benchmark_and_option() {
    int exit = run("--help");

    assertThat(exit).isZero();
    assertThat(out.toString(UTF_8)).contains("w1 ", "w1e", "idle", "--store", "--runs", "--url");
  }
}
