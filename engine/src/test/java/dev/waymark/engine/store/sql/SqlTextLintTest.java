package dev.waymark.engine.store.sql;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What no SQL text of a store may say, read from the sources of both stores. Each rule keeps the
 * tables divisible among several PostgreSQL servers, or a unit whole.
 */
class SqlTextLintTest {

  private static final Path ENGINE = Path.of("src/main/java/dev/waymark/engine/store");

  /** Where each store has its sources: within the engine, or in a module beside it. */
  private static final Map<String, List<Path>> STORES =
      Map.of("postgres", sourcesOf("postgres"), "sqlite", sourcesOf("sqlite"));

  /** Fewer texts than this were not found where they are. */
  private static final int FEW = 100;

  private static final Pattern TEXT = Pattern.compile("\"\"\"\\n(.*?)\"\"\"", Pattern.DOTALL);

  private static final Pattern SET = Pattern.compile("\\bset\\b(?!_)");
  private static final Pattern END_OF_SET = Pattern.compile("\\b(?:from|where|returning)\\b");
  private static final Pattern ELEMENT = Pattern.compile("\\[\\s*[^\\s\\]]");

  private static final Pattern CONFLICT =
      Pattern.compile("insert into (\\w+)(?:(?!insert into).)*?on conflict", Pattern.DOTALL);

  private static final Pattern WHOLE_NAME =
      Pattern.compile(
          "(?:\\bcase|\\bequals\\(|==)\\s*\"\\w+_pkey\""
              + "|(?:\\bcase|\\bequals\\(|==)\\s*\"wm_\\w+\""
              + "|getConstraint\\(\\)\\s*\\.equals"
              + "|\\b(?:conname|constraint_name)\\s*="
              + "|on conflict on constraint");

  /**
   * Tables with an {@code on conflict}, and why it is no gate that could leave half a unit. In
   * PostgreSQL's commit no part may decide by one at all: see its own test.
   */
  private static final Map<String, Map<String, String>> HARMLESS =
      Map.of(
          "postgres",
          Map.of(
              "wm_inbox", "a message is one row, and nothing else is written with it",
              "wm_label", "the unit has passed its gates: the label is overwritten",
              "wm_node", "a node is one row: registering again renews it",
              "wm_payload", "a content is one row: the same one again is kept for longer",
              "wm_payload_part", "a part that is sent again is the same, and counted at the end",
              "wm_payload_upload", "an upload is one row, and its parts count when it is whole",
              "wm_plan_check", "a note is one row, and nothing else is written with it",
              "wm_schedule", "a schedule is one row, and nothing else is written with it",
              "wm_turn", "a turn is one row, which counts on"),
          "sqlite",
          Map.ofEntries(
              Map.entry("wm_inbox", "a message is one row, and nothing else is written with it"),
              Map.entry("wm_node", "a node is one row: registering again renews it"),
              Map.entry(
                  "wm_payload", "a content is one row: the same one again is kept for longer"),
              Map.entry(
                  "wm_payload_part",
                  "a part that is sent again is the same, and counted at the end"),
              Map.entry(
                  "wm_payload_upload",
                  "an upload is one row, and its parts count when it is whole"),
              Map.entry(
                  "wm_payload_use", "the unit has passed its gates: a use that is known is there"),
              Map.entry(
                  "wm_schedule", "a schedule is one row, and nothing else is written with it"),
              Map.entry("wm_turn", "a turn is one row, which counts on"),
              Map.entry(
                  "wm_definition",
                  "a definition is one row: deploying its text again changes nothing"),
              Map.entry(
                  "wm_instance",
                  "one writer, and a savepoint for each unit: it is undone as a whole"),
              Map.entry(
                  "wm_key", "one writer, and a savepoint for each unit: it is undone as a whole"),
              Map.entry(
                  "wm_command",
                  "one writer, and a savepoint for each unit: it is undone as a whole")));

