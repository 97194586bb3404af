package dev.waymark.proof.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.Limits;
import dev.waymark.core.explain.Explanation;
import dev.waymark.core.explain.Explanation.Kind;
import dev.waymark.core.explain.Explanation.Reason;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Candidates;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Caller;
import dev.waymark.engine.EngineBuilder;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Why a run stands where it stands, for everything that it can stand at. */
final class ExplainTest {

  private static final Caller ANNA = Caller.of("anna");

  private final List<Explanation> seenInside = new ArrayList<>();
  private final WorkflowTestKit kit = WorkflowTestKit.with(this::setUp);

  private void setUp(EngineBuilder builder) {
    builder
        .activity(
            "ask",
            context ->
                ActivityResult.suspended(
                    ActivityResult.userAction("question", Map.of())
                        .due(context.now().plus(Duration.ofHours(1)))
                        .expires(context.now().plus(Duration.ofHours(2)))
                        .candidates(
                            new Candidates(
                                null, Set.of("anna"), Set.of("finance"), Set.of("bob")))))
        .activity("flaky", context -> ActivityResult.failed("AWAY", "Nobody answers"))
        .activity("broken", context -> ActivityResult.failedForGood("BROKEN", "It is broken"))
        .activity(
            "look",
            context -> {
              seenInside.add(explain(context.instance()));
              return ActivityResult.completed();
            });
  }

  @AfterEach
  void close() {
    kit.close();
  }

  private Explanation explain(InstanceId id) {
    return kit.engine().instances().explain(id, ANNA).orElseThrow();
  }

  private Run run(String activities) {
    kit.deploy("waymark: 1\nkey: it\nstart: a\nactivities:\n" + activities.indent(2));
    return kit.start("it", Map.of());
  }

  private Reason only(Run run) {
    Explanation explanation = explain(run.id());
    assertThat(explanation.reasons()).hasSize(1);
    assertThat(explanation.summary()).contains("waits for one thing");
    return explanation.reasons().get(0);
  }

  @Test
  void a_task_says_for_whom_until_when_in_whose_hands_and_how_to_answer() {
    Run run = run("a: { type: ask }");
    var id = run.bookmark("question").id();
    kit.engine().bookmarks().claim(id, Duration.ofMinutes(5), ANNA).orThrow();

    Reason task = only(run);

    assertThat(task.kind()).isEqualTo(Kind.USER_ACTION);
    assertThat(task.activity()).isEqualTo("a");
    assertThat(task.why()).isEqualTo("'a' waits for somebody to act on 'question'");
    assertThat(task.since()).isEqualTo(kit.clock().instant());
    assertThat(task.due()).isEqualTo(kit.clock().instant().plus(Duration.ofHours(1)));
    assertThat(task.expires()).isEqualTo(kit.clock().instant().plus(Duration.ofHours(2)));
    assertThat(task.who()).containsExactly("group:finance", "user:anna", "not:bob");
    assertThat(task.lease()).isNotNull();
    assertThat(task.lease().holder()).isEqualTo("anna");
    assertThat(task.moves())
        .extracting(Explanation.Move::java)
        .contains(
            "engine.bookmarks().resume(BookmarkId.parse(\"%s\"), lease, Map.of(…), caller)"
                .formatted(id));
    kit.advance(Duration.ofMinutes(6));
    assertThat(only(run).lease()).isNull();
    assertThat(only(run).moves())
        .extracting(Explanation.Move::java)
        .contains(
            "engine.bookmarks().resume(BookmarkId.parse(\"%s\"), Map.of(…), caller)".formatted(id));
    assertThat(explain(run.id()).toText())
        .contains("- 'a' waits for somebody to act on 'question', since ")
        .contains("by: group:finance, user:anna, not:bob")
        .doesNotContain("$ waymark");
  }

  @Test
  void an_approval_a_message_a_signal_and_a_timer_say_what_they_wait_for() {
    Run run =
        run(
            """
            a: { type: fork, with: { branches: [b, c, d, e] } }
            b: { type: wait, with: { for: approval, key: limit } }
            c: { type: wait, with: { for: external-message, key: payment } }
            d: { type: wait, with: { for: signal, key: storm } }
            e: { type: timer, with: { after: PT1H } }
            """);

    Explanation all = explain(run.id());

    assertThat(all.reasons())
        .extracting(Reason::kind)
        .containsExactly(Kind.INSIDE, Kind.APPROVAL, Kind.MESSAGE, Kind.SIGNAL, Kind.TIMER);
    assertThat(all.reasons())
        .extracting(Reason::why)
        .containsExactly(
            "'a' waits for what is inside it: 4 alive",
            "'b' waits for an approval of 'limit'",
            "'c' waits for message 'payment'",
            "'d' waits for signal 'storm'",
            "'e' waits for a moment: it goes on by itself");
    assertThat(all.reasons().get(4).due())
        .isEqualTo(kit.clock().instant().plus(Duration.ofHours(1)));
    assertThat(all.reasons().get(4).who()).isEmpty();
    assertThat(all.reasons().get(3).moves().get(0).java())
        .startsWith("engine.messages().signal(\"storm\"");
    assertThat(all.reasons().get(2).moves().get(0).line())
        .isEqualTo("waymark message send payment --to " + run.id() + " --data '{…}'");
    assertThat(all.reasons().get(1).who()).containsExactly("anybody");
  }

