package dev.waymark.proof.payload;

import static dev.waymark.proof.payload.Contents.change;
import static dev.waymark.proof.payload.Contents.count;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.waymark.core.Json;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Correction;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.Decision.Rejection.Code;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.Engine;
import dev.waymark.engine.EngineBuilder;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.Settings;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.bookmark.ClaimResult;
import dev.waymark.engine.bookmark.Housekeeping;
import dev.waymark.engine.message.Messages.Correlated;
import dev.waymark.engine.payload.PayloadReference;
import dev.waymark.engine.schedule.Schedule;
import dev.waymark.engine.store.Checker.Options;
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

/** Runs that hold references: what comes in is looked at, and what a run names is kept. */
final class PayloadReferencesTest {

  private static final Caller ANNA = Caller.of("anna");
  private static final Caller STRANGER = Caller.of(Actor.of("anna").in("another"));
  private static final Duration DAY = Settings.DEFAULT.unusedPayloads();
  private static final PayloadReference GONE =
      new PayloadReference("0".repeat(64), 4, "text/plain");

  private static final String FLOW =
      """
      waymark: 1
      key: flow
      start: ask
      activities:
        ask: { type: wait, with: { for: user-action, key: ask }, next: told }
        told:
          type: wait
          with: { for: external-message, key: told, correlate: "42" }
          next: last
        last: { type: wait }
      """;

  private static String bodies(String type) {
    return """
    waymark: 1
    key: bodies
    start: body
    activities:
      body: { type: %s, next: last }
      last: { type: wait }
    """
        .formatted(type);
  }

  private final VirtualClock clock = new VirtualClock();

  private static PayloadReference put(WorkflowTestKit kit, String content) {
    return kit.engine().payloads().put(content.getBytes(UTF_8), "text/plain", ANNA);
  }

  private static void assertSound(Store store) {
    assertThat(store.checker().check(Options.live().replayingAll())).isEmpty();
  }

  private static void tidy(WorkflowTestKit kit) {
    Housekeeping housekeeping = kit.engine().bookmarks().housekeeping();
    while (housekeeping.tidy().fills(housekeeping.retention().batch())) {
      // One bounded batch each time.
    }
  }

  private void setUp(EngineBuilder builder) {
    builder
        .activity(
            "scan",
            context ->
                ActivityResult.completed(
                    Map.of(
                        "scan",
                        context.payloads().put("from a body".getBytes(UTF_8), "text/plain"))))
        .activity(
            "read",
            context -> {
              PayloadReference scan =
                  PayloadReference.of(context.variables().get("scan")).orElseThrow();
              try (var content = context.payloads().open(scan)) {
                return ActivityResult.completed(
                    Map.of("text", new String(content.readAllBytes(), UTF_8)));
              }
            })
        .transactionalActivity(
            "joining",
            (context, connection) ->
                ActivityResult.completed(Map.of("again", context.variable("scan", Map.class))))
        .transactionalActivity(
            "joining-forgetful",
            (context, connection) -> ActivityResult.completed(Map.of("scan", GONE)))
        .activity("forgetful", context -> ActivityResult.completed(Map.of("scan", GONE)))
        .activity(
            "careless", context -> ActivityResult.completed(Map.of("$payload", "sha256:none")))
        .activity(
            "telling",
            context ->
                ActivityResult.completed().emitting("scanned", Map.of("scans", List.of(GONE))));
  }

