package dev.waymark.proof.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.proof.PostgresServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Loads are bounded in bytes as well as in number. In short here: 60 instances of 1.9 MB in a heap
 * of 160 MB, which is as tight as 200 in 512 MB.
 */
final class HeavyTimersTest {

  private static final List<String> SIZE = List.of("60", "5");
  private static final String HEAP = "-Xmx160m";

  @TempDir private Path folder;

  @Test
  void timers_of_large_instances_fire_together_in_a_small_heap_on_postgres() throws Exception {
    PostgresServer server = PostgresServer.shared();
    assertThat(output(server.url(server.newDatabase()))).contains("60 have fired");
  }

  @Test
  void timers_of_large_instances_fire_together_in_a_small_heap_on_sqlite() throws Exception {
    assertThat(output(folder.resolve("heavy.db").toString())).contains("60 have fired");
  }

  private static String output(String place) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                HEAP,
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                HeavyTimers.class.getName(),
                place,
                SIZE.get(0),
                SIZE.get(1))
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return said;
  }
}
