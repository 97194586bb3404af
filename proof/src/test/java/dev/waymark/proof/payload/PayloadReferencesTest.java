package dev.waymark.proof.payload;

import static dev.waymark.proof.payload.Contents.change;
import static dev.waymark.proof.payload.Contents.count;
import static dev.waymark.proof.payload.PayloadScenes.ANNA;
import static dev.waymark.proof.payload.PayloadScenes.DAY;
import static dev.waymark.proof.payload.PayloadScenes.FLOW;
import static dev.waymark.proof.payload.PayloadScenes.assertSound;
import static dev.waymark.proof.payload.PayloadScenes.put;
import static dev.waymark.proof.payload.PayloadScenes.tidy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Correction;
import dev.waymark.engine.Engine;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.message.Messages.Correlated;
import dev.waymark.engine.payload.PayloadReference;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs, messages and children that hold references: what a run names is kept. */
final class PayloadReferencesTest {

  private final VirtualClock clock = new VirtualClock();

  @ParameterizedTest
  @EnumSource
  void a_run_with_a_reference_goes_on_without_its_content(Stores stores) {
    Stores.Place place = stores.create();
    InstanceId id;
    PayloadReference scan;
    try (WorkflowTestKit kit = place.process(clock, PayloadScenes::setUp)) {
      kit.deploy(FLOW);
      scan = put(kit, "a scan");
      id =
          kit.start(
                  StartRequest.of("flow")
                      .input(Map.of("files", List.of(Map.of("scan", scan))))
                      .label("kind", "scan"))
              .id();
    }
    Store store = place.open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, PayloadScenes::setUp)) {
      change(store, "alter table wm_payload_part rename to wm_not_here");
      Engine engine = kit.engine();
      Run run = kit.run(id);

      assertThat(engine.instances().list(InstanceQuery.ALL, ANNA)).hasSize(1);
      assertThat(engine.instances().find(id, ANNA)).isPresent();
      assertThat(engine.instances().explain(id, ANNA)).isPresent();
      run.resume("ask", Map.of("copy", scan));
      assertThat(run).isWaitingAt("told");
      assertThat(PayloadReference.of(run.variables().get("copy"))).contains(scan);
      assertThat(engine.instances().history(id, 1, 100, ANNA)).isNotEmpty();
      assertThat(engine.instances().stateAt(id, 1, ANNA)).isPresent();
      assertThat(engine.payloads().find(scan, ANNA)).isPresent();
      assertThat(count(store, "wm_payload_use")).isEqualTo(1);

      change(store, "alter table wm_not_here rename to wm_payload_part");
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_a_run_names_is_kept_and_the_rest_goes(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, PayloadScenes::setUp)) {
      kit.deploy(FLOW);
      PayloadReference unused = put(kit, "unused");
      PayloadReference started = put(kit, "started");
      PayloadReference answered = put(kit, "answered");
      PayloadReference told = put(kit, "told");
      PayloadReference corrected = put(kit, "corrected");
      Run run = kit.start("flow", Map.of("started", started));
      run.resume("ask", Map.of("answered", answered));
      // It takes the place of another one, which history still names.
      kit.engine()
          .operations()
          .edit(
              run.id(),
              new Correction.SetVariables(Map.of("answered", corrected.toDocument()), List.of()),
              "why",
              ANNA)
          .orThrow();
      kit.engine()
          .messages()
          .correlate(Correlated.of("told", "42", Map.of("told", told), "shop", "1"), ANNA);
      kit.runUntilIdle();
      assertThat(run).isWaitingAt("last");

      for (int day = 0; day < 20; day++) {
        kit.advance(DAY);
        tidy(kit);
      }

      assertThat(kit.engine().payloads().find(unused, ANNA)).isEmpty();
      for (PayloadReference used : List.of(started, answered, told, corrected)) {
        assertThat(kit.engine().payloads().find(used, ANNA)).isPresent();
      }
      assertThat(count(store, "wm_payload_use")).isEqualTo(4);
      assertThat(count(store, "wm_payload_part")).isEqualTo(4);
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_joined_start_uses_its_payloads_if_it_is_committed(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, PayloadScenes::setUp)) {
      kit.deploy(FLOW);
      Engine engine = kit.engine();
      StartRequest start = StartRequest.of("flow").input(Map.of("scan", put(kit, "a scan")));

      InstanceId run =
          engine.inTransaction(
              joined -> {
                joined.correlate(Correlated.of("told", "42", start.input(), "shop", "1"), ANNA);
                return joined.start(start, ANNA).orThrow();
              });
      kit.runUntilIdle();

      assertThat(kit.run(run)).isWaitingAt("ask");
      assertThat(count(store, "wm_payload_use")).isEqualTo(1);
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_message_keeps_its_payloads_while_it_waits(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, PayloadScenes::setUp)) {
      kit.deploy(FLOW);
      PayloadReference told = put(kit, "told");
      kit.engine()
          .messages()
          .correlate(Correlated.of("told", "42", Map.of("told", told), "shop", "1"), ANNA);

      kit.advance(Duration.ofDays(29));
      tidy(kit);
      Run run = kit.start("flow", Map.of());
      run.resume("ask", Map.of());

      assertThat(run).isWaitingAt("last");
      assertThat(kit.engine().payloads().find(told, ANNA)).isPresent();
      assertThat(count(store, "wm_payload_use")).isEqualTo(1);
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_child_uses_what_its_parent_gives_it(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, PayloadScenes::setUp)) {
      kit.deploy(FLOW);
      kit.deploy(
          """
          waymark: 1
          key: parent
          start: child
          activities:
            child: { type: sub-workflow, with: { definition: flow, input: { scan: "${ Variables.scan }" } } }
          """);
      kit.start("parent", Map.of("scan", put(kit, "a scan")));

      assertThat(count(store, "wm_payload_use")).isEqualTo(2);
      assertSound(store);
    }
  }
}
