package dev.waymark.proof.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What random programs must be like for their judgement to count. */
final class ProgramsTest {

  private static final Path SOURCES = Path.of("src/main/java/dev/waymark/proof/program");
  private static final int MANY = 1_500;

  private static final Generator ALL = new Generator(EnumSet.allOf(Feature.class));

  @Test
  void the_oracle_shares_no_code_with_what_it_judges() throws IOException {
    List<Path> sources;
    try (Stream<Path> files = Files.list(SOURCES)) {
      sources = files.filter(f -> f.toString().endsWith(".java")).toList();
    }

    assertThat(sources)
        .as("sources of generator and oracle")
        .anyMatch(f -> f.endsWith("Oracle.java"))
        .allSatisfy(
            file ->
                assertThat(Files.readString(file))
                    .as("%s: only the package 'run' may know the engine", file)
                    .doesNotContain("dev.waymark.core", "dev.waymark.engine")
                    .doesNotContain("dev.waymark.testkit.Run"));
  }

  @Test
  void a_seed_gives_the_same_program_again() {
    for (long seed = 1; seed <= 50; seed++) {
      Program first = ALL.program(seed);
      Program again = new Generator(EnumSet.allOf(Feature.class)).program(seed);

      assertThat(again).isEqualTo(first);
      assertThat(again.main().text()).isEqualTo(first.main().text());
    }
  }

  @Test
  void an_outcome_is_the_same_in_every_order() {
    for (long seed = 1; seed <= 200; seed++) {
      Program program = ALL.program(seed);
      List<String> outcome = Oracle.tell(program, 0).summary();

      for (long order = 1; order <= 5; order++) {
        assertThat(Oracle.tell(program, order).summary()).as("seed " + seed).isEqualTo(outcome);
      }
    }
  }

  @Test
  void programs_use_everything_and_end_in_every_way() {
    Map<String, Integer> used = new TreeMap<>();
    LongStream.rangeClosed(1, MANY).mapToObj(ALL::program).forEach(p -> count(p, used));

    assertThat(used)
        .containsKeys(
            Stream.of(Kind.class.getDeclaredClasses())
                .filter(Record.class::isAssignableFrom)
                .filter(Kind.class::isAssignableFrom)
                .map(Class::getSimpleName)
                .toArray(String[]::new))
        .containsKeys("COMPLETED", "FAILED", "CANCELLED", "RUNNING", "SUSPENDED")
        .containsKeys("visit COMPLETED", "visit CANCELLED", "visit ALIVE", "visit OVER")
        .containsKeys("undone", "refused", "retried", "early")
        .containsKeys("held", "held in a body", "cancelled by itself", "put off")
        .containsKeys("said what is no data", "odd value")
        .allSatisfy((what, programs) -> assertThat(programs).as(what).isGreaterThan(4));
  }

  private static void count(Program program, Map<String, Integer> used) {
    TreeSet<String> seen = new TreeSet<>();
    Outcome outcome = Oracle.tell(program, 0);
    seen.add(outcome.runs().getFirst().status());
    Map<String, Flow> flows = program.flows().collect(Collectors.toMap(Flow::key, flow -> flow));
    for (Outcome.Seen visit : outcome.visits()) {
      seen.add("visit " + visit.how());
      Activity activity =
          java.util.Objects.requireNonNull(flows.get(visit.flow())).activity(visit.activity());
      seen.add(activity.kind().getClass().getSimpleName());
      if (activity.id().startsWith("h")) {
        seen.add("undone");
      }
      if (activity.kind() instanceof Kind.Probe probe && probe.holds()) {
        seen.add("held in a body");
      }
      if (activity.kind() instanceof Kind.Terminate end && end.status().equals("CANCELLED")) {
        seen.add("cancelled by itself");
      }
      if (activity.kind() instanceof Kind.Timer timer
          && visit.how().equals("COMPLETED")
          && visit.ended() > visit.began() + timer.seconds()) {
        seen.add("put off");
      }
      if (activity.retry() != null && visit.ended() > visit.began()) {
        seen.add("retried");
      }
    }
    if (program.script().stream()
        .anyMatch(s -> s instanceof Stimulus.Answer a && a.payload().containsValue(-1L))) {
      seen.add("refused");
    }
    if (program.script().stream().anyMatch(Stimulus.Unfit.class::isInstance)) {
      seen.add("said what is no data");
    }
    if (outcome.runs().stream().anyMatch(ProgramsTest::hasOddValue)) {
      seen.add("odd value");
    }
    if (program.script().stream().anyMatch(Stimulus.Suspend.class::isInstance)) {
      seen.add("held");
    }
    if (outcome.runs().getFirst().variables().containsValue(true)) {
      seen.add("early");
    }
    seen.forEach(what -> used.merge(what, 1, Integer::sum));
  }

  private static boolean hasOddValue(Outcome.Ended run) {
    return run.variables().values().stream()
        .anyMatch(v -> v instanceof String text && (text.isEmpty() || text.contains("\u0000")));
  }
}
