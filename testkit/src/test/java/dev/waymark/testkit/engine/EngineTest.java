package dev.waymark.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.definition.InvalidDefinition;
import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Command.Intervene.Action;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.Resumption;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.StateAt;
import dev.waymark.engine.activity.Activity;
import dev.waymark.engine.activity.ActivityContext;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What one engine promises, told through its public face. */
final class EngineTest {

  private static final Caller ALICE = Caller.of("alice");

  private static String definition(String start, String activities) {
    return "waymark: 1\nkey: flow\nstart: " + start + "\nactivities:\n" + activities;
  }

  @Test
  void a_definition_runs_to_its_end() {
    try (var kit =
        WorkflowTestKit.with(
            b ->
                b.activity(
                    "greet",
                    c ->
                        ActivityResult.completed(
                            Map.of("greeting", "Hello " + c.variable("name", String.class)))))) {
      kit.deploy(definition("hello", "  hello: { type: greet }\n"));

      Run run = kit.start("flow", Map.of("name", "Ada"));

      assertThat(run).isCompleted().hasVariable("greeting", "Hello Ada").completed("hello");
    }
  }

  @Test
  void a_failing_activity_is_retried_at_its_time_and_then_waits_for_a_person() {
    AtomicInteger calls = new AtomicInteger();
    List<String> keys = new ArrayList<>();
    try (var kit =
        WorkflowTestKit.with(
            b ->
                b.activity(
                    "pay",
                    c -> {
                      keys.add(c.idempotencyKey());
                      if (calls.incrementAndGet() < 4) {
                        throw new IllegalStateException("bank is closed");
                      }
                      return ActivityResult.completed(Map.of("receipt", "r-1"));
                    }))) {
      kit.deploy(
          definition(
              "pay",
              "  pay: { type: pay, retry: { attempts: 3, backoff: PT10S, maxBackoff: PT1M, jitter:"
                  + " 0 } }\n"));

      Run run = kit.start("flow", Map.of());
      assertThat(calls).hasValue(1);
      kit.advance(Duration.ofSeconds(9));
      assertThat(calls).hasValue(1);
      kit.advance(Duration.ofSeconds(1));
      assertThat(calls).hasValue(2);
      kit.advance(Duration.ofSeconds(20));
      assertThat(calls).hasValue(3);
      assertThat(run).isSuspended().isWaitingAt("pay");
      assertThat(run.bookmark("pay").payload().get("error").toString()).contains("bank is closed");

      run.as("oscar").intervene(Action.RETRY_ACTIVITY, "the bank is open again");

      assertThat(run).isCompleted().hasVariable("receipt", "r-1");
      assertThat(keys).as("idempotency keys of all attempts").containsOnly(keys.get(0));
    }
  }

  @Test
  void a_timer_fires_at_its_time() {
    try (var kit = WorkflowTestKit.with(b -> {})) {
      kit.deploy(
          definition(
              "remind",
              """
                remind: { type: timer, with: { after: PT1H }, next: end }
                end: { type: end }
              """));
      Run run = kit.start("flow", Map.of());

      kit.advance(Duration.ofMinutes(59));
      assertThat(run).isWaitingAt("remind");

      kit.advance(Duration.ofMinutes(1));
      assertThat(run).isCompleted();
    }
  }

  /** Asks somebody, and asks again until the answer is yes. */
  private static final class Ask implements Activity {
    @Override
    public ActivityResult execute(ActivityContext context) {
      return new ActivityResult.Suspended(
          List.of(ActivityResult.userAction("question", Map.of("asked", context.attempt()))),
          Map.of("pending", true),
          dev.waymark.core.step.Command.Effects.NONE);
    }

    @Override
    public ActivityResult resume(ActivityContext context, Resumption resumption) {
      return "yes".equals(resumption.payload().get("answer"))
          ? ActivityResult.completed(Map.of("by", resumption.by(), "pending", false))
          : execute(context);
    }

    @Override
    public boolean waits() {
      return true;
    }
  }

  @Test
  void an_activity_waits_for_an_answer_and_may_ask_again() {
    try (var kit = WorkflowTestKit.with(b -> b.activity("ask", new Ask()))) {
      kit.deploy(definition("ask", "  ask: { type: ask }\n"));
      Run run = kit.start("flow", Map.of());
      assertThat(run).isWaitingAt("ask").hasVariable("pending", true);

      run.as("bob").resume("question", Map.of("answer", "no"));
      assertThat(run).isWaitingAt("ask");
      run.as("carol").resume("question", Map.of("answer", "yes"));

      assertThat(run).isCompleted().hasVariable("by", "carol").hasVariable("pending", false);
    }
  }

