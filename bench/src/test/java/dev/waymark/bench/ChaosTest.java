package dev.waymark.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The chaos runs in their short form; a fault in one of them fails the build. */
final class ChaosTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kill --store sqlite --times 2",
        "kill --store postgres --times 1",
        "cut --times 30",
        "busy --times 8",
        "takeover --times 100",
        "waiting --store postgres --times 5",
        "waiting --store sqlite --times 5",
        "history --store sqlite"
      })
  void nothing_is_lost_doubled_or_stranded(String command) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();

    int code =
        Main.run(
            List.of(command.split(" ")),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));

    assertThat(code)
        .as(out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8))
        .isZero();
    assertThat(out.toString(StandardCharsets.UTF_8).lines().toList().getLast())
        .startsWith("{\"w\"");
  }
}