  @Test
  void a_join_says_that_others_can_still_come() {
    Run run =
        run(
            """
            a: { type: fork, with: { branches: [b, c] } }
            b: { type: wait, next: j }
            c: { type: set, with: { x: 1 }, next: j }
            j: { type: join }
            """);

    assertThat(explain(run.id()).reasons())
        .anySatisfy(
            reason -> {
              assertThat(reason.kind()).isEqualTo(Kind.JOIN);
              assertThat(reason.why())
                  .isEqualTo("'j' waits for branches that can still come to it");
            });
  }

  @Test
  void a_reaction_is_told_beside_what_it_belongs_to() {
    Run run = run("a: { type: wait, on: { timeout: { after: PT1H, to: b } } }\nb: { type: end }");

    assertThat(explain(run.id()).reasons())
        .anySatisfy(
            reason -> {
              assertThat(reason.kind()).isEqualTo(Kind.TIMER);
              assertThat(reason.reaction()).isTrue();
              assertThat(reason.why())
                  .isEqualTo("beside 'a', a reaction waits for a moment: it goes on by itself");
            });
  }

  @Test
  void a_retry_says_when_and_after_what() {
    Run run = run("a: { type: flaky, retry: { attempts: 3, backoff: PT1M, jitter: 0 } }");

    Reason retry = only(run);

    assertThat(retry.kind()).isEqualTo(Kind.READY);
    assertThat(retry.why()).isEqualTo("'a' is to run again, after AWAY: Nobody answers");
    assertThat(retry.due()).isEqualTo(kit.clock().instant().plus(Duration.ofMinutes(1)));
    assertThat(retry.moves().get(0).java()).startsWith("engine.operations().cancel(");
  }

  @Test
  void what_is_parked_says_why_for_whom_and_what_can_be_done() {
    Run run = run("a: { type: broken }");

    Reason parked = only(run);

    assertThat(parked.kind()).isEqualTo(Kind.INTERVENTION);
    assertThat(parked.why())
        .isEqualTo(
            "'a' is parked because of BROKEN: It is broken; it goes to a higher level when it is"
                + " due");
    assertThat(parked.due()).isEqualTo(kit.clock().instant().plus(Limits.INTERVENTION_TIME));
    assertThat(parked.who())
        .containsExactly(
            "group:workflow-admin",
            "group:senior-admin",
            "role:senior-admin",
            "role:workflow-admin");
    assertThat(parked.moves())
        .extracting(Explanation.Move::what)
        .containsExactly("retry-activity", "skip-activity", "modify-variables", "cancel-workflow");
    assertThat(parked.moves().get(2).java()).contains("Action.MODIFY_VARIABLES, Map.of(…), ");
  }

  @Test
  void a_running_body_says_where_and_which_attempt() {
    run("a: { type: look }");

    Reason running = seenInside.get(0).reasons().get(0);

    assertThat(running.kind()).isEqualTo(Kind.RUNNING);
    assertThat(running.why()).isEqualTo("'a' runs, attempt 1");
    assertThat(running.who()).containsExactly("node " + kit.engine().node());
  }

  @Test
  void a_suspended_run_says_who_holds_it_and_how_to_let_it_go() {
    Run run = run("a: { type: wait }");
    run.suspend("audit");

    Reason held = explain(run.id()).reasons().get(0);

    assertThat(held.kind()).isEqualTo(Kind.HELD);
    assertThat(held.why()).isEqualTo("the run is suspended by test: audit");
    assertThat(held.moves().get(0).line()).startsWith("waymark instance continue " + run.id());
  }

  @Test
  void a_parent_tells_what_its_child_waits_for() {
    kit.deploy("waymark: 1\nkey: child\nstart: w\nactivities:\n  w: { type: wait }\n");
    Run run = run("a: { type: sub-workflow, with: { definition: child } }");

    Explanation parent = explain(run.id());

    assertThat(parent.reasons().get(0).kind()).isEqualTo(Kind.CHILD);
    assertThat(parent.children()).hasSize(1);
    assertThat(parent.children().get(0).instance()).isEqualTo(parent.reasons().get(0).child());
    assertThat(parent.children().get(0).reasons().get(0).why())
        .isEqualTo("'w' waits for somebody to act on 'w'");
    assertThat(parent.toText()).contains("\n  - 'w' waits");
  }

  @Test
  void a_run_that_has_ended_waits_for_nothing_and_strangers_are_told_nothing() {
    Run run = run("a: { type: end }");

    assertThat(explain(run.id()).reasons()).isEmpty();
    assertThat(explain(run.id()).summary()).contains("waits for nothing: it ended as COMPLETED");
    Caller stranger = Caller.of(new Actor("eve", "umbrella", Set.of(), Set.of()));
    assertThat(kit.engine().instances().explain(run.id(), stranger)).isEmpty();
  }
}
