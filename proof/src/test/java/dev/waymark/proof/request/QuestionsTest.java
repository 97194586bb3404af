package dev.waymark.proof.request;

import static dev.waymark.proof.support.SmallFlow.ALICE;
import static dev.waymark.proof.support.SmallFlow.definition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.StateAt;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.WorkflowTestKit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What can be asked about instances: which there are, how they are and how they were. */
final class QuestionsTest {

  @Test
  void instances_are_found_by_label_status_and_key() {
    try (var kit = WorkflowTestKit.with(b -> {})) {
      kit.deploy(
          """
          waymark: 1
          key: flow
          labels: { size: "${ Variables.amount > 100 ? 'big' : 'small' }" }
          start: ask
          activities:
            ask: { type: wait, next: end }
            end: { type: end }
          """);
      Run big = kit.start(StartRequest.of("flow").input(Map.of("amount", 500)).label("team", "x"));
      Run small = kit.start(StartRequest.of("flow").input(Map.of("amount", 5)).correlationId("c"));
      small.resume("ask", Map.of("amount", 1000));

      assertThat(ids(kit, InstanceQuery.ALL)).containsExactly(small.id(), big.id());
      assertThat(ids(kit, InstanceQuery.ALL.withLabel("size", "big")))
          .containsExactly(small.id(), big.id());
      assertThat(ids(kit, InstanceQuery.ALL.withLabel("size", "big").withLabel("team", "x")))
          .containsExactly(big.id());
      assertThat(ids(kit, InstanceQuery.ALL.withStatus(Status.COMPLETED)))
          .containsExactly(small.id());
      assertThat(ids(kit, InstanceQuery.ALL.withCorrelationId("c"))).containsExactly(small.id());
      assertThat(ids(kit, InstanceQuery.ALL.page(small.id(), 10))).containsExactly(big.id());
    }
  }

  @Test
  void labels_that_a_start_brings_are_found_without_any_of_the_definition() {
    try (var kit = WorkflowTestKit.with(b -> {})) {
      kit.deploy(definition("ask", "  ask: { type: wait, next: end }\n  end: { type: end }\n"));
      Run run = kit.start(StartRequest.of("flow").label("team", "x"));

      assertThat(ids(kit, InstanceQuery.ALL.withLabel("team", "x"))).containsExactly(run.id());
    }
  }

  private static List<dev.waymark.core.instance.InstanceId> ids(
      WorkflowTestKit kit, InstanceQuery query) {
    return kit.engine().instances().list(query, ALICE).stream().map(i -> i.id()).toList();
  }

  @Test
  void the_state_at_any_version_can_be_rebuilt() {
    try (var kit =
        WorkflowTestKit.with(
            b ->
                b.activity(
                    "count",
                    c ->
                        ActivityResult.completed(
                            Map.of("n", c.variable("n", Integer.class) + 1))))) {
      kit.deploy(
          """
          waymark: 1
          key: flow
          maxVisits: 1000
          start: count
          activities:
            count: { type: count, next: [{ when: "Variables.n < 250", to: count }, { to: ask }] }
            ask: { type: wait, next: end }
            end: { type: end }
          """);
      Run run = kit.start("flow", Map.of("n", 0));

      for (long version : List.of(1L, 2L, 99L, 100L, 101L, 200L, 250L)) {
        StateAt then = kit.engine().instances().stateAt(run.id(), version, ALICE).orElseThrow();
        assertThat(then.variables()).containsEntry("n", version - 1);
        assertThat(then.activities()).hasSize(1);
      }
      StateAt last = kit.engine().instances().stateAt(run.id(), 251, ALICE).orElseThrow();
      assertThat(last.bookmarks()).hasSize(1);
      assertThat(last.status()).isEqualTo("RUNNING");
    }
  }

  @Test
  void history_says_who_did_what_and_how_long_it_took() {
    try (var kit =
        WorkflowTestKit.with(
            b -> b.activity("work", c -> ActivityResult.completed(Map.of("x", 1))))) {
      kit.deploy(
          definition(
              "work",
              """
                work: { type: work, next: ask }
                ask: { type: wait, next: end }
                end: { type: end }
              """));
      Run run = kit.start("flow", Map.of());
      run.as("bob").resume("ask", Map.of("ok", true));

      assertThat(run.history())
          .extracting(HistoryEntry::type)
          .containsExactly(
              HistoryEntry.Type.INSTANCE_STARTED,
              HistoryEntry.Type.ACTIVITY_COMPLETED,
              HistoryEntry.Type.ACTIVITY_WAITING,
              HistoryEntry.Type.BOOKMARK_CONSUMED,
              HistoryEntry.Type.ACTIVITY_COMPLETED,
              HistoryEntry.Type.ACTIVITY_COMPLETED,
              HistoryEntry.Type.INSTANCE_COMPLETED);
      HistoryEntry click = run.history().get(3);
      assertThat(click.actor()).isEqualTo("bob");
      assertThat(click.detail()).containsEntry("payload", Map.of("ok", true));
      assertThat(run.history().get(1).duration()).isNotNull();
    }
  }
}
