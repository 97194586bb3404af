package dev.waymark.proof.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.proof.PostgresServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The full look at waiting messages is bounded in bytes: 120 messages of 1.5 MB, 40 of each kind,
 * reach their runs in a heap of 128 MB.
 */
final class HeavyMessagesTest {

  private static final String EACH = "40";
  private static final String HEAP = "-Xmx128m";

  @TempDir private Path folder;

  @Test
  void large_messages_that_a_crash_left_reach_their_runs_in_a_small_heap_on_postgres()
      throws Exception {
    PostgresServer server = PostgresServer.shared();
    assertThat(output(server.url(server.newDatabase()))).contains("120 have ended");
  }

  @Test
  void large_messages_that_a_crash_left_reach_their_runs_in_a_small_heap_on_sqlite()
      throws Exception {
    assertThat(output(folder.resolve("heavy.db").toString())).contains("120 have ended");
  }

  private static String output(String place) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                HEAP,
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                HeavyMessages.class.getName(),
                place,
                EACH)
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return said;
  }
}
