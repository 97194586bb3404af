package dev.waymark.core.definition.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.management.ThreadMXBean;
import dev.waymark.core.Limits;
import dev.waymark.core.definition.text.DefinitionFault;
import dev.waymark.core.definition.text.InvalidDefinition;
import dev.waymark.core.expression.Expressions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every file of {@code malformed} says in its first lines which faults it has; it must have these
 * and no others.
 */
class MalformedDefinitionsTest {

  private static final String EXPECT = "# expect: ";
  private static final Duration SOON = Duration.ofMillis(100);

  /** Garbage included: snakeyaml makes about 1 KB of short-lived tokens for every value. */
  private static final long LITTLE_MEMORY = 256L * 1024 * 1024;

  private final DefinitionParser parser = new DefinitionParser(TestType.ALL, new Expressions());

  /** A path that ends with a star stands for all that start so. */
  record Expected(String path, String fragment) {

    boolean fits(DefinitionFault fault) {
      boolean there =
          path.endsWith("*")
              ? fault.path().startsWith(path.substring(0, path.length() - 1))
              : fault.path().equals(path);
      return there && fault.toString().contains(fragment);
    }
  }

  record Case(String name, String text, List<Expected> expected) {

    @Override
    public String toString() {
      return name;
    }
  }

  static List<Case> files() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("src/test/resources/malformed"))) {
      List<Case> cases = new ArrayList<>();
      for (Path file : files.sorted().toList()) {
        cases.add(read(file));
      }
      return cases;
    }
  }

  private static Case read(Path file) throws IOException {
    List<Expected> expected = new ArrayList<>();
    List<String> rest = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith(EXPECT)) {
        String[] halves = line.substring(EXPECT.length()).split(" \\| ", 2);
        expected.add(new Expected(halves[0].strip(), halves[1]));
      } else {
        rest.add(line);
      }
    }
    return new Case(file.getFileName().toString(), String.join("\n", rest) + "\n", expected);
  }

  @ParameterizedTest
  @MethodSource("files")
  void a_malformed_definition_tells_all_its_faults_and_no_others(Case malformed) {
    InvalidDefinition refusal = refusalOf(malformed.text());

    List<Expected> missing = new ArrayList<>(malformed.expected());
    List<DefinitionFault> extra = new ArrayList<>(refusal.faults());
    for (Expected expected : malformed.expected()) {
      extra.stream()
          .filter(expected::fits)
          .findFirst()
          .ifPresent(
              fault -> {
                extra.remove(fault);
                missing.remove(expected);
              });
    }
    assertThat(missing).as("faults not told by%n%s", refusal.getMessage()).isEmpty();
    assertThat(extra).as("faults told too many").isEmpty();
    assertThat(malformed.expected()).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("files")
  void a_malformed_definition_is_refused_soon_and_with_little_memory(Case malformed) {
    assertRefusedSoon(malformed.text());
  }

  @Test
  void there_are_more_than_thirty_malformed_definitions() throws IOException {
    assertThat(files()).hasSizeGreaterThan(30);
  }

  @Test
  void a_text_too_large_is_refused_before_it_is_read() {
    String text = "waymark: 1\n" + "#".repeat(Limits.DEFINITION_CHARS);

    assertThat(refusalOf(text))
        .hasMessageContaining("expected a text of at most 524,288 characters, but got 524,299");
    assertRefusedSoon(text);
  }

  @Test
  void a_raw_nul_is_refused_with_its_position() {
    assertThat(refusalOf("waymark: 1\nkey: a\0b\n").faults())
        .containsExactly(
            new DefinitionFault("", "well-formed Unicode without NUL", "U+0000", 2, 7));
  }

  @Test
  void nesting_of_any_depth_is_refused_at_the_limit() {
    int many = 250_000;
    String brackets = "[".repeat(many);

    for (String text :
        List.of(
            brackets,
            "a: " + brackets + "]".repeat(many),
            "a: " + "{a: ".repeat(100_000),
            "- ".repeat(many) + "a",
            "? ".repeat(many) + "a",
            "{\"a\":" + brackets)) {
      assertThat(refusalOf(text).faults()).hasSize(1);
      assertRefusedSoon(text);
    }
  }

  @Test
  void more_activities_than_allowed_are_refused() {
    String text =
        "waymark: 1\nkey: k\nstart: a0\nactivities:\n"
            + IntStream.range(0, 1_001)
                .mapToObj("  a%d: {type: end}\n"::formatted)
                .collect(Collectors.joining());

    assertThat(refusalOf(text))
        .hasMessageContaining("/activities: expected 1 to 1,000 activities, but got 1,001");
  }

  @Test
  void more_expressions_than_allowed_are_refused() {
    String text =
        "waymark: 1\nkey: k\nstart: a\nactivities:\n  a:\n    type: set\n    with:\n      x: ["
            + IntStream.range(0, 30_000)
                .mapToObj("'${ %d }'"::formatted)
                .collect(Collectors.joining(","))
            + "]\n";

    assertThat(refusalOf(text)).hasMessageContaining("expected at most 2,000 expressions");
    assertRefusedSoon(text);
  }

  @Test
  void of_very_many_faults_the_first_hundred_are_told_and_the_rest_counted() {
    String text =
        "waymark: 1\nkey: k\nstart: a\nactivities: {a: {type: end}}\n"
            + IntStream.range(0, 20_000)
                .mapToObj("x%d: 1\n"::formatted)
                .collect(Collectors.joining());

    InvalidDefinition refusal = refusalOf(text);

    assertThat(refusal.faults()).hasSize(Limits.DEFINITION_FAULTS);
    assertThat(refusal).hasMessageEndingWith("… and 19900 more");
    assertRefusedSoon(text);
  }

  @Test
  void very_many_dangling_targets_are_refused_soon() {
    String text =
        "waymark: 1\nkey: k\nstart: activity0\nactivities:\n"
            + IntStream.range(0, 1_000)
                .mapToObj(
                    i ->
                        "  activity%d: {type: fork, with: {branches: [%s]}}\n"
                            .formatted(
                                i,
                                IntStream.range(0, 30)
                                    .mapToObj(j -> "aktivity" + i + j)
                                    .collect(Collectors.joining(","))))
                .collect(Collectors.joining());

    assertThat(refusalOf(text).faults()).hasSize(Limits.DEFINITION_FAULTS);
    assertRefusedWithin(Duration.ofMillis(400), text);
  }

  @Test
  void a_deep_and_wide_text_is_read_without_a_path_for_every_value() {
    String key = "k".repeat(250);
    String deep =
        ("{" + key + ": ").repeat(55) + "[" + "1,".repeat(200_000) + "1]" + "}".repeat(55);

    assertRefusedWithin(
        Duration.ofMillis(400), "waymark: 2\nkey: k\nstart: a\nvariables: " + deep + "\n");
    assertRefusedWithin(
        Duration.ofMillis(400), "waymark: 2\nkey: k\nstart: a\ninput: {default: " + deep + "}\n");
  }

  @Test
  void whatever_the_text_is_nothing_but_a_definition_or_a_refusal_comes() throws IOException {
    var lots = new Random(20_261_115);
    List<Case> files = files();
    String marks = "{}[]:,-\"'\n #&*!|>?%@`$~\\\0\uD800x1";
    for (int round = 0; round < 3_000; round++) {
      StringBuilder text = new StringBuilder(files.get(lots.nextInt(files.size())).text());
      for (int change = 0; change <= round % 4; change++) {
        int at = lots.nextInt(text.length());
        switch (lots.nextInt(3)) {
          case 0 -> text.deleteCharAt(at).append(' ');
          case 1 -> text.insert(at, marks.charAt(lots.nextInt(marks.length())));
          default -> text.insert(at, text.substring(lots.nextInt(at + 1), at));
        }
      }
      try {
        assertThat(parser.parse(text.toString())).isNotNull();
      } catch (InvalidDefinition refusal) {
        assertThat(refusal.faults()).isNotEmpty();
      }
    }
  }

  private InvalidDefinition refusalOf(String text) {
    InvalidDefinition refusal =
        catchThrowableOfType(InvalidDefinition.class, () -> parser.parse(text));
    assertThat(refusal).as("a refusal").isNotNull();
    return refusal;
  }

  private void assertRefusedSoon(String text) {
    assertRefusedWithin(SOON, text);
  }

  /**
   * The processor's time counts, since the machine does other things, and of some runs the best,
   * since the first ones warm up.
   */
  private void assertRefusedWithin(Duration limit, String text) {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long fastest = Long.MAX_VALUE;
    long leanest = Long.MAX_VALUE;
    for (int run = 0; run < 10 && (run < 3 || fastest > limit.toNanos()); run++) {
      long memory = threads.getCurrentThreadAllocatedBytes();
      long time = threads.getCurrentThreadCpuTime();
      var unused = refusalOf(text);
      fastest = Math.min(fastest, threads.getCurrentThreadCpuTime() - time);
      leanest = Math.min(leanest, threads.getCurrentThreadAllocatedBytes() - memory);
    }
    assertThat(Duration.ofNanos(fastest)).isLessThan(limit);
    assertThat(leanest).as("bytes allocated").isLessThan(LITTLE_MEMORY);
  }
}
