package dev.waymark.proof.request;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.step.MigrationPlan;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.MigrationRequest;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.bookmark.ClaimRequest;
import dev.waymark.engine.query.InboxPlace;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Questions with names that no row can have. They are refused at the door, in the same words on
 * both databases and never in those of a server.
 */
final class UnstorableNamesTest {

  private static final Caller ADMIN =
      Caller.of(new Actor("admin", "default", Set.of(), Set.of("workflow-admin")));

  /** The words of the refusal, by the name that it refuses. */
  private static final Map<String, String> NAMES =
      Map.of(
          "a\u0000b",
          "Expected .+ without NUL, but got one at position 1",
          "x\ud800y",
          "Expected .+ in well-formed Unicode, but got a lone surrogate U\\+D800 at position 1",
          "",
          "Expected .+, but got an empty text",
          "n".repeat(100_000),
          "Expected .+ of at most 512 bytes, but got 100000 characters starting with 'n{40}…'");

  private static Map<String, BiConsumer<Engine, String>> questions() {
    Map<String, BiConsumer<Engine, String>> asked = new LinkedHashMap<>();
    asked.put("start", (e, name) -> e.instances().start(StartRequest.of(name), ADMIN));
    asked.put(
        "start of a version", (e, n) -> e.instances().start(StartRequest.of(n).version(1), ADMIN));
    asked.put(
        "startAsync",
        (e, name) -> {
          var unused = e.instances().startAsync(StartRequest.of(name), ADMIN);
        });
    asked.put("activate", (e, name) -> e.definitions().activate(name, 1, ADMIN));
    asked.put("retire", (e, name) -> e.definitions().retire(name, 1, ADMIN));
    asked.put("versions", (e, name) -> e.definitions().versions(name, ADMIN));
    asked.put("definition", (e, name) -> e.definitions().find(name, null, ADMIN));
    asked.put("definition of a version", (e, name) -> e.definitions().find(name, 1, ADMIN));
    asked.put("checkMigration", (e, name) -> e.operations().checkMigration(migration(name), ADMIN));
    asked.put("migrate", (e, name) -> e.operations().migrate(migration(name), ADMIN));
    InstanceQuery all = InstanceQuery.ALL;
    asked.put(
        "list by definition", (e, name) -> e.instances().list(all.withDefinition(name), ADMIN));
    asked.put("list by key", (e, name) -> e.instances().list(all.withBusinessKey(name), ADMIN));
    asked.put(
        "list by correlation", (e, name) -> e.instances().list(all.withCorrelationId(name), ADMIN));
    asked.put("list by label", (e, name) -> e.instances().list(all.withLabel(name, "v"), ADMIN));
    asked.put(
        "list by label's value", (e, name) -> e.instances().list(all.withLabel("l", name), ADMIN));
    asked.put("list by activity", (e, name) -> e.instances().list(all.parkedAt(name), ADMIN));
    asked.put("list by error", (e, name) -> e.instances().list(all.parkedWith(name), ADMIN));
    asked.put("schedule", (e, name) -> e.schedules().find(name, ADMIN));
    asked.put("schedules after", (e, name) -> e.schedules().list(name, 10, ADMIN));
    asked.put("trigger", (e, name) -> e.schedules().trigger(name, ADMIN));
    asked.put("pause", (e, name) -> e.schedules().pause(name, ADMIN));
    asked.put("resume", (e, name) -> e.schedules().resume(name, ADMIN));
    asked.put("delete", (e, name) -> e.schedules().delete(name, ADMIN));
    asked.put("backfill", (e, n) -> e.schedules().backfill(n, Instant.EPOCH, Instant.EPOCH, ADMIN));
    asked.put("inbox of a group", (e, name) -> e.tasks().inbox(10, inGroup(name)));
    asked.put("tasks of a user", (e, name) -> e.tasks().of(name, InboxPlace.START, 10, ADMIN));
    ClaimRequest claim = ClaimRequest.lasting(Duration.ofMinutes(1));
    asked.put("claim of groups", (e, n) -> e.bookmarks().claim(claim.ofGroups(Set.of(n)), ADMIN));
    asked.put("claim assigned", (e, n) -> e.bookmarks().claim(claim.assignedTo(n), ADMIN));
    asked.put("waits by key", (e, name) -> e.bookmarks().look().byKey(name, ADMIN));
    asked.put("waits by correlation", (e, name) -> e.bookmarks().look().byCorrelation(name, ADMIN));
    return asked;
  }

  private static MigrationRequest migration(String key) {
    return new MigrationRequest(key, 1, 2, MigrationPlan.PLAIN);
  }

  private static Caller inGroup(String group) {
    return Caller.of(new Actor("anna", "default", Set.of(group), Set.of()));
  }

  @ParameterizedTest
  @EnumSource
  void they_are_refused_in_bounded_words_of_our_own(Stores stores) {
    VirtualClock clock = new VirtualClock();
    try (WorkflowTestKit kit =
        WorkflowTestKit.on(stores.create().open(clock), clock, builder -> {})) {
      questions()
          .forEach(
              (question, ask) ->
                  NAMES.forEach(
                      (name, words) ->
                          assertThatIllegalArgumentException()
                              .as("%s, %s", question, words)
                              .isThrownBy(() -> ask.accept(kit.engine(), name))
                              .withMessageMatching(words)));
    }
  }
}