  @ParameterizedTest
  @ValueSource(strings = {"postgres", "sqlite"})
  void no_set_takes_an_element_of_an_array(String store) {
    List<String> found = new ArrayList<>();
    sources(store)
        .forEach(
            (file, source) -> {
              for (String text : texts(source)) {
                elementsInSet(text).forEach(set -> found.add(file + ": set" + set));
              }
            });

    assertThat(found)
        .as(
            "array elements in SET, which Citus refuses: take the element in a CTE or a subquery,"
                + " and set the column to what that is called")
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres", "sqlite"})
  void no_on_conflict_decides_whether_a_unit_may_commit(String store) {
    Map<String, String> harmless = HARMLESS.getOrDefault(store, Map.of());
    List<String> found = new ArrayList<>();
    sources(store)
        .forEach(
            (file, source) -> {
              for (String text : texts(source)) {
                CONFLICT
                    .matcher(text)
                    .results()
                    .map(conflict -> conflict.group(1))
                    .filter(table -> !harmless.containsKey(table))
                    .forEach(table -> found.add(file + ": insert into " + table));
              }
            });

    assertThat(found)
        .as(
            "inserts with 'on conflict' into a table that is not known to be harmless: as a gate,"
                + " two of them leave half a unit. Filter against committed rows and let the index"
                + " raise; or, if nothing else is written with the row, say so in HARMLESS")
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres", "sqlite"})
  void no_constraint_is_compared_by_its_whole_name(String store) {
    List<String> found = new ArrayList<>();
    sources(store)
        .forEach(
            (file, source) ->
                WHOLE_NAME
                    .matcher(source)
                    .results()
                    .map(MatchResult::group)
                    .forEach(name -> found.add(file + ": " + name)));

    assertThat(found)
        .as(
            "constraints compared by their whole name: those of a shard have its number behind it."
                + " Ask SqlFault.isDuplicate, which compares the beginning")
        .isEmpty();
  }

  @Test
  void the_rules_see_what_they_forbid() {
    assertThat(elementsInSet("update t set a = (select x[1] from y), b = 2 where c[1] = 1"))
        .hasSize(1);
    assertThat(elementsInSet("update t set a = (cast(:a as text[]))[s.n] from s")).hasSize(1);
    assertThat(elementsInSet("update t set a = cast(:a as text[]) where b = :b[1]")).isEmpty();
    assertThat(elementsInSet("with x as (update t set a = 1), y as (select z[1] from z) select 1"))
        .isEmpty();
    assertThat(CONFLICT.matcher("insert into t values (1)\non conflict do nothing").find())
        .isTrue();
    assertThat(WHOLE_NAME.matcher("case \"wm_key_pkey\" -> 1").find()).isTrue();
    assertThat(WHOLE_NAME.matcher("on conflict on constraint wm_key_pkey").find()).isTrue();
  }

  private static List<Path> sourcesOf(String store) {
    return List.of(
        ENGINE.resolve(store), ENGINE.resolve("sql"), Path.of("..", store, "src/main/java"));
  }

  private static Map<Path, String> sources(String store) {
    Map<Path, String> sources =
        STORES.getOrDefault(store, List.of()).stream()
            .filter(Files::isDirectory)
            .flatMap(SqlTextLintTest::javaFiles)
            .collect(toMap(Function.identity(), SqlTextLintTest::read));
    assertThat(sources.values().stream().mapToInt(source -> texts(source).size()).sum())
        .as("SQL texts of %s, else the rules pass for the wrong reason", store)
        .isGreaterThan(FEW);
    return sources;
  }

  private static List<String> texts(String source) {
    return TEXT.matcher(source).results().map(text -> text.group(1)).toList();
  }

  /** Each list behind SET that has an element of an array. */
  private static List<String> elementsInSet(String text) {
    List<String> found = new ArrayList<>();
    Matcher set = SET.matcher(text);
    while (set.find()) {
      String list = text.substring(set.end(), endOfSet(text, set.end()));
      if (ELEMENT.matcher(list).find()) {
        found.add(list);
      }
    }
    return found;
  }

  /** The list ends with its statement, which may stand in parentheses, or with the next clause. */
  private static int endOfSet(String text, int start) {
    int depth = 0;
    Matcher clause = END_OF_SET.matcher(text);
    for (int at = start; at < text.length(); at++) {
      char c = text.charAt(at);
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      boolean isClause = depth == 0 && clause.region(at, text.length()).lookingAt();
      if (depth < 0 || (isClause && !Character.isLetterOrDigit(text.charAt(at - 1)))) {
        return at;
      }
    }
    return text.length();
  }

  private static Stream<Path> javaFiles(Path root) {
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
