package dev.waymark.proof.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Correction;
import dev.waymark.engine.Caller;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.store.Checker.Options;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A step that changes little of large variables writes its change alone, and nothing is lost. */
final class LargeVariablesTest {

  private static final Caller ALICE = Caller.of("alice");

  private static final String LOOP =
      """
      waymark: 1
      key: loop
      start: ask
      activities:
        ask: { type: wait, next: [{ when: "has(Output.stop)", to: end }, { to: ask }] }
        end: { type: end }
      """;

  private final VirtualClock clock = new VirtualClock();

  @ParameterizedTest
  @CsvSource({"POSTGRES, 10000", "POSTGRES, 100000", "SQLITE, 10000", "SQLITE, 100000"})
  void each_process_reads_what_others_have_changed(Stores stores, int characters) {
    Stores.Place place = stores.create();
    Map<String, @Nullable Object> expected = document(characters);
    Map<Long, Map<String, @Nullable Object>> states = new LinkedHashMap<>();
    InstanceId id;
    try (WorkflowTestKit kit = place.process(clock, builder -> {})) {
      kit.deploy(LOOP);
      id = start(kit, "one", expected).id();
    }
    List<Long> written = new ArrayList<>();
    for (int process = 0; process < 15; process++) {
      try (WorkflowTestKit kit = place.process(clock, builder -> {})) {
        Run run = kit.run(id);
        assertThat(run.variables()).isEqualTo(expected);
        for (int n = 0; n < 10; n++) {
          Map<String, @Nullable Object> change = change(10 * process + n);
          run.resume("ask", change);
          expected.putAll(change);
          states.put(run.instance().version(), copy(expected));
          written.add(run.instance().version() - writtenAt(kit, "one"));
        }
        remove(kit, id, "removed");
        expected.remove("removed");
        assertThat(run.variables()).isEqualTo(expected);
      }
    }
    assertThat(written).allMatch(behind -> behind < Limits.PATCHES);
    assertThat(written).filteredOn(behind -> behind > 0).hasSizeGreaterThan(100);
    try (WorkflowTestKit kit = place.process(clock, builder -> {})) {
      states.forEach(
          (version, state) ->
              assertThat(
                      kit.engine()
                          .instances()
                          .stateAt(id, version, ALICE)
                          .orElseThrow()
                          .variables())
                  .as("at version %d", version)
                  .isEqualTo(state));
      kit.run(id).resume("ask", Map.of("stop", true));
      assertThat(kit.run(id)).isCompleted().hasVariable("n", 149L);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_short_document_a_huge_one_and_a_large_change_are_written_whole(Stores stores) {
    try (WorkflowTestKit kit = stores.create().process(clock, builder -> {})) {
      kit.deploy(LOOP);
      Run small = start(kit, "small", document(Limits.PATCHED_FROM / 2));
      Run huge = start(kit, "huge", document(Limits.PATCHED_UP_TO + 20_000));
      Run large = start(kit, "large", document(20_000));

      small.resume("ask", Map.of("n", 1));
      huge.resume("ask", Map.of("n", 1));
      large.resume("ask", Map.of("n", 1));
      assertThat(writtenAt(kit, "small")).isEqualTo(small.instance().version());
      assertThat(writtenAt(kit, "huge")).isEqualTo(huge.instance().version());
      assertThat(writtenAt(kit, "large")).isEqualTo(1);

      large.resume("ask", Map.of("text", "x".repeat(Limits.PATCH_CHARS)));
      assertThat(writtenAt(kit, "large")).isEqualTo(large.instance().version());
    }
  }

  @ParameterizedTest
  @EnumSource
  void the_checker_finds_changes_that_no_load_would_apply(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(LOOP);
      start(kit, "one", document(20_000)).resume("ask", Map.of("n", 1));
      assertThat(store.checker().check(Options.live().replayingAll())).isEmpty();

      forgetWrittenAt(kit);

      assertThat(store.checker().check(Options.live().replayingAll())).isNotEmpty();
    }
  }

  /** Expressions see the order of keys: it must not hang on who decides the next step. */
  @ParameterizedTest
  @CsvSource({"POSTGRES, 100", "POSTGRES, 20000", "SQLITE, 100", "SQLITE, 20000"})
  void keys_keep_the_order_in_which_the_last_step_wrote_them(Stores stores, int characters) {
    Stores.Place place = stores.create();
    InstanceId id;
    try (WorkflowTestKit kit = place.process(clock, builder -> {})) {
      kit.deploy(LOOP);
      Run run = start(kit, "one", document(characters));
      id = run.id();
      run.resume("ask", Map.of("m", object("b", "a", "d")));
      run.resume("ask", Map.of("m", object("c", "a", "b")));
      assertThat(keys(run.variables())).containsExactly("c", "a", "b");
      run.resume("ask", Map.of("m", object("b", "a", "c")));
    }
    try (WorkflowTestKit kit = place.process(clock, builder -> {})) {
      assertThat(keys(kit.run(id).variables())).containsExactly("b", "a", "c");
      long version = kit.run(id).instance().version();
      assertThat(
              keys(kit.engine().instances().stateAt(id, version, ALICE).orElseThrow().variables()))
          .containsExactly("b", "a", "c");
    }
  }

  private static Map<String, Object> object(String... keys) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (String key : keys) {
      object.put(key, (long) key.charAt(0));
    }
    return object;
  }