  @Test
  void a_second_click_is_told_who_was_first_and_when() {
    try (var kit = WorkflowTestKit.with(b -> {})) {
      kit.deploy(definition("ask", "  ask: { type: wait, next: end }\n  end: { type: end }\n"));
      Run run = kit.start("flow", Map.of());
      var bookmark = run.bookmark("ask").id();
      run.as("bob").resume("ask", Map.of("ok", true));

      Answer second = kit.engine().resume(bookmark, Map.of("ok", false), Caller.of("carol"));

      assertThat(second)
          .isInstanceOfSatisfying(
              Answer.Refused.class,
              r -> {
                assertThat(r.rejection().code()).isEqualTo(Rejection.Code.ALREADY_CLOSED);
                assertThat(r.rejection().message())
                    .contains("consumed by bob at " + kit.clock().instant());
              });
      assertThat(run).hasVariable("ok", true);
    }
  }

  @Test
  void repeating_a_command_gives_its_first_outcome_and_another_body_is_refused() {
    try (var kit = WorkflowTestKit.with(b -> {})) {
      kit.deploy(definition("ask", "  ask: { type: wait, next: end }\n  end: { type: end }\n"));
      StartRequest request = StartRequest.of("flow").input(Map.of("n", 1));
      Caller named = ALICE.withCommandId("order-17");

      Answer first = kit.engine().start(request, named);
      Answer again = kit.engine().start(request, named);
      Answer other = kit.engine().start(request.input(Map.of("n", 2)), named);

      assertThat(first).isEqualTo(new Answer.Done(first.instance(), 1));
      assertThat(again).isInstanceOf(Answer.Unchanged.class);
      assertThat(again.instance()).isEqualTo(first.instance());
      assertThat(other)
          .isInstanceOfSatisfying(
              Answer.Refused.class,
              r -> assertThat(r.rejection().code()).isEqualTo(Rejection.Code.COMMAND_REUSED));

      var bookmark = kit.run(first.instance()).bookmark("ask").id();
      Caller click = ALICE.withCommandId("click-1");
      Answer done = kit.engine().resume(bookmark, Map.of("ok", true), click);
      Answer repeated = kit.engine().resume(bookmark, Map.of("ok", true), click);
      assertThat(done).isEqualTo(new Answer.Done(first.instance(), 2));
      assertThat(repeated)
          .isInstanceOfSatisfying(
              Answer.Unchanged.class, u -> assertThat(u.version()).isEqualTo(2));
    }
  }

  @Test
  void a_business_key_is_unique_among_the_living() {
    try (var kit = WorkflowTestKit.with(b -> {})) {
      kit.deploy(definition("ask", "  ask: { type: wait, next: end }\n  end: { type: end }\n"));
      StartRequest request = StartRequest.of("flow").businessKey("invoice-7");
      Run first = kit.start(request);

      Answer second = kit.engine().start(request, ALICE);
      assertThat(second)
          .isInstanceOfSatisfying(
              Answer.Refused.class,
              r -> {
                assertThat(r.rejection().code()).isEqualTo(Rejection.Code.KEY_TAKEN);
                assertThat(r.rejection().message()).contains(first.id().toString());
              });

      first.resume("ask", Map.of());
      assertThat(kit.start(request)).isWaitingAt("ask");
    }
  }

  @Test
  void bad_start_data_is_refused_with_pointers() {
    try (var kit = WorkflowTestKit.with(b -> {})) {
      kit.deploy(
          """
          waymark: 1
          key: flow
          input:
            type: object
            required: [amount]
            properties:
              amount: { type: number, minimum: 0 }
              lines: { type: array, items: { type: object, required: [sku] } }
          start: end
          activities:
            end: { type: end }
          """);

      Answer answer =
          kit.engine()
              .start(
                  StartRequest.of("flow")
                      .input(Map.of("amount", -1, "lines", List.of(Map.of("x", 1)))),
                  ALICE);

      assertThat(answer)
          .isInstanceOfSatisfying(
              Answer.Refused.class,
              r ->
                  assertThat(r.rejection().violations())
                      .extracting(v -> v.pointer())
                      .containsExactlyInAnyOrder("/amount", "/lines/0/sku"));
    }
  }

  @Test
  void an_unknown_definition_is_refused_and_a_broken_one_not_deployed() {
    try (var kit = WorkflowTestKit.with(b -> {})) {
      assertThatThrownBy(() -> kit.start("nothing", Map.of()))
          .isInstanceOf(CommandRefused.class)
          .hasMessageContaining("'nothing'");
      assertThatThrownBy(() -> kit.deploy(definition("a", "  a: { type: nonsense, next: b }\n")))
          .isInstanceOf(InvalidDefinition.class)
          .hasMessageContaining("/activities/a/type")
          .hasMessageContaining("/activities/a/next");
    }
  }

