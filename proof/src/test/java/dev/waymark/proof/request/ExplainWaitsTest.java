package dev.waymark.proof.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.waymark.core.explain.Explanation;
import dev.waymark.core.explain.Explanation.Kind;
import dev.waymark.core.explain.Explanation.Move;
import dev.waymark.core.explain.Explanation.Reason;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.message.Messages.Correlated;
import dev.waymark.engine.task.Tasks;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an explanation says of waits: who, until when, with what, and commands that work. */
final class ExplainWaitsTest {

  private static final Caller ANNA = Caller.of("anna");
  private static final Caller BERT = Caller.of("bert");
  private static final Caller OLGA =
      Caller.of(new Actor("olga", Actor.DEFAULT_TENANT, Set.of(), Set.of("operator")));

  private interface Scene {
    void play(WorkflowTestKit kit, Run run);
  }

  private static void on(Stores stores, String activities, Scene scene) {
    VirtualClock clock = new VirtualClock();
    try (WorkflowTestKit kit = stores.create().process(clock, builder -> {})) {
      kit.deploy("waymark: 1\nkey: it\nstart: a\nactivities:\n" + activities.indent(2));
      scene.play(kit, kit.start("it", Map.of("order", "4711")));
    }
  }

  private static Explanation explain(WorkflowTestKit kit, Run run) {
    return kit.engine().instances().explain(run.id(), ANNA).orElseThrow();
  }

  /** What it waits for itself, not what stands beside that. */
  private static Reason main(WorkflowTestKit kit, Run run) {
    Explanation explanation = explain(kit, run);
    assertThat(explanation.summary()).endsWith("waits for one thing");
    List<Reason> own = explanation.reasons().stream().filter(r -> !r.reaction()).toList();
    assertThat(own).hasSize(1);
    return own.get(0);
  }

  private static List<String> calls(Reason reason) {
    return reason.moves().stream().map(Move::java).toList();
  }

  @ParameterizedTest
  @EnumSource
  void a_message_under_a_misspelt_name_is_shown_as_not_received(Stores stores) {
    on(
        stores,
        """
        a: { type: wait, with: { for: external-message, key: paid } }
        """,
        (kit, run) -> {
          kit.engine().messages().send(run.id(), "payed", Map.of(), "bank", "m1", BERT);

          Explanation explanation = explain(kit, run);

          assertThat(explanation.unreceived())
              .extracting(Explanation.Unreceived::name, Explanation.Unreceived::sender)
              .containsExactly(tuple("payed", "bert"));
          assertThat(explanation.toText()).contains("message 'payed' of bert");
        });
  }

  @ParameterizedTest
  @EnumSource
  void the_roles_groups_and_condition_of_a_guard_are_explained(Stores stores) {
    on(
        stores,
        """
        a:
          type: wait
          with: { for: user-action, key: release }
          guard:
            roles: [manager, senior-admin]
            groups: [finance]
            when: "Output.amount <= 5"
            message: Nobody releases more than five
        """,
        (kit, run) -> {
          Reason wait = main(kit, run);

          assertThat(wait.who())
              .containsExactly(
                  "anybody", "only with role manager or senior-admin", "only with group finance");
          assertThat(wait.why())
              .isEqualTo(
                  "'a' waits for somebody to act on 'release', if Nobody releases more than five");
        });
  }

