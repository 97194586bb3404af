package dev.waymark.postgres.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The scripts that a node knows without looking into their folder. */
class SchemaMigrationTest {

  private static final Path FOLDER = Path.of("src/main/resources/waymark/db/postgres");

  @Test
  void every_script_of_the_folder_is_listed() throws IOException {
    try (Stream<Path> scripts = Files.list(FOLDER)) {
      assertThat(scripts.map(script -> script.getFileName().toString()))
          .as("A script that is not listed in SchemaMigration never runs on an existing schema")
          .containsExactlyInAnyOrderElementsOf(SchemaMigration.NAMES);
    }
  }
}