  @Test
  void deploying_the_same_text_is_the_same_version() {
    try (var kit = WorkflowTestKit.with(b -> {})) {
      String text = definition("end", "  end: { type: end }\n");

      assertThat(kit.deploy(text).version()).isEqualTo(1);
      assertThat(kit.deploy(text).version()).isEqualTo(1);
      assertThat(kit.deploy(text + "# changed\n").version()).isEqualTo(2);
    }
  }

  @Test
  void a_held_run_starts_nothing_until_it_is_let_go() {
    try (var kit = WorkflowTestKit.with(b -> b.activity("work", c -> ActivityResult.completed()))) {
      kit.deploy(definition("ask", "  ask: { type: wait, next: work }\n  work: { type: work }\n"));
      Run run = kit.start("flow", Map.of());
      run.as("oscar").suspend("audit");

      assertThat(run.resume("ask", Map.of()))
          .isInstanceOfSatisfying(
              Answer.Refused.class,
              r -> assertThat(r.rejection().message()).contains("oscar").contains("audit"));
      run.continueRun("done");
      run.resume("ask", Map.of());

      assertThat(run).isCompleted();
    }
  }

  @Test
  void cancel_ends_a_run_and_its_waits() {
    try (var kit = WorkflowTestKit.with(b -> {})) {
      kit.deploy(definition("ask", "  ask: { type: wait, next: end }\n  end: { type: end }\n"));
      Run run = kit.start("flow", Map.of());
      var bookmark = run.bookmark("ask").id();

      assertThat(run.cancel("not needed")).isInstanceOf(Answer.Done.class);
      assertThat(run.cancel("not needed")).isInstanceOf(Answer.Unchanged.class);

      assertThat(run).isCancelled();
      assertThat(kit.engine().resume(bookmark, Map.of(), ALICE)).isInstanceOf(Answer.Refused.class);
    }
  }

  @Test
  void a_message_that_comes_too_early_is_kept() {
    try (var kit = WorkflowTestKit.with(b -> {})) {
      kit.deploy(
          definition(
              "first",
              """
                first: { type: wait, next: second }
                second: { type: wait, with: { for: external-message, key: paid }, next: end }
                end: { type: end }
              """));
      Run run = kit.start("flow", Map.of());

      boolean fresh = kit.engine().send(run.id(), "paid", Map.of("sum", 5), "bank", "m-1", ALICE);
      boolean again = kit.engine().send(run.id(), "paid", Map.of("sum", 5), "bank", "m-1", ALICE);
      kit.runUntilIdle();
      assertThat(run).isWaitingAt("first");
      run.resume("first", Map.of());

      assertThat(fresh).isTrue();
      assertThat(again).isFalse();
      assertThat(run).isCompleted().hasVariable("sum", 5);
    }
  }

  @Test
  void what_belongs_to_another_tenant_is_not_there() {
    try (var kit = WorkflowTestKit.with(b -> {})) {
      kit.deploy(definition("ask", "  ask: { type: wait, next: end }\n  end: { type: end }\n"));
      Run run = kit.start("flow", Map.of());
      var bookmark = run.bookmark("ask").id();
      Caller stranger =
          Caller.of(
              new dev.waymark.core.instance.Actor(
                  "mallory", "elsewhere", java.util.Set.of(), java.util.Set.of()));

      List<Answer> answers =
          List.of(
              kit.engine().resume(bookmark, Map.of(), stranger),
              kit.engine().cancel(run.id(), "why not", stranger),
              kit.engine().suspend(run.id(), "why not", stranger));
      assertThat(answers)
          .allSatisfy(
              answer ->
                  assertThat(((Answer.Refused) answer).rejection().code())
                      .isEqualTo(Rejection.Code.NOT_FOUND));
      assertThat(kit.engine().find(run.id(), stranger)).isEmpty();
      assertThat(run).isWaitingAt("ask");
    }
  }

  @Test
  void a_message_id_used_twice_brings_only_what_was_stored_first() {
    try (var kit = WorkflowTestKit.with(b -> {})) {
      kit.deploy(
          definition(
              "listen",
              """
                listen: { type: wait, with: { for: external-message, key: paid }, next: end }
                end: { type: end }
              """));
      Run first = kit.start("flow", Map.of());
      Run second = kit.start("flow", Map.of());
      first.suspend("not yet");

      kit.engine().send(first.id(), "paid", Map.of("sum", 1), "bank", "m-1", ALICE);
      kit.engine().send(second.id(), "paid", Map.of("sum", 2), "bank", "m-1", ALICE);
      kit.runUntilIdle();
      assertThat(second).isWaitingAt("listen");
      first.continueRun("go on");

      assertThat(first).isCompleted().hasVariable("sum", 1);
    }
  }

