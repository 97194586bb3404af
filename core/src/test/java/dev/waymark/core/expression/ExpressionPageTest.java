package dev.waymark.core.expression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.waymark.core.Json;
import dev.waymark.core.expression.value.Function;
import dev.waymark.core.expression.value.Functions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The page of expressions is what the code says; {@code -Dpages=write} writes it again. */
class ExpressionPageTest {

  private static final Path PAGE = Path.of("../docs/expressions.md");

  /** The planner's own, which nobody can write. */
  private static final String INTERNAL = "@not_strictly_false";

  private static final Map<String, String> KINDS =
      Map.of(
          "double", "decimal",
          "string", "text",
          "google.protobuf.Timestamp", "time",
          "google.protobuf.Duration", "duration",
          "dyn", "any");

  static List<FunctionNotes.Note> notes() {
    return FunctionNotes.ALL;
  }

  @ParameterizedTest
  @MethodSource("notes")
  void an_example_comes_to_what_the_page_says(FunctionNotes.Note note) {
    assertThat(Json.write(Sample.evaluate(note.example()))).isEqualTo(note.result());
  }

  @Test
  void every_function_has_a_note_and_every_note_a_function() {
    TreeSet<String> functions = new TreeSet<>();
    Functions.all().forEach(function -> functions.add(function.name()));
    functions.remove(INTERNAL);

    assertThat(FunctionNotes.ALL.stream().map(FunctionNotes.Note::name))
        .containsExactlyInAnyOrderElementsOf(functions);
  }

  @Test
  void the_page_is_what_the_code_says() throws IOException {
    String page = page();
    if ("write".equals(System.getProperty("pages"))) {
      Files.writeString(PAGE, page);
    }
    assertThat(PAGE)
        .as(
            "to write it again: mvn -pl core test -Dtest=ExpressionPageTest -Dpages=write"
                + " -Dsurefire.failIfNoSpecifiedTests=false")
        .hasContent(page);
  }

  private static String page() {
    StringBuilder page = new StringBuilder();
    page.append(
        """
        # Expressions

        <!-- generated, see ExpressionPageTest -->

        Expressions are CEL (https://cel.dev) over JSON values: the grammar, the macros `has`, `all`, `exists`, `exists_one`,
        `map` and `filter`, and the functions below. There is nothing else to call. Why it is so, and what it costs, is in
        `docs/decisions/0003-expressions.md` and `docs/decisions/0012-division-is-exact.md`.

        ## Functions

        `any` stands for a value whose kind is known only when it is there. `A` and `B` are kinds that the arguments decide.

        | function | takes and gives | what it does | example |
        |---|---|---|---|
        """);
    for (FunctionNotes.Note note : FunctionNotes.ALL) {
      Function function = Functions.named(note.name());
      page.append(
          row(
              code(written(note.name())),
              function == null ? "" : signatures(function),
              note.sentence(),
              code(note.example()) + " is " + code(note.result())));
    }
    page.append(
        """

        ## Differences from CEL

        Each is on purpose. "dev.cel" is what the runtime of dev.cel, Google's own for Java, makes of the same example; the
        build tries both, and compares some thousand random expressions with it besides.

        | difference | example | here | dev.cel |
        |---|---|---|---|
        """);
    for (Difference difference : Difference.values()) {
      page.append(
          row(
              difference.sentence,
              code(difference.example),
              shown(difference.ours),
              shown(difference.cel)));
    }
    return page.toString();
  }

  private static String row(String... cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }

  private static String shown(String value) {
    return value.equals("an error") ? value : code(value);
  }

  private static String code(String text) {
    return "`" + text.replace("|", "\\|") + "`";
  }

  /** As it stands in an expression: {@code _+_} is written {@code a + b}. */
  private static String written(String name) {
    return switch (name) {
      case "-_" -> "-a";
      case "!_" -> "!a";
      case "_[_]" -> "a[b]";
      case "_?_:_" -> "a ? b : c";
      case "@in" -> "a in b";
      default -> name.startsWith("_") ? "a " + name.substring(1, name.length() - 1) + " b" : name;
    };
  }

  private static String signatures(Function function) {
    return String.join(
        "<br>",
        function.declaration().overloads().stream()
            .map(ExpressionPageTest::signature)
            .distinct()
            .toList());
  }

  private static String signature(CelOverloadDecl overload) {
    List<String> kinds = overload.parameterTypes().stream().map(ExpressionPageTest::kind).toList();
    String arguments =
        overload.isInstanceFunction()
            ? kinds.get(0) + ".(" + String.join(", ", kinds.subList(1, kinds.size())) + ")"
            : String.join(", ", kinds);
    return arguments + " → " + kind(overload.resultType());
  }

  private static String kind(CelType type) {
    List<String> inner = type.parameters().stream().map(ExpressionPageTest::kind).toList();
    return switch (type.kind()) {
      case LIST -> "list of " + inner.get(0);
      case MAP -> "object of " + inner.get(1);
      default -> KINDS.getOrDefault(type.name(), type.name());
    };
  }
}
