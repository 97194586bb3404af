package dev.waymark.sqlite.internal.table;

import static java.lang.reflect.Modifier.isPrivate;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Comparator.comparing;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The texts that both stores share, as SQLite runs them. Run with {@code -Dgolden=write} to write
 * them anew.
 */
class WaitTextTest {

  private static final Path GOLDEN =
      Path.of("src/test/resources/dev/waymark/sqlite/internal/table/waits.sql");

  @Test
  void the_questions_about_waits_have_the_text_that_was_reviewed() throws IOException {
    String texts =
        Stream.of(SqliteWaitTexts.class.getDeclaredFields())
            .filter(field -> field.getType() == String.class && !isPrivate(field.getModifiers()))
            .sorted(comparing(Field::getName))
            .map(field -> "-- " + field.getName() + "\n" + value(field) + ";\n")
            .collect(joining("\n"));
    if ("write".equals(System.getProperty("golden"))) {
      Files.writeString(GOLDEN, texts);
    }

    assertThat(texts).isEqualTo(reviewed());
  }

  private static Object value(Field field) {
    try {
      return field.get(null);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String reviewed() throws IOException {
    try (InputStream golden = WaitTextTest.class.getResourceAsStream("waits.sql")) {
      assertThat(golden).as("the file waits.sql").isNotNull();
      return new String(golden.readAllBytes(), UTF_8);
    }
  }
}