  @ParameterizedTest
  @EnumSource
  void a_run_with_a_reference_goes_on_without_its_content(Stores stores) {
    Stores.Place place = stores.create();
    InstanceId id;
    PayloadReference scan;
    try (WorkflowTestKit kit = place.process(clock, this::setUp)) {
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
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, this::setUp)) {
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
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, this::setUp)) {
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
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, this::setUp)) {
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
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, this::setUp)) {
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
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, this::setUp)) {
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

  @ParameterizedTest
  @EnumSource
  void requests_with_references_that_name_nothing_are_refused(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, this::setUp)) {
      kit.deploy(FLOW);
      Engine engine = kit.engine();
      Run run = kit.start("flow", Map.of());
      PayloadReference real = put(kit, "real");
      PayloadReference longer = new PayloadReference(real.sha256(), 9, "text/plain");

      StartRequest start = StartRequest.of("flow").input(Map.of("a/b", List.of(real, GONE)));
      assertThat(refusal(engine.instances().start(start, ANNA)).message())
          .isEqualTo(
              "/a~1b/1: Expected payload sha256:%s of 4 bytes to be stored, but there is none: put it first, and it is kept while a run uses it"
                  .formatted("0".repeat(64)));
      assertThat(refusal(engine.instances().startAsync(start, ANNA).join()).code())
          .isEqualTo(Code.PAYLOAD_MISSING);
      assertThat(refusal(run.resume("ask", Map.of("scan", longer))).message())
          .contains("/scan: ", "of 9 bytes", "but it has 4 bytes");
      assertThat(
              refusal(
                      engine
                          .operations()
                          .edit(
                              run.id(),
                              new Correction.SetVariables(
                                  Map.of("x", GONE.toDocument()), List.of()),
                              "why",
                              ANNA))
                  .code())
          .isEqualTo(Code.PAYLOAD_MISSING);
      assertThat(refusal(engine.inTransaction(joined -> joined.start(start, ANNA))).code())
          .isEqualTo(Code.PAYLOAD_MISSING);
      assertRefused(
          () ->
              engine
                  .messages()
                  .correlate(Correlated.of("told", "42", Map.of("x", GONE), "shop", "1"), ANNA));
      assertRefused(
          () -> engine.messages().send(run.id(), "told", Map.of("x", GONE), "shop", "1", ANNA));
      assertRefused(() -> engine.messages().signal("s", Map.of("x", GONE), "shop", "1", ANNA));
      assertRefused(
          () ->
              engine.inTransaction(
                  joined -> joined.send(run.id(), "told", Map.of("x", GONE), "shop", "1", ANNA)));
      assertThat(run).isWaitingAt("ask");
      assertThat(count(store, "wm_inbox")).isZero();
      assertThat(count(store, "wm_payload_use")).isZero();
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void references_of_another_tenant_name_nothing(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, this::setUp)) {
      var unused = kit.engine().definitions().deploy(FLOW, STRANGER);
      StartRequest start = StartRequest.of("flow").input(Map.of("scan", put(kit, "ours")));

      assertThat(refusal(kit.engine().instances().start(start, STRANGER)).code())
          .isEqualTo(Code.PAYLOAD_MISSING);
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_is_no_whole_reference_is_refused_with_its_place(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, this::setUp)) {
      kit.deploy(FLOW);
      for (Map<String, Object> unfit :
          List.<Map<String, Object>>of(
              Map.of("$payload", 1),
              Map.of("$payload", "sha256:" + "0".repeat(64)),
              Map.of("$payload", "md5:" + "0".repeat(64), "size", 1, "mediaType", "a/b"),
              Map.of("$payload", "sha256:" + "0".repeat(64), "size", 1.5, "mediaType", "a/b"),
              Map.of(
                  "$payload", "sha256:" + "0".repeat(64), "size", 1, "mediaType", "a/b", "x", 1))) {
        Rejection refusal =
            refusal(
                kit.engine()
                    .instances()
                    .start(StartRequest.of("flow").input(Map.of("in", Map.of("it", unfit))), ANNA));

        assertThat(refusal.code()).isEqualTo(Code.BAD_INPUT);
        assertThat(refusal.message())
            .startsWith("/in/it: Expected a reference {\"$payload\": \"sha256:…\"");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_schedule_keeps_no_payloads(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, this::setUp)) {
      StartRequest start = StartRequest.of("flow").input(Map.of("scan", put(kit, "a scan")));

      assertThatIllegalArgumentException()
          .isThrownBy(() -> Schedule.every("daily", DAY, start))
          .withMessageContaining("let the run fetch its content");
    }
  }

  private static Rejection refusal(Answer answer) {
    return answer instanceof Answer.Refused refused
        ? refused.rejection()
        : Rejection.of(Code.WRONG_STATE, "not refused: " + answer);
  }

  private interface Sending {
    Object send();
  }

  private static void assertRefused(Sending sending) {
    assertThatExceptionOfType(CommandRefused.class)
        .isThrownBy(sending::send)
        .satisfies(e -> assertThat(e.rejection().code()).isEqualTo(Code.PAYLOAD_MISSING));
  }

  @ParameterizedTest
  @EnumSource
  void a_body_puts_a_content_and_another_one_reads_it(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, this::setUp)) {
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
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, this::setUp)) {
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
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, this::setUp)) {
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
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, this::setUp)) {
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