  @Test
  void a_refused_start_leaves_nothing_behind() {
    try (var kit = WorkflowTestKit.with(b -> {})) {
      kit.deploy(
          """
          waymark: 1
          key: flow
          input: { type: object, required: [n] }
          start: end
          activities:
            end: { type: end }
          """);

      assertThat(kit.engine().start(StartRequest.of("flow"), ALICE))
          .isInstanceOf(Answer.Refused.class);
      kit.runUntilIdle();

      assertThat(kit.engine().load().instances()).isZero();
    }
  }

  @Test
  void an_instance_sends_a_message_to_another() {
    try (var kit =
        WorkflowTestKit.with(
            b ->
                b.activity(
                    "tell",
                    c ->
                        ActivityResult.completed()
                            .sending(
                                dev.waymark.core.instance.InstanceId.parse(
                                    c.variable("to", String.class)),
                                "news",
                                Map.of("from", c.instance().toString()))))) {
      kit.deploy(
          definition(
              "listen",
              """
                listen: { type: wait, with: { for: external-message, key: news }, next: end }
                end: { type: end }
              """));
      kit.deploy("waymark: 1\nkey: teller\nstart: tell\nactivities:\n  tell: { type: tell }\n");
      Run listener = kit.start("flow", Map.of());

      Run teller = kit.start("teller", Map.of("to", listener.id().toString()));

      assertThat(teller).isCompleted();
      assertThat(listener).isCompleted().hasVariable("from", teller.id().toString());
    }
  }

  @Test
  void events_come_in_order_and_again_until_the_listener_takes_them() {
    List<String> heard = new ArrayList<>();
    AtomicInteger trouble = new AtomicInteger(2);
    try (var kit =
        WorkflowTestKit.with(
            b ->
                b.activity(
                        "work",
                        c -> ActivityResult.completed().emitting("order.paid", Map.of("sum", 3)))
                    .subscribe(
                        "ledger",
                        type -> true,
                        event -> {
                          if (event.type().equals("order.paid") && trouble.getAndDecrement() > 0) {
                            throw new IllegalStateException("ledger is closed");
                          }
                          heard.add(event.type());
                        }))) {
      kit.deploy(definition("work", "  work: { type: work }\n"));

      kit.start("flow", Map.of());
      assertThat(heard).containsExactly("waymark.instance.started");
      kit.advance(Duration.ofMinutes(1));

      assertThat(heard)
          .containsExactly(
              "waymark.instance.started",
              "order.paid",
              "waymark.activity.completed",
              "waymark.instance.completed");
    }
  }

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

  @Test
  void a_message_brought_twice_is_received_once_and_holds_nothing_up() {
    try (var kit = WorkflowTestKit.with(b -> {})) {
      kit.deploy(
          definition(
              "split",
              """
                split: { type: fork, with: { branches: [a, b] } }
                a: { type: wait, with: { for: external-message, key: paid }, next: end }
                b: { type: wait, with: { for: external-message, key: paid }, next: end }
                end: { type: end }
              """));
      Run run = kit.start("flow", Map.of());

      kit.engine().send(run.id(), "paid", Map.of("sum", 5), "bank", "m-1", ALICE);
      kit.engine().send(run.id(), "paid", Map.of("sum", 5), "bank", "m-1", ALICE);
      kit.runUntilIdle();
      assertThat(run.instance().bookmarks()).hasSize(1);

      run.cancel("enough");
      assertThat(run).isCancelled();
    }
  }

  private static List<dev.waymark.core.instance.InstanceId> ids(
      WorkflowTestKit kit, InstanceQuery query) {
    return kit.engine().list(query, ALICE).stream().map(i -> i.id()).toList();
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
        StateAt then = kit.engine().stateAt(run.id(), version, ALICE).orElseThrow();
        assertThat(then.variables()).containsEntry("n", version - 1);
        assertThat(then.activities()).hasSize(1);
      }
      StateAt last = kit.engine().stateAt(run.id(), 251, ALICE).orElseThrow();
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

  @Test
  void step_by_step_nothing_runs_before_it_is_told_to() {
    try (var kit =
        WorkflowTestKit.with(
            b -> b.stepByStep().activity("work", c -> ActivityResult.completed()))) {
      kit.deploy(
          definition(
              "a",
              """
                a: { type: work, next: b }
                b: { type: work, next: ask }
                ask: { type: wait, next: c }
                c: { type: work }
              """));
      Run run = kit.start("flow", Map.of());
      assertThat(run.instance().activities().get(1L).state()).isEqualTo(State.READY);

      assertThat(kit.engine().runStep(run.id(), ALICE)).isTrue();
      assertThat(run).isWaitingAt("b");
      kit.engine().runUntilWaiting(run.id(), ALICE);
      assertThat(run).isWaitingAt("ask");
      assertThat(kit.engine().runStep(run.id(), ALICE)).isFalse();

      run.resume("ask", Map.of());
      kit.engine().runUntilWaiting(run.id(), ALICE);
      assertThat(run).isCompleted();
    }
  }
}
