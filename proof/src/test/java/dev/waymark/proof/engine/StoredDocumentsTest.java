package dev.waymark.proof.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.Json;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.engine.Caller;
import dev.waymark.engine.EngineBuilder;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.bookmark.Bookmarks;
import dev.waymark.engine.bookmark.ClaimResult;
import dev.waymark.engine.message.Messages.Correlated;
import dev.waymark.engine.schedule.Schedule;
import dev.waymark.engine.spi.DocumentCodec;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an application's codec sees: every document that people or programs have written. */
final class StoredDocumentsTest {

  private static final Caller ALICE = Caller.of("alice");
  private static final Duration LEASE = Duration.ofMinutes(5);

  /** The columns that hold documents. Every one of them is filled below. */
  private static final Set<String> DOCUMENTS =
      new TreeSet<>(
          Set.of(
              "wm_instance.variables",
              "wm_instance.extra",
              "wm_activity_instance.data",
              "wm_activity_instance.fault",
              "wm_bookmark.payload",
              "wm_bookmark.terms",
              "wm_bookmark.progress",
              "wm_bookmark_archive.payload",
              "wm_bookmark_archive.terms",
              "wm_bookmark_archive.progress",
              "wm_history.changes",
              "wm_history.detail",
              "wm_history.snapshot",
              "wm_outbox.data",
              "wm_outbox.error",
              "wm_inbox.payload",
              "wm_schedule.spec",
              "wm_schedule.state"));

  private static final String FLOW =
      """
      waymark: 1
      key: flow
      start: work
      activities:
        work: { type: work, with: { x: "${ Variables.secret }" }, next: ask }
        ask:
          type: user-task
          with: { candidates: [anna], title: "${ Variables.secret }", data: { note: "${ Variables.secret }" } }
          next: [{ when: "has(Output.again)", to: ask }, { to: end }]
        end: { type: end }
      """;

  private static final String FAILING =
      """
      waymark: 1
      key: failing
      start: fail
      activities:
        fail: { type: fail, retry: { attempts: 3, backoff: PT10M } }
      """;

  private static final Caller ANNA = Caller.of("anna");

  private final VirtualClock clock = new VirtualClock();

  /** Hides a document well enough for a test to notice where it was forgotten. */
  private static final DocumentCodec HIDING =
      new DocumentCodec() {
        @Override
        public String encode(String document) {
          return Base64.getEncoder().encodeToString(document.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String decode(String stored) {
          return new String(Base64.getDecoder().decode(stored), StandardCharsets.UTF_8);
        }
      };

  private static void setUp(EngineBuilder builder) {
    builder
        .codec(HIDING)
        .subscribe(
            "all",
            type -> true,
            event -> {
              throw new IllegalStateException("canary in a listener's words");
            })
        .activity("work", context -> ActivityResult.completed(Map.of("out", "canary")))
        .activity(
            "fail",
            context -> {
              throw new IllegalStateException("canary in an error");
            });
  }

  @ParameterizedTest
  @EnumSource
  void every_stored_document_passes_the_codec(Stores stores) {
    try (WorkflowTestKit kit = stores.create().process(clock, StoredDocumentsTest::setUp)) {
      kit.deploy(FLOW);
      kit.deploy(FAILING);
      Run run = fill(kit);

      List<String> columns = kit.engine().inTransaction(tx -> textColumns(tx.connection()));
      assertThat(columns).containsAll(DOCUMENTS);
      for (String column : columns) {
        List<String> values = kit.engine().inTransaction(tx -> values(tx.connection(), column));
        assertThat(values).as(column).noneMatch(value -> value.contains("canary"));
        if (DOCUMENTS.contains(column)) {
          assertThat(values).as(column).isNotEmpty();
          assertThat(values.stream().map(HIDING::decode).map(Json::read)).as(column).isNotEmpty();
        }
      }

      assertThat(run).hasVariable("secret", "canary").hasVariable("out", "canary");
      assertThat(kit.engine().instances().stateAt(run.id(), 2, ALICE).orElseThrow().variables())
          .containsEntry("secret", "canary");
    }
  }

  /** Writes at least one row with each document; the run that is given back is held. */
  private static Run fill(WorkflowTestKit kit) {
    Bookmarks bookmarks = kit.engine().bookmarks();
    Run run = kit.start("flow", Map.of("secret", "canary"));
    kit.engine().tasks().comment(run.bookmark("ask").id(), "canary in a comment", ANNA).orThrow();
    // Every hundredth version has a copy of the whole state.
    for (int i = 0; run.instance().version() < 110; i++) {
      progress(bookmarks, run);
      run.as("anna").resume("ask", Map.of("again", true, "answer", "canary " + i));
    }
    kit.advance(Duration.ofMinutes(1));
    assertThat(bookmarks.housekeeping().archive(Bookmark.End.CONSUMED, kit.clock().instant(), 10))
        .isEqualTo(10);
    progress(bookmarks, run);
    kit.engine().tasks().comment(run.bookmark("ask").id(), "canary in a comment", ANNA).orThrow();
    kit.start("failing", Map.of());
    kit.engine().messages().send(run.id(), "later", Map.of("m", "canary"), "s", "1", ALICE);
    kit.engine()
        .schedules()
        .put(
            Schedule.every(
                "nightly",
                Duration.ofDays(1),
                StartRequest.of("failing").input(Map.of("secret", "canary"))),
            ALICE);
    run.suspend("canary in a reason");
    return run;
  }

  private static void progress(Bookmarks bookmarks, Run run) {
    var id = run.bookmark("ask").id();
    ClaimResult.Held held = (ClaimResult.Held) bookmarks.claim(id, LEASE, ANNA);
    assertThat(bookmarks.progress(id, held.lease(), Map.of("done", "canary"), ANNA))
        .isInstanceOf(ClaimResult.Held.class);
  }

  private static List<String> textColumns(Connection connection) throws SQLException {
    List<String> columns = new ArrayList<>();
    try (ResultSet rows = connection.getMetaData().getColumns(null, null, "wm\\_%", "%")) {
      while (rows.next()) {
        if (rows.getString("TYPE_NAME").equalsIgnoreCase("text")) {
          columns.add(rows.getString("TABLE_NAME") + "." + rows.getString("COLUMN_NAME"));
        }
      }
    }
    return columns;
  }

  private static List<String> values(Connection connection, String column) throws SQLException {
    String table = column.substring(0, column.indexOf('.'));
    List<String> values = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "select %s from %s where %s is not null".formatted(column, table, column))) {
      while (rows.next()) {
        values.add(rows.getString(1));
      }
    }
    return values;
  }

  @ParameterizedTest
  @EnumSource
  void a_codec_that_gives_nothing_is_told_so_and_nothing_is_stored(Stores stores) {
    VirtualClock clock = new VirtualClock();
    DocumentCodec empty =
        new DocumentCodec() {
          @Override
          @SuppressWarnings("NullAway") // What an application must not do.
          public String encode(String document) {
            return null;
          }

          @Override
          public String decode(String stored) {
            return stored;
          }
        };
    try (WorkflowTestKit kit =
        WorkflowTestKit.on(stores.create().open(clock), clock, builder -> builder.codec(empty))) {
      Caller anna = Caller.of("anna");
      Correlated message = Correlated.of("paid", "k", Map.of("amount", 1), "bank", "m-1");

      assertThatThrownBy(() -> kit.engine().messages().correlate(message, anna))
          .hasStackTraceContaining("encode to give a text, but got null");
      assertThat(kit.engine().messages().unmatched(null, 10, anna)).isEmpty();
    }
  }
}
