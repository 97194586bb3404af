package dev.waymark.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
    return Json.readObject(
        out.toString(UTF_8).lines().filter(line -> line.startsWith("{")).toList().getLast());
  }

  private Map<String, Object> figuresOf(String line) {
    int exit = run(line);
    assertThat(err.toString(UTF_8)).isEmpty();
    assertThat(exit).isZero();
    return lastLine();
  }

  private static double number(Map<String, Object> figures, String name) {
    assertThat(figures).containsKey(name);
    assertThat(figures.get(name)).as(name).isInstanceOf(Number.class);
    return ((Number) figures.get(name)).doubleValue();
  }

  /** One figure is the quotient of two others, as far as three decimals of each can say. */
  private static void assertQuotient(
      Map<String, Object> figures, String quotient, String over, String under) {
    double half = 0.0005;
    double above = number(figures, over);
    double below = number(figures, under);
    assertThat(below).as(under).isGreaterThan(half);
    assertThat(number(figures, quotient))
        .as("%s as %s / %s", quotient, over, under)
        .isBetween((above - half) / (below + half) - half, (above + half) / (below - half) + half);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "postgres"})
  void flow_measures_every_shape_beside_w1(String store) {
    Map<String, Object> figures =
        figuresOf("flow --store " + store + " --concurrency 8 --seconds 1 --warmup 1");

    assertThat(figures).containsEntry("w", "flow").containsEntry("concurrency", 8L);
    for (String shape : List.of("fork", "each", "child")) {
      assertQuotient(figures, shape + "_ratio", shape + "_steps_s", "w1_steps_s");
    }
    // Of each shape the table has the steps of one run: W1 has a start and five bodies.
    assertThat(stepsOf("w1")).isEqualTo(6);
    assertThat(stepsOf("fork")).isBetween(11L, 12L);
    assertThat(stepsOf("each")).isGreaterThan(100);
    assertThat(stepsOf("child")).isEqualTo(6);
  }

  private long stepsOf(String shape) {
    String row =
        out.toString(UTF_8)
            .lines()
            .filter(line -> line.startsWith(shape + " "))
            .findFirst()
            .orElseThrow();
    return Long.parseLong(List.of(row.split("\\s+", -1)).get(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "postgres"})
  void w2_measures_tasks_and_inboxes_beside_their_limits(String store) {
    Map<String, Object> figures =
        figuresOf("w2 --store " + store + " --times 50 --seconds 1 --warmup 1");

    assertThat(figures)
        .containsEntry("w", "w2")
        .containsEntry("tasks", 2_500L)
        .containsEntry("open_tasks", 50_000L);
    assertQuotient(figures, "completes_ratio", "completes_s", "limit_completes_s");
    assertThat(number(figures, "claim_p99_ms"))
        .isGreaterThanOrEqualTo(number(figures, "claim_p50_ms"));
    assertThat(number(figures, "limit_claim_p50_ms")).isPositive();
    if (store.equals("postgres")) {
      assertThat(figures.values()).doesNotContainNull();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "postgres"})
  void w3_measures_a_drain_its_limit_and_lateness(String store) {
    Map<String, Object> figures = figuresOf("w3 --store " + store + " --times 1 --warmup 1");

    assertThat(figures).containsEntry("w", "w3").containsEntry("timers", 1_000L);
    assertQuotient(figures, "ratio", "limit_drain_s", "drain_s");
    assertThat(number(figures, "lateness_p99_ms"))
        .isGreaterThanOrEqualTo(number(figures, "lateness_p50_ms"));
    // A timer that fires before its time is not late, and a fault.
    assertThat(number(figures, "lateness_p50_ms")).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "postgres"})
  void w4_measures_correlations_and_their_limit(String store) {
    Map<String, Object> figures = figuresOf("w4 --store " + store + " --times 1");

    assertThat(figures).containsEntry("w", "w4").containsEntry("runs", 1_000L);
    assertQuotient(figures, "ratio", "correlations_s", "limit_correlations_s");
  }

  @ParameterizedTest
  @CsvSource({"w1,sqlite", "w1,postgres", "w1e,sqlite", "w1e,postgres"})
  void w1_measures_the_engine_and_the_limit_beside_it(String benchmark, String store) {
    Map<String, Object> figures =
        figuresOf(benchmark + " --store " + store + " --concurrency 8 --seconds 1 --warmup 1");

    assertThat(figures)
        .containsEntry("w", benchmark)
        .containsEntry("store", store)
        .containsEntry("concurrency", 8L)
        .containsKeys("disk_bytes_per_step", "wal_bytes_per_step", "hot_ratio");
    assertQuotient(figures, "ratio", "steps_s", "limit_steps_s");
    assertThat(number(figures, "p99_ms")).isGreaterThanOrEqualTo(number(figures, "p50_ms"));
    assertThat(number(figures, "limit_p50_ms")).isPositive();
    assertThat(number(figures, "run_p50_ms")).isGreaterThan(number(figures, "p50_ms"));
    assertThat(number(figures, "run_p99_ms")).isGreaterThanOrEqualTo(number(figures, "run_p50_ms"));
    // A run is a start and five bodies; at the edges of the second some are cut.
    double perRun = number(figures, "steps_s") / number(figures, "instances_s");
    assertThat(perRun).isBetween(5.0, 7.0);
    assertThat(number(figures, "batch")).isBetween(1.0, 8.0);
    assertThat(number(figures, "limit_batch")).isBetween(1.0, 8.0);
    assertThat(number(figures, "heap_mb"))
        .isBetween(1.0, Runtime.getRuntime().maxMemory() / 1_048_576.0);
    if (benchmark.equals("w1e")) {
      // One for each end of a body and one for the end of the run, of six steps.
      assertThat(number(figures, "events_per_step")).isBetween(0.5, 3.0);
      assertThat(figures).containsEntry("backlog_flat", true);
      assertThat(number(figures, "backlog_most")).isNotNegative();
    }
  }

  /** What is asked for in all of them: keys, documents and another number of clients. */
  @ParameterizedTest
  @CsvSource({"w1,sqlite", "w1,postgres", "w2,postgres", "w4,postgres"})
  void keys_documents_and_clients_are_as_asked_for(String benchmark, String store) {
    String times =
        benchmark.equals("w1") ? "" : benchmark.equals("w2") ? " --times 50" : " --times 1";

    Map<String, Object> figures =
        figuresOf(
            "%s --store %s --concurrency 2 --keys yes --payload 10 --seconds 1 --warmup 1%s"
                .formatted(benchmark, store, times));

    assertThat(figures).containsEntry("keys", true).containsEntry("payload_kb", 10L);
    assertThat(figures).containsEntry("concurrency", 2L);
    if (store.equals("postgres")) {
      // The document is written with every step, and no smaller than a fifth by compression.
      assertThat(number(figures, "wal_bytes_per_step")).isGreaterThan(2_000);
      assertThat(number(figures, "wal_bytes_per_run"))
          .isGreaterThan(number(figures, "wal_bytes_per_step"));
    } else {
      assertThat(figures).containsEntry("wal_bytes_per_run", null);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "postgres"})
  void body_measures_runs_of_two_steps(String store) {
    Map<String, Object> figures =
        figuresOf("body --store " + store + " --concurrency 8 --seconds 1 --warmup 1");

    assertThat(figures).containsEntry("w", "body").containsEntry("concurrency", 8L);
    assertQuotient(figures, "ratio", "steps_s", "limit_steps_s");
    assertThat(number(figures, "steps_s") / number(figures, "instances_s")).isBetween(1.8, 2.2);
    assertThat(number(figures, "run_p99_ms")).isGreaterThanOrEqualTo(number(figures, "run_p50_ms"));
  }

  @Test
  void long_measures_runs_of_sixty_activities() {
    Map<String, Object> figures =
        figuresOf("long --store postgres --concurrency 8 --seconds 2 --warmup 1 --payload 10");

    assertThat(figures).containsEntry("w", "long").containsEntry("payload_kb", 10L);
    // Runs that began or ended outside of the measured time are counted in part.
    assertThat(number(figures, "steps_s") / number(figures, "instances_s")).isBetween(40.0, 90.0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "postgres"})
  void lateness_measures_timers_beside_others_that_are_stored(String store) {
    Map<String, Object> figures =
        figuresOf("lateness --store " + store + " --times 2 --seconds 1 --warmup 1");

    assertThat(figures)
        .containsEntry("w", "lateness")
        .containsEntry("stored", 2_000L)
        .containsEntry("timers", 50L);
    assertThat(number(figures, "lateness_p50_ms")).isPositive();
    assertThat(number(figures, "lateness_p99_ms"))
        .isBetween(number(figures, "lateness_p50_ms"), number(figures, "lateness_max_ms"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "postgres"})
  void latency_measures_a_run_each_quarter_of_a_second(String store) {
    Map<String, Object> figures =
        figuresOf("latency --store " + store + " --seconds 1 --warmup 1 --keys yes");

    assertThat(figures).containsEntry("w", "latency").containsEntry("runs", 4L);
    assertThat(number(figures, "run_p50_ms")).isGreaterThan(number(figures, "p50_ms"));
    assertThat(number(figures, "run_p99_ms")).isGreaterThanOrEqualTo(number(figures, "run_p50_ms"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "postgres"})
  void opening_measures_the_first_and_the_later_ones(String store) {
    Map<String, Object> figures = figuresOf("opening --store " + store + " --times 3");

    assertThat(figures).containsEntry("w", "opening").containsEntry("openings", 3L);
    assertThat(number(figures, "create_ms")).isPositive();
    assertThat(number(figures, "first_ms")).isPositive();
    assertThat(number(figures, "median_ms")).isGreaterThan(number(figures, "store_median_ms"));
    assertThat(number(figures, "later_median_ms")).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "postgres"})
  void await_measures_what_waiters_ask_of_the_database(String store) {
    Map<String, Object> figures =
        figuresOf("await --store " + store + " --times 1 --seconds 1 --warmup 0");

    assertThat(figures).containsEntry("w", "await").containsEntry("waiters", 1_000L);
    assertThat(number(figures, "calls_s")).isPositive();
    if (store.equals("postgres")) {
      assertThat(number(figures, "rows_s")).isPositive();
      assertThat(number(figures, "index_entries_s")).isPositive();
    } else {
      assertThat(figures).containsEntry("rows_s", null);
    }
  }

  @Test
  void idle_counts_calls_transactions_and_statements() {
    Map<String, Object> figures = figuresOf("idle --store postgres --seconds 2 --warmup 0");

    assertThat(number(figures, "calls_s")).isPositive();
    assertThat(number(figures, "transactions_s")).isPositive();
    assertThat(number(figures, "statements_s")).isPositive();
  }

  @Test
  void check_measures_its_whole_set(@TempDir Path folder) {
    Path ratios = folder.resolve("ratios.properties");

    Map<String, Object> figures =
        figuresOf("check --times 30 --seconds 1 --warmup 1 --runs 1 --write --ratios " + ratios);

    assertThat(figures).containsEntry("w", "check").hasSize(11).doesNotContainValue(null);
    assertThat(ratios).content(UTF_8).contains("w1_8.ratio = ", "w2.inbox_p50_ratio = ");
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
        "w1 --store sqlite --url jdbc:postgresql:x",
        "w1 --payload 5000",
        "check --store sqlite",
        "check --ratios"
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
    assertThat(out.toString(UTF_8))
        .contains("w1 ", "w1e", "idle", "check", "--store", "--runs", "--url", "--write");
  }
}
