package dev.waymark.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.sqlite.SqliteStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HelloExampleTest {

  @Test
  void it_greets_who_answered() {
    assertThat(HelloExample.hello(SqliteStore.inMemory(InstantSource.system()), "Ada"))
        .isEqualTo("Hello, Ada!");
  }

  @Test
  void the_readme_shows_the_code_that_runs() throws IOException {
    List<String> source =
        Files.readAllLines(Path.of("src/main/java/dev/waymark/examples/HelloExample.java"));
    String readme = Files.readString(Path.of("../README.md"));

    assertThat(readme).contains(between(source, "code")).contains(between(source, "definition"));
  }

  /** The lines between two tags, without their common indentation. */
  private static String between(List<String> lines, String tag) {
    int from = indexOf(lines, "tag::" + tag + "[]") + 1;
    int to = indexOf(lines, "end::" + tag + "[]");
    List<String> part = lines.subList(from, to);
    int indent =
        part.stream()
            .filter(line -> !line.isBlank())
            .mapToInt(line -> line.length() - line.stripLeading().length())
            .min()
            .orElse(0);
    StringBuilder text = new StringBuilder();
    part.forEach(line -> text.append(line.isBlank() ? "" : line.substring(indent)).append('\n'));
    return text.toString().strip();
  }

  private static int indexOf(List<String> lines, String tag) {
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).contains("// " + tag)) {
        return i;
      }
    }
    throw new AssertionError("Expected a line with " + tag);
  }
}
