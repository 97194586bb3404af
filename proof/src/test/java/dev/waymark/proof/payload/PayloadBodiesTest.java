package dev.waymark.proof.payload;

import static dev.waymark.proof.payload.Contents.count;
import static dev.waymark.proof.payload.PayloadScenes.ANNA;
import static dev.waymark.proof.payload.PayloadScenes.DAY;
import static dev.waymark.proof.payload.PayloadScenes.FLOW;
import static dev.waymark.proof.payload.PayloadScenes.GONE;
import static dev.waymark.proof.payload.PayloadScenes.assertSound;
import static dev.waymark.proof.payload.PayloadScenes.bodies;
import static dev.waymark.proof.payload.PayloadScenes.put;
import static dev.waymark.proof.payload.PayloadScenes.tidy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.Json;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.bookmark.ClaimResult;
import dev.waymark.engine.payload.PayloadReference;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bodies, workers and expressions that make references. */
final class PayloadBodiesTest {

  private final VirtualClock clock = new VirtualClock();

  @ParameterizedTest
  @EnumSource
  void a_body_puts_a_content_and_another_one_reads_it(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, PayloadScenes::setUp)) {
      kit.deploy(
          """
          waymark: 1
          key: bodies
          start: scan
          activities:
            scan: { type: scan, output: { scan: "${ Output.scan }" }, next: join }
            join: { type: joining, output: { again: "${ Output.again }" }, next: read }
            read: { type: read, output: { text: "${ Output.text }" }, next: last }
            last: { type: wait }
          """);
      Run run = kit.start("bodies", Map.of());

      assertThat(run).isWaitingAt("last");
      assertThat(run.variables()).containsEntry("text", "from a body");
      assertThat(PayloadReference.of(run.variables().get("again"))).isPresent();
      kit.advance(DAY.multipliedBy(2));
      tidy(kit);
      assertThat(count(store, "wm_payload")).isEqualTo(1);
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_body_whose_result_names_nothing_has_failed(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, PayloadScenes::setUp)) {
      for (String type : List.of("forgetful", "telling", "joining-forgetful")) {
        kit.deploy(bodies(type));
        Fault fault = fault(kit.start("bodies", Map.of()));

        assertThat(fault.code()).isEqualTo(Fault.PAYLOAD_MISSING);
        assertThat(fault.retryable()).isTrue();
        assertThat(fault.message())
            .startsWith(type.equals("telling") ? "/events/0/scans/0: " : "/output/scan: ");
      }
      kit.deploy(bodies("careless"));
      Fault fault = fault(kit.start("bodies", Map.of()));

      assertThat(fault.code()).isEqualTo("BAD_RESULT");
      assertThat(fault.message()).contains("/output: Expected a reference");
      assertThat(count(store, "wm_payload_use")).isZero();
      assertSound(store);
    }
  }

  /** The fault of the first attempt that history tells of. */
  private static Fault fault(Run run) {
    Map<String, @Nullable Object> detail =
        run.history().stream()
            .filter(
                entry ->
                    entry.type() == HistoryEntry.Type.ACTIVITY_FAULTED
                        || entry.type() == HistoryEntry.Type.ACTIVITY_RETRY_SCHEDULED
                        || entry.type() == HistoryEntry.Type.ACTIVITY_PARKED)
            .findFirst()
            .orElseThrow()
            .detail();
    Object fault = Objects.requireNonNullElse(detail.get("fault"), detail);
    return Fault.fromDocument(Json.object(fault));
  }

  @ParameterizedTest
  @EnumSource
  void a_reference_that_an_expression_makes_up_is_data_like_any_other(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, PayloadScenes::setUp)) {
      kit.deploy(
          """
          waymark: 1
          key: flow
          start: make
          activities:
            make:
              type: set
              with:
                odd: { $payload: nothing }
                gone: { $payload: "sha256:%s", size: 4, mediaType: text/plain }
              next: last
            last: { type: wait }
          """
              .formatted("0".repeat(64)));

      assertThat(kit.start("flow", Map.of())).isWaitingAt("last");
      assertThat(count(store, "wm_payload_use")).isZero();
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void workers_and_holders_are_looked_at_as_well(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, PayloadScenes::setUp)) {
      kit.deploy(FLOW);
      PayloadReference real = put(kit, "real");
      Run run = kit.start("flow", Map.of());
      ClaimResult.Held held =
          kit.engine().bookmarks().claim(run.bookmark("ask").id(), DAY, ANNA).orThrow();

      assertThat(
              kit.engine()
                  .bookmarks()
                  .progress(held.bookmark().id(), held.lease(), Map.of("x", GONE), ANNA))
          .isInstanceOf(ClaimResult.Refused.class);
      assertThat(
              kit.engine()
                  .bookmarks()
                  .progress(held.bookmark().id(), held.lease(), Map.of("x", real), ANNA))
          .isInstanceOf(ClaimResult.Held.class);

      kit.start("flow", Map.of());
      int[] tries = {0};
      var worker =
          kit.engine()
              .worker(BookmarkKind.USER_ACTION)
              .handle(work -> Map.of("scan", tries[0]++ == 0 ? GONE : real));
      kit.advance(Duration.ofMinutes(10));
      worker.close();

      assertThat(tries[0]).isEqualTo(2);
      assertThat(kit.engine().instances().list(InstanceQuery.ALL, ANNA))
          .allSatisfy(instance -> assertThat(instance.status()).isEqualTo(Status.RUNNING));
      assertThat(count(store, "wm_payload_use")).isEqualTo(1);
      assertSound(store);
    }
  }
}
