package dev.waymark.sqlite.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.store.StoreException;
import dev.waymark.sqlite.SqliteStore;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a database file must be before anything is written to it. */
final class DatabaseFileTest {

  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-01-12T09:00:00Z"));

  @TempDir Path folder;

  @Test
  void network_file_systems_are_known_by_their_type() {
    assertThat(DatabaseFile.isNetwork("nfs4")).isTrue();
    assertThat(DatabaseFile.isNetwork("CIFS")).isTrue();
    assertThat(DatabaseFile.isNetwork("9p")).isTrue();
    assertThat(DatabaseFile.isNetwork("ext4")).isFalse();
    assertThat(DatabaseFile.isNetwork("overlay")).isFalse();
  }

  @Test
  void a_second_store_on_the_same_file_is_refused_and_told_who_has_it() {
    Path file = folder.resolve("a.db");
    try (SqliteStore first = SqliteStore.open(file, CLOCK)) {
      assertThat(first).isNotNull();

      assertThatIllegalStateException()
          .isThrownBy(() -> SqliteStore.open(folder.resolve(".").resolve("a.db"), CLOCK))
          .withMessageContaining("a.db")
          .withMessageContaining("process " + ProcessHandle.current().pid())
          .withMessageContaining("2026-01-12T09:00:00Z");
    }

    SqliteStore.open(file, CLOCK).close();
  }

  @Test
  void a_file_that_is_moved_away_or_replaced_is_written_no_more(@TempDir Path elsewhere)
      throws Exception {
    Path file = folder.resolve("a.db");
    try (SqliteStore store = SqliteStore.open(file, CLOCK)) {
      store.migrate();
      NodeId node = new NodeId(new UUID(0, 1));
      store.nodes().register(node, "first", Duration.ofSeconds(15));

      Files.move(file, elsewhere.resolve("a.db"));
      refused(() -> store.nodes().leave(node));
      Files.createFile(file);
      refused(() -> store.nodes().leave(node));

      // The same file is there again.
      Files.move(elsewhere.resolve("a.db"), file, StandardCopyOption.REPLACE_EXISTING);
      store.nodes().leave(node);
    }
  }

  private static void refused(ThrowingCallable write) {
    assertThatThrownBy(write)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("a.db")
        .hasMessageContaining("deleted, moved or replaced");
  }

  @Test
  void a_refused_store_does_not_take_the_lock_away() throws Exception {
    Path file = folder.resolve("a.db");
    try (SqliteStore first = SqliteStore.open(file, CLOCK)) {
      assertThat(first).isNotNull();
      assertThatIllegalStateException().isThrownBy(() -> SqliteStore.open(file, CLOCK));

      assertThat(isLockedForOtherProcesses(folder.resolve("a.db.lock"))).isTrue();
    }
    assertThat(isLockedForOtherProcesses(folder.resolve("a.db.lock"))).isFalse();
  }

  @Test
  void a_file_that_is_no_database_is_refused_by_name_and_left_as_it_is() throws Exception {
    Path file = folder.resolve("notes.db");
    String text = "These are notes, not a database. ".repeat(100);
    Files.writeString(file, text);

    assertThatIllegalStateException()
        .isThrownBy(() -> SqliteStore.open(file, CLOCK))
        .withMessageContaining("notes.db");

    assertThat(Files.readString(file)).isEqualTo(text);
  }

  @Test
  void a_damaged_database_is_refused_by_name() throws Exception {
    Path file = folder.resolve("a.db");
    try (SqliteStore store = SqliteStore.open(file, CLOCK)) {
      store.migrate();
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      // The second page and those behind it: the header alone still looks well.
      channel.write(java.nio.ByteBuffer.allocate(16 * 4096), 4096);
    }

    assertThatIllegalStateException()
        .isThrownBy(() -> SqliteStore.open(file, CLOCK))
        .withMessageContaining("a.db");
  }

  @Test
  void a_refused_file_is_not_kept_locked() throws Exception {
    Path file = folder.resolve("notes.db");
    Files.writeString(file, "notes ".repeat(1000));
    assertThatIllegalStateException().isThrownBy(() -> SqliteStore.open(file, CLOCK));
    Files.delete(file);

    SqliteStore.open(file, CLOCK).close();
  }

  // A lock belongs to the process, so only another process can see it.
  private static boolean isLockedForOtherProcesses(Path lock) throws Exception {
    String program =
        """
        import java.nio.channels.FileChannel;
        import java.nio.file.*;
        class Look {
          public static void main(String[] file) throws Exception {
            try (var channel = FileChannel.open(Path.of(file[0]), StandardOpenOption.WRITE)) {
              System.exit(channel.tryLock(Long.MAX_VALUE - 1, 1, false) == null ? 7 : 0);
            }
          }
        }
        """;
    Path source = Files.writeString(lock.resolveSibling("Look.java"), program);
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    int exit =
        new ProcessBuilder(java.toString(), source.toString(), lock.toString())
            .inheritIO()
            .start()
            .waitFor();
    assertThat(exit).isIn(0, 7);
    return exit == 7;
  }
}
