package dev.waymark.proof.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.Load;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.StoreException.Kind;
import dev.waymark.sqlite.SqliteStore;
import dev.waymark.tck.Rows;
import dev.waymark.testkit.VirtualClock;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only SQLite does: a full disk, another writer, a restart, a borrowed connection. */
final class SqliteStoreTest {

  @TempDir Path folder;

  private final VirtualClock clock = new VirtualClock();
  private final NodeId node = Rows.newNode();
  private final InstanceId id = Rows.newId();
  private Path file;
  private Store store;

  @BeforeEach
  void open() {
    file = folder.resolve("waymark.db");
    store = SqliteStore.open(file, clock);
    store.migrate();
    store.nodes().register(node, "test", Duration.ofDays(1));
    assertThat(commit(Rows.start(id, clock.instant()))).isEqualTo(Outcome.COMMITTED);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void what_was_committed_is_there_after_a_restart() {
    store.close();
    store = SqliteStore.open(file, clock);
    store.migrate();

    assertThat(version()).isEqualTo(1);
    assertThat(commit(Rows.step(id, 1, clock.instant()))).isEqualTo(Outcome.COMMITTED);
  }

  @Test
  void a_schema_newer_than_ours_is_refused() {
    execute(
        "insert into wm_schema_history select 2, '99', 'from the future', 'SQL',"
            + " 'V99__future.sql', 1, '', '2030-01-01 00:00:00.000', 1, 1");

    assertThatIllegalStateException()
        .isThrownBy(store::migrate)
        .withMessageContaining("99")
        .withMessageContaining("newer");
  }

  @Test
  void migrating_twice_changes_nothing() {
    store.migrate();

    assertThat(version()).isEqualTo(1);
  }

  @Test
  void on_a_full_disk_commits_fail_for_now_and_reads_go_on() throws Exception {
    fill("pragma max_page_count = 1");
    Rows big = Rows.step(id, 1, clock.instant()).variables("x".repeat(1_000_000));

    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> commit(big))
        .satisfies(fault -> assertThat(fault.kind()).isEqualTo(Kind.TRANSIENT));

    assertThat(version()).isEqualTo(1);
    assertThat(commit(big)).as("with space again").isEqualTo(Outcome.COMMITTED);
  }

  @Test
  void another_writer_on_the_file_makes_commits_fail_for_now() throws Exception {
    try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = other.createStatement()) {
      statement.execute("begin immediate");

      assertThatExceptionOfType(StoreException.class)
          .isThrownBy(() -> commit(Rows.step(id, 1, clock.instant())))
          .satisfies(fault -> assertThat(fault.kind()).isEqualTo(Kind.TRANSIENT));

      statement.execute("rollback");
    }
    assertThat(commit(Rows.step(id, 1, clock.instant()))).isEqualTo(Outcome.COMMITTED);
  }

  @Test
  void a_borrowed_connection_cannot_end_the_transaction() {
    assertThatIllegalStateException().isThrownBy(() -> store.inTransaction(c -> run(c::commit)));
    assertThatIllegalStateException().isThrownBy(() -> store.inTransaction(c -> run(c::rollback)));
    assertThatIllegalStateException()
        .isThrownBy(() -> store.inTransaction(c -> run(() -> c.setAutoCommit(true))));
    assertThat(store.<Boolean>inTransaction(Connection::getAutoCommit)).isFalse();

    assertThat(commit(Rows.step(id, 1, clock.instant()))).isEqualTo(Outcome.COMMITTED);
  }

  @Test
  void a_borrowed_connection_is_of_no_use_afterwards() throws Exception {
    Connection kept = store.inTransaction(connection -> connection);

    assertThat(kept.isClosed()).isTrue();
    kept.close();
    assertThatIllegalStateException().isThrownBy(kept::createStatement);
    assertThatIllegalStateException()
        .isThrownBy(() -> store.commitOn(kept, node, Rows.step(id, 1, clock.instant()).build()));
  }

  @Test
  void a_commit_inside_a_transaction_is_refused_instead_of_waiting_for_itself() {
    assertThatIllegalStateException()
        .isThrownBy(() -> store.inTransaction(c -> commit(Rows.step(id, 1, clock.instant()))))
        .withMessageContaining("inTransaction");

    assertThat(version()).isEqualTo(1);
  }

  @Test
  void a_closed_store_says_so() {
    store.close();

    assertThatIllegalStateException().isThrownBy(this::version).withMessageContaining("closed");
    assertThatIllegalStateException()
        .isThrownBy(() -> commit(Rows.step(id, 1, clock.instant())))
        .withMessageContaining("closed");
  }

  private interface Call {
    void run() throws Exception;
  }

  private static boolean run(Call call) throws Exception {
    call.run();
    return true;
  }

  // The limit belongs to the connection, which is thrown away after the error.
  private void fill(String pragma) {
    var unused = store.inTransaction(connection -> run(() -> execute(connection, pragma)));
  }

  private void execute(String sql) {
    var unused = store.inTransaction(connection -> run(() -> execute(connection, sql)));
  }

  private static void execute(Connection connection, String sql) throws Exception {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private Outcome commit(Rows rows) {
    return store.commit(node, List.of(rows.build())).get(0).outcome();
  }

  private long version() {
    return store.load(List.of(Load.of(id))).get(0).instance().version();
  }
}
