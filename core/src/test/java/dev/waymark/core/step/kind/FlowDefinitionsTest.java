package dev.waymark.core.step.kind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.waymark.core.definition.ActivityType;
import dev.waymark.core.definition.read.DefinitionParser;
import dev.waymark.core.definition.text.InvalidDefinition;
import dev.waymark.core.expression.Expressions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Definitions that use the whole format: the examples, which are good, and broken ones, each of
 * which begins with exactly what it is told.
 */
final class FlowDefinitionsTest {

  private static final String EXPECT = "# expect: ";
  private static final Path BROKEN = Path.of("src/test/resources/broken-flow");

  private final DefinitionParser parser = parser();

  private static DefinitionParser parser() {
    List<ActivityType> types = new ArrayList<>(Kinds.builtIn());
    types.add(() -> "work");
    types.add(() -> "task");
    return new DefinitionParser(types, new Expressions());
  }

  static List<Path> broken() throws IOException {
    return yaml(BROKEN);
  }

  static List<Path> good() throws IOException {
    List<Path> all = new ArrayList<>(yaml(Path.of("../examples/patterns")));
    all.addAll(yaml(Path.of("../examples/definitions")));
    return all;
  }

  private static List<Path> yaml(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource
  void broken(Path file) throws IOException {
    String text = Files.readString(file);
    List<String> expected =
        text.lines()
            .filter(line -> line.startsWith(EXPECT))
            .map(line -> line.substring(EXPECT.length()))
            .toList();

    InvalidDefinition refusal =
        catchThrowableOfType(InvalidDefinition.class, () -> parser.parse(text));

    assertThat(refusal).as(file.toString()).isNotNull();
    assertThat(refusal.faults())
        .extracting(
            fault ->
                "%s: expected %s, but got %s"
                    .formatted(
                        fault.path(), fault.expected(), fault.got().lines().findFirst().orElse("")))
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  @ParameterizedTest
  @MethodSource
  void good(Path file) {
    assertThatCode(() -> parser.parse(Files.readString(file))).doesNotThrowAnyException();
  }

  @Test
  void there_are_thirty_of_each() throws IOException {
    assertThat(broken()).hasSizeGreaterThanOrEqualTo(30);
    assertThat(good()).hasSizeGreaterThanOrEqualTo(30);
  }
}
