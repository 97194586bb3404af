package dev.waymark.postgres.internal.commit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.postgres.internal.commit.CommitStatement.Form;
import dev.waymark.postgres.internal.commit.CommitStatement.Width;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every text of the commit, kept whole, so that a change of one part is seen in all that have it.
 * Run with {@code -Dgolden=write} to write them anew.
 */
class CommitTextTest {

  private static final Path GOLDEN =
      Path.of("src/test/resources/dev/waymark/postgres/internal/commit");

  @ParameterizedTest
  @EnumSource(CommitShape.class)
  void each_shape_has_the_text_that_was_reviewed(CommitShape shape) {
    assertGolden("commit-" + name(shape), CommitStatement.text(Form.SKIPPING, shape, Width.MANY));
    assertGolden("alone-" + name(shape), CommitStatement.text(Form.SKIPPING, shape, Width.ONE));
  }

  @Test
  void a_joined_unit_waits_and_may_come_without_a_node() {
    assertGolden(
        "commit-everything-waiting-without-node",
        CommitStatement.text(Form.WAITING_WITHOUT_NODE, CommitShape.EVERYTHING, Width.MANY));
  }

  @Test
  void the_question_why_units_were_stopped_has_the_text_that_was_reviewed() {
    assertGolden("stop-reasons", StopReasons.TEXT);
  }

  @Test
  void the_load_has_the_text_that_was_reviewed() {
    assertGolden("load", LoadStatement.TEXT);
  }

  @Test
  void a_batch_takes_the_first_shape_that_has_all_its_parts() {
    assertThat(CommitShape.of(EnumSet.of(CommitPart.MOVES, CommitPart.ENDED)))
        .isEqualTo(CommitShape.MOVE);
    assertThat(CommitShape.of(EnumSet.of(CommitPart.STARTS, CommitPart.MOVES)))
        .isEqualTo(CommitShape.RUN);
    assertThat(CommitShape.of(EnumSet.of(CommitPart.MOVES, CommitPart.LABELS)))
        .isEqualTo(CommitShape.EVERYTHING);
  }

  /** A part that says nothing of its rows cannot stop a unit: it is a write, and no gate. */
  @ParameterizedTest
  @EnumSource(Form.class)
  void no_unit_is_stopped_by_on_conflict(Form form) {
    for (String part :
        CommitStatement.text(form, CommitShape.EVERYTHING, Width.MANY).split("\n\\),\n", -1)) {
      if (part.contains("on conflict")) {
        assertThat(part)
            .as(
                "a part of the commit with 'on conflict': two of them as gates would leave half a"
                    + " unit. Filter against committed rows in the gates, and let the index raise")
            .contains("do update")
            .doesNotContain("do nothing", "returning");
      }
    }
  }

  private static String name(CommitShape shape) {
    return shape.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static void assertGolden(String name, String text) {
    if ("write".equals(System.getProperty("golden"))) {
      write(GOLDEN.resolve(name + ".sql"), text);
      return;
    }
    assertThat(text).isEqualTo(read(name + ".sql"));
  }

  private static String read(String name) {
    try (InputStream golden = CommitTextTest.class.getResourceAsStream(name)) {
      assertThat(golden).as("the file %s", name).isNotNull();
      return new String(golden.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
