package dev.waymark.core.step.kind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.definition.read.FormatSchema;
import dev.waymark.core.definition.schema.InputSchema.Violation;
import dev.waymark.core.definition.schema.JsonInputSchema;
import dev.waymark.core.definition.text.DefinitionText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The published schema: that it is the format's, that good texts fit it, and bad ones do not. */
final class FormatSchemaTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path FILE = ROOT.resolve("docs/waymark.schema.json");

  private static final JsonInputSchema SCHEMA =
      Objects.requireNonNull(
          JsonInputSchema.compile(
              FormatSchema.of(Kinds.builtIn()),
              (path, expected, got) -> {
                throw new AssertionError(path + ": " + expected + ", but got " + got);
              }));

  @Test
  void the_published_file_is_what_the_format_is() throws IOException {
    String generated = DefinitionText.json(FormatSchema.of(Kinds.builtIn()));
    if ("write".equals(System.getProperty("schema"))) {
      Files.writeString(FILE, generated);
    }

    assertThat(Files.readString(FILE))
        .as("written anew by: mvn -pl core test -Dtest=FormatSchemaTest -Dschema=write")
        .isEqualTo(generated);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("snippets")
  void every_definition_in_the_repository_fits(String place, String text) {
    assertThat(violations(text)).as(text).isEmpty();
  }

  @Test
  void the_definitions_in_the_repository_are_found() throws IOException {
    assertThat(snippets().map(snippet -> ((String) snippet.get()[0]).replaceAll(" .*", "")))
        .contains("docs/definitions.md", "HelloExample.java");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a field that does not exist     | /activities/a/nxt              | a: { type: set, nxt: b"
            + " }",
        "a field of another type         | /activities/a/until            | a: { type: set, until:"
            + " x }",
        "a way on after the end          | /activities/a/next             | a: { type: end, next: a"
            + " }",
        "a type left out                 | /activities/a/type             | a: { next: b }",
        "a bad id                        | /activities                    | a b: { type: set }",
        "a way on to a list of names     | /activities/a/next             | a: { type: set, next:"
            + " [b, c] }",
        "a way on without a target       | /activities/a/next             | a: { type: set, next:"
            + " [{ when: x }] }",
        "a duration in words             | /activities/a/timeout          | a: { type: t, timeout:"
            + " 5 minutes }",
        "a number where a text belongs   | /activities/a/description      | a: { type: t,"
            + " description: 5 }",
        "too many attempts               | /activities/a/retry/attempts   | a: { type: t, retry: {"
            + " attempts: 0 } }",
        "a timer without a time          | /activities/a/with             | a: { type: timer, with:"
            + " {} }",
        "a timer without with            | /activities/a/with             | a: { type: timer }",
        "a timer with a bad duration     | /activities/a/with/after       | a: { type: timer, with:"
            + " { after: 3d } }",
        "a wait for nobody               | /activities/a/with/for         | a: { type: wait, with:"
            + " { for: godot } }",
        "a fork without branches         | /activities/a/with/branches    | a: { type: fork, with:"
            + " { branches: b } }",
        "a scope without a start         | /activities/a/start            | a: { type: scope,"
            + " activities: { b: { type: end } } }",
        "a mistake inside of a scope     | /activities/a/activities/b/nxt | a: { type: scope,"
            + " start: b, activities: { b: { type: end, nxt: c } } }",
        "a reaction that leads nowhere   | /activities/a/on/error         | a: { type: t, on: {"
            + " error: { match: x } } }",
        "a reaction to nothing           | /activities/a/on/eror          | a: { type: t, on: {"
            + " eror: { to: b } } }",
        "an unnamed message              | /activities/a/on/message       | a: { type: t, on: {"
            + " message: { to: b } } }",
        "a late reaction without a time  | /activities/a/on/timeout       | a: { type: t, on: {"
            + " timeout: { to: b } } }",
        "an empty guard                  | /activities/a/guard            | a: { type: wait, guard:"
            + " {} }",
        "roles that are no list          | /activities/a/guard/roles      | a: { type: wait, guard:"
            + " { roles: boss } }",
        "a race of no waits              | /activities/a/with/waits       | a: { type: race, with:"
            + " { waits: {} } }",
        "a child without a definition    | /activities/a/with/definition  | a: { type:"
            + " sub-workflow, with: { version: 1 } }",
      })
  void typical_mistakes_are_found(String mistake, String pointer, String activity) {
    String text = "waymark: 1\nkey: k\nstart: a\nactivities:\n  " + activity + "\n";

    assertThat(violations(text))
        .as(mistake)
        .extracting(Violation::pointer)
        .anyMatch(found -> found.startsWith(pointer));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a: { type: t, timeout: pt1s, retry: { attempts: 2, backoff: pt1m } }",
        "a: { type: timer, with: { after: p1dt2h } }",
        "a: { type: approval, with: { title: t, approvers: [x], mode: { atLeast: '${ Variables.n"
            + " }' } } }",
        "a: { type: approval, with: { title: t, approvers: [{ group: '${ Variables.g }', seats: '${"
            + " Variables.n }' }] } }",
      })
  void every_text_that_the_parser_takes_fits_the_schema(String activity) {
    String text = "waymark: 1\nkey: k\nstart: a\nactivities:\n  " + activity + "\n";

    assertThat(violations(text)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "/waymark  | { waymark: 2, key: k, start: a }",
        "/key      | { waymark: 1, key: My Key, start: a }",
        "/start    | { waymark: 1, key: k }",
        "/maxVisits | { waymark: 1, key: k, start: a, maxVisits: many }",
        "/timeout  | { waymark: 1, key: k, start: a, timeout: 30 days }",
        "/labels/n | { waymark: 1, key: k, start: a, labels: { n: 1 } }",
        "/nmae     | { waymark: 1, key: k, start: a, nmae: x }",
      })
  void typical_mistakes_at_the_top_are_found(String pointer, String head) {
    assertThat(violations("# a comment\n" + head)).extracting(Violation::pointer).contains(pointer);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a: { type: charge@2, with: { anything: [goes] } }",
        "a: { type: timer, with: { after: '${ Variables.x }' } }",
        "a: { type: timer, with: { after: P1DT2H3.5S } }",
        "a: { type: for-each, with: { items: '${ Variables.x }', parallel: '${ 2 }' }, start: b,"
            + " activities: { b: { type: end } } }",
        "a: { type: join, with: { wait: 2 } }",
        "a: { type: t, on: { timeout: [{ after: '${ Variables.x }', to: b }, { until:"
            + " 2026-01-31T12:00:00Z, fail: true }] } }",
        "a: { type: race, with: { waits: { w: { after: P1D, when: '${ true }', to: b }, v: { for:"
            + " signal, key: k } } } }",
      })
  void a_correct_activity_fits_the_schema(String activity) {
    assertThat(violations("waymark: 1\nkey: k\nstart: a\nactivities:\n  " + activity + "\n"))
        .isEmpty();
  }

  private static List<Violation> violations(String text) {
    return SCHEMA.check(DefinitionText.read(text));
  }

  // ---- the definitions in the repository's pages and programs

  static Stream<Arguments> snippets() throws IOException {
    List<Path> files = new ArrayList<>();
    for (String place : List.of("README.md", "docs", "examples")) {
      try (Stream<Path> found = Files.walk(ROOT.resolve(place))) {
        found
            .filter(file -> !file.toString().contains("/target/"))
            .filter(file -> file.toString().matches(".*\\.(md|java|ya?ml)"))
            .forEach(files::add);
      }
    }
    List<Arguments> snippets = new ArrayList<>();
    for (Path file : files) {
      int number = 0;
      for (String text : snippets(file)) {
        if (Pattern.compile("(?m)^waymark: 1").matcher(text).find()) {
          String place = ROOT.relativize(file).toString();
          String name = place.startsWith("examples") ? file.getFileName().toString() : place;
          snippets.add(Arguments.of(name + " " + ++number, completed(text)));
        }
      }
    }
    return snippets.stream();
  }

  private static List<String> snippets(Path file) throws IOException {
    String text = Files.readString(file);
    String name = file.toString();
    if (name.endsWith(".md")) {
      return found("(?s)```ya?ml\n(.*?)```", text);
    }
    return name.endsWith(".java") ? found("(?s)\"\"\"\n(.*?)\"\"\"", text) : List.of(text);
  }

  private static List<String> found(String pattern, String text) {
    List<String> found = new ArrayList<>();
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    while (matcher.find()) {
      found.add(matcher.group(1).stripIndent());
    }
    return found;
  }

  /** Where a page leaves something out, an ellipsis stands for it. */
  private static String completed(String text) {
    return text.replace("on: { … }", "on: { error: { fail: true } }")
        .replace("{ … }", "{ type: end }");
  }
}
