package dev.waymark.proof.request;

import static dev.waymark.proof.message.ChildrenTest.assertSound;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.callback.CallbackRefused;
import dev.waymark.engine.callback.Secret;
import dev.waymark.engine.callback.Token;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Values come in well formed or not at all, by every door and on both databases alike. */
final class WellFormedTest {

  private static final Caller ALICE = Caller.of("alice");
  private static final String LONE = "x\ud800y";
  private static final String NUL = "a\u0000b";

  private static final String FLOW =
      """
      waymark: 1
      key: flow
      start: work
      activities:
        work: { type: work, retry: { attempts: 1 }, next: hook }
        hook: { type: wait, with: { for: webhook, key: partner }, output: { answer: "${ Output }" }, next: last }
        last: { type: set, with: { seen: "${ Variables.text + '!' }" } }
      """;

  private final VirtualClock clock = new VirtualClock();
  private @Nullable Object result = 1;

  private WorkflowTestKit kit(Store store) {
    WorkflowTestKit kit =
        WorkflowTestKit.on(
            store,
            clock,
            builder ->
                builder
                    .callbackSecrets(Secret.of("s", new byte[32]))
                    .activity("work", c -> ActivityResult.completed(Map.of("result", result))));
    kit.deploy(FLOW);
    return kit;
  }

  private static InstanceId start(WorkflowTestKit kit, Map<String, Object> input) {
    InstanceId id =
        kit.engine().instances().start(StartRequest.of("flow").input(input), ALICE).orThrow();
    kit.runUntilIdle();
    return id;
  }

  private static Instance find(WorkflowTestKit kit, InstanceId id) {
    kit.runUntilIdle();
    return kit.engine().instances().find(id, ALICE).orElseThrow();
  }

  private static boolean callBack(WorkflowTestKit kit, InstanceId id, byte[] body) {
    var callbacks = kit.engine().callbacks();
    String token = callbacks.seal(new Token("default", id, "partner", true, null));
    return callbacks.receive(token, body, Map.of());
  }

  @ParameterizedTest
  @EnumSource
  void a_nul_in_texts_and_keys_is_kept_and_read_again_alike(Stores stores) {
    Store store = stores.create().open(clock);
    result = Map.of(NUL, NUL);
    try (WorkflowTestKit kit = kit(store)) {
      InstanceId id = start(kit, Map.of("text", NUL));

      assertThat(callBack(kit, id, "{\"\\u0000\":\"\\u0000\"}".getBytes(UTF_8))).isTrue();

      Instance run = find(kit, id);
      assertThat(run.status()).isEqualTo(Status.COMPLETED);
      assertThat(run.variables())
          .containsEntry("text", NUL)
          .containsEntry("seen", NUL + "!")
          .containsEntry("result", Map.of(NUL, NUL))
          .containsEntry("answer", Map.of("\u0000", "\u0000"));
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_nul_in_a_name_is_refused_also_behind_other_characters(Stores stores) {
    String nul = "\ud83d\ude00\u0000";
    try (WorkflowTestKit kit = kit(stores.create().open(clock))) {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  kit.engine().instances().start(StartRequest.of("flow").businessKey(nul), ALICE));
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  kit.engine()
                      .instances()
                      .start(StartRequest.of("flow"), ALICE.withCommandId(nul)));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Actor("alice", nul, Set.of(), Set.of()));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> kit.engine().messages().signal("go", Map.of(), "shop", nul, ALICE));

      assertThat(find(kit, start(kit, Map.of("text", "t"))).status()).isEqualTo(Status.RUNNING);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_lone_surrogate_is_refused_when_a_run_is_started(Stores stores) {
    try (WorkflowTestKit kit = kit(stores.create().open(clock))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> start(kit, Map.of("a", List.of(LONE))))
          .withMessageStartingWith("/a/0: Expected a text in well-formed Unicode");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> start(kit, Map.of("\ud800", 1, "\ud801", 2)))
          .withMessageContaining("Expected a key in well-formed Unicode");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> StartRequest.of("flow").input(Map.of("a", new Object())))
          .withMessageStartingWith("/a: Expected data, but got java.lang.Object");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_partners_ill_formed_callback_is_refused_and_a_good_one_still_counts(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = kit(store)) {
      InstanceId id = start(kit, Map.of("text", "t"));

      for (byte[] body :
          List.of(
              "{\"\\ud800\": 1, \"\\ud801\": 2}".getBytes(UTF_8),
              "{\"a\": \"\\udc00\"}".getBytes(UTF_8),
              new byte[] {'{', '"', (byte) 0xff, '"', ':', '1', '}'})) {
        assertThatThrownBy(() -> callBack(kit, id, body)).isInstanceOf(CallbackRefused.class);
      }
      assertThat(callBack(kit, id, "{\"a\": \"😀\"}".getBytes(UTF_8))).isTrue();

      assertThat(find(kit, id).variables()).containsEntry("answer", Map.of("a", "😀"));
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_body_that_gives_no_data_is_parked_with_where_and_what_to_do(Stores stores) {
    Store store = stores.create().open(clock);
    Supplier<String> lambda = () -> "";
    try (WorkflowTestKit kit = kit(store)) {
      for (Object bad : List.of(LONE, Map.of("\ud800", 1), new Object(), lambda, Stream.of(1))) {
        result = bad;
        Instance run = find(kit, start(kit, Map.of()));

        ActivityInstance parked = run.activities().values().iterator().next();
        assertThat(run.status()).isEqualTo(Status.SUSPENDED);
        assertThat(parked.fault()).isNotNull();
        assertThat(parked.fault().message()).startsWith("/result: Expected ");
      }
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void bytes_come_in_as_base64_by_a_start_and_by_a_result(Stores stores) {
    byte[] bytes = {1, 2, 3, -1};
    result = ByteBuffer.wrap(bytes);
    try (WorkflowTestKit kit = kit(stores.create().open(clock))) {
      Instance run = find(kit, start(kit, Map.of("pdf", bytes)));

      assertThat(run.variables())
          .containsEntry("pdf", "AQID/w==")
          .containsEntry("result", "AQID/w==");
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_operators_reason_is_well_formed_and_of_bounded_length(Stores stores) {
    try (WorkflowTestKit kit = kit(stores.create().open(clock))) {
      InstanceId id = start(kit, Map.of());

      for (String reason : List.of(LONE, "r".repeat(4_001))) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> kit.engine().operations().suspend(id, reason, ALICE))
            .withMessageStartingWith("Expected a reason");
        assertThatIllegalArgumentException()
            .isThrownBy(() -> kit.engine().operations().cancel(id, reason, ALICE))
            .withMessageStartingWith("Expected a reason");
      }
      kit.engine().operations().cancel(id, NUL, ALICE).orThrow();
      assertThat(find(kit, id).status()).isEqualTo(Status.CANCELLED);
    }
  }
}