  private static Set<String> keys(Map<String, @Nullable Object> variables) {
    return Json.object(variables.get("m")).keySet();
  }

  /** A load copies an object with many keys once, not for each of its changes. */
  @ParameterizedTest
  @EnumSource
  @Timeout(20)
  void many_changes_of_an_object_with_many_keys_are_read_quickly(Stores stores) {
    Stores.Place place = stores.create();
    InstanceId id;
    Map<String, @Nullable Object> wide = new LinkedHashMap<>();
    for (int i = 0; i < 10_000; i++) {
      wide.put("k" + i, (long) i % 10);
    }
    try (WorkflowTestKit kit = place.process(clock, builder -> {})) {
      kit.deploy(LOOP);
      Run run = start(kit, "one", wide);
      id = run.id();
      for (int step = 0; step < Limits.PATCHES - 2; step++) {
        Map<String, @Nullable Object> changes = new LinkedHashMap<>();
        for (int i = 0; i < 25; i++) {
          changes.put("k" + (100 * step + i), -1L);
        }
        run.resume("ask", changes);
        wide.putAll(changes);
      }
      assertThat(writtenAt(kit, "one")).isEqualTo(1);
    }
    try (WorkflowTestKit kit = place.process(clock, builder -> {})) {
      for (int i = 0; i < 20; i++) {
        assertThat(kit.run(id).variables()).hasSize(wide.size());
      }
      assertThat(kit.run(id).variables()).isEqualTo(wide);
    }
  }

  @ParameterizedTest
  @EnumSource
  void steps_that_leave_the_variables_alone_make_no_load_longer(Stores stores) {
    try (WorkflowTestKit kit = stores.create().process(clock, builder -> {})) {
      kit.deploy(LOOP);
      Run run = start(kit, "one", document(100_000));
      run.resume("ask", Map.of("n", 1));
      assertThat(writtenAt(kit, "one")).isEqualTo(1);
      long most = 0;
      for (int i = 0; i < 2 * Limits.PATCHES; i++) {
        run.resume("ask", Map.of());
        most = Math.max(most, run.instance().version() - writtenAt(kit, "one"));
      }
      assertThat(most).isPositive().isLessThan(Limits.PATCHES);
    }
  }

  /** About as many characters of lines, and some of everything else that JSON knows. */
  private static Map<String, @Nullable Object> document(int characters) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < characters / 100; i++) {
      lines.add("line %05d ~/%s".formatted(i, "x".repeat(83)));
    }
    Map<String, @Nullable Object> document = new LinkedHashMap<>();
    document.put("lines", lines);
    document.put("removed", "at once");
    return document;
  }

  /** Numbers, nulls, lists that grow and shrink, and members that come and go. */
  private static Map<String, @Nullable Object> change(int n) {
    Map<String, @Nullable Object> change = new LinkedHashMap<>();
    change.put("n", (long) n);
    change.put("maybe", n % 3 == 0 ? null : "ä\"\\ " + n);
    change.put("list", Collections.nCopies(n % 5, Map.of("of", (long) n % 2)));
    change.put("object", Map.of("a/b~c" + n % 4, Map.of("deep", List.of(true, (long) n))));
    if (n % 10 == 4) {
      change.put("removed", "later");
    }
    return change;
  }

  private static Map<String, @Nullable Object> copy(Map<String, @Nullable Object> state) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(state));
  }

  private static void remove(WorkflowTestKit kit, InstanceId id, String variable) {
    kit.engine()
        .operations()
        .edit(id, new Correction.SetVariables(Map.of(), List.of(variable)), "not needed", ALICE)
        .orThrow();
  }

  private static Run start(WorkflowTestKit kit, String key, Map<String, @Nullable Object> input) {
    return kit.start(StartRequest.of("loop").businessKey(key).input(input));
  }

  private static void forgetWrittenAt(WorkflowTestKit kit) {
    int rows =
        kit.engine()
            .inTransaction(
                tx -> {
                  try (Statement statement = tx.connection().createStatement()) {
                    return statement.executeUpdate(
                        "update wm_instance set variables_at = null where variables_at = 1");
                  }
                });
    assertThat(rows).isOne();
  }

  /** The version of the document in the row of the instance with that key. */
  private static long writtenAt(WorkflowTestKit kit, String key) {
    return kit.engine()
        .inTransaction(
            tx -> {
              try (PreparedStatement question =
                  tx.connection()
                      .prepareStatement(
                          "select coalesce(variables_at, version) from wm_instance"
                              + " where business_key = ?")) {
                question.setString(1, key);
                try (ResultSet row = question.executeQuery()) {
                  row.next();
                  return row.getLong(1);
                }
              }
            });
  }
}