  @ParameterizedTest
  @EnumSource
  void a_task_tells_what_happens_beside_it_and_who_has_it_back_when_it_is_delegated(Stores stores) {
    on(
        stores,
        """
        a:
          type: user-task
          with:
            candidates: [anna, bert]
            due: PT4H
            remind: { after: PT1H }
            escalate: [{ after: PT2H, to: "group:heads" }]
            autoComplete: { after: PT3H, outcome: late }
        """,
        (kit, run) -> {
          Tasks tasks = kit.engine().tasks();
          BookmarkId id = run.bookmark("a").id();
          String call = "BookmarkId.parse(\"" + id + "\")";

          assertThat(main(kit, run).who()).containsExactly("user:anna", "user:bert");
          assertThat(main(kit, run).due()).isEqualTo(kit.clock().instant().plusSeconds(4 * 3_600));
          assertThat(calls(main(kit, run)))
              .containsExactly(
                  "engine.tasks().claim(" + call + ", caller)",
                  "engine.tasks().complete(" + call + ", Map.of(…), caller)");
          assertThat(explain(kit, run).reasons().stream().filter(Reason::reaction))
              .extracting(Reason::why)
              .containsExactlyInAnyOrder(
                  "beside 'a': who is asked is reminded then",
                  "beside 'a': others are asked too then",
                  "beside 'a': it ends by itself then");

          long fence = tasks.claim(id, ANNA).orThrow().lease().fence();
          assertThat(calls(main(kit, run)))
              .containsExactly(
                  "engine.tasks().complete(%s, %d, Map.of(…), caller)".formatted(call, fence));

          tasks.delegate(id, "bert", ANNA).orThrow();
          assertThat(main(kit, run).why())
              .endsWith("; anna delegated it and completes it once it is resolved");
          assertThat(main(kit, run).who()).containsExactly("user:bert");
          assertThat(calls(main(kit, run)))
              .containsExactly("engine.tasks().resolve(" + call + ", \"…\", caller)");
          tasks.resolve(id, "Done", BERT).orThrow();
          tasks.complete(id, Map.of(), ANNA).orThrow();
        });
  }

  @ParameterizedTest
  @EnumSource
  void an_approval_tells_how_far_it_is_and_who_is_left(Stores stores) {
    on(
        stores,
        """
        a: { type: approval, with: { approvers: [anna, bert, cleo], mode: { atLeast: 2 }, key: spend } }
        """,
        (kit, run) -> {
          BookmarkId id = run.bookmark("spend").id();
          assertThat(main(kit, run).why())
              .isEqualTo("'a' waits for an approval of 'spend', level 1 of 1, needs 2");

          kit.engine().approvals().approve(id, "", ANNA).orThrow();
          kit.runUntilIdle();

          Reason left = main(kit, run);
          assertThat(left.why()).endsWith(", needs 2; anna: approved");
          assertThat(left.who()).containsExactly("user:bert", "user:cleo", "not:anna");
          assertThat(calls(left))
              .contains(
                  "engine.approvals().approve(BookmarkId.parse(\"%s\"), \"…\", caller)"
                      .formatted(id));
        });
  }

  @ParameterizedTest
  @EnumSource
  void a_message_by_key_tells_the_key_and_what_it_must_say(Stores stores) {
    on(
        stores,
        """
        a:
          type: wait
          with: { for: external-message, key: paid, correlate: "${ Variables.order }", expires: PT1H }
          guard: { when: "Output.cents > 0" }
        """,
        (kit, run) -> {
          Reason wait = main(kit, run);

          assertThat(wait.why())
              .isEqualTo("'a' waits for message 'paid' that names '4711', if Output.cents > 0");
          assertThat(wait.expires()).isEqualTo(kit.clock().instant().plusSeconds(3_600));
          assertThat(calls(wait).get(0))
              .isEqualTo(
                  "engine.messages().correlate(Correlated.of(\"paid\", \"4711\", Map.of(…), source,"
                      + " id), caller)");
          Correlated told = Correlated.of("paid", "4711", Map.of("cents", 1), "bank", "1");
          kit.engine().messages().correlate(told, ANNA);
          kit.runUntilIdle();
          assertThat(run.status()).isEqualTo(Status.COMPLETED);
        });
  }

  @ParameterizedTest
  @EnumSource
  void a_timer_tells_how_it_fires_now_and_so_does_a_timeout(Stores stores) {
    on(
        stores,
        """
        a: { type: timer, with: { after: P9D }, on: { timeout: { after: P30D, to: b } } }
        b: { type: end }
        """,
        (kit, run) -> {
          assertThat(explain(kit, run).reasons())
              .extracting(Reason::kind)
              .containsExactly(Kind.TIMER, Kind.TIMER);
          assertThat(explain(kit, run).reasons())
              .allSatisfy(
                  reason ->
                      assertThat(calls(reason).get(0))
                          .startsWith("engine.operations().fireTimer("));
          String call = calls(main(kit, run)).get(0);
          String id = call.substring(call.indexOf('"') + 1, call.indexOf("\")"));

          kit.engine().operations().fireTimer(BookmarkId.parse(id), "Now", OLGA).orThrow();
          kit.advance(Duration.ZERO);
          assertThat(run.status()).isEqualTo(Status.COMPLETED);
        });
  }
}
