package dev.waymark.proof.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.store.Checker.Options;
import dev.waymark.engine.store.Inbox;
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

/** Runs that start runs. */
public final class ChildrenTest {

  private static final Caller ALICE = Caller.of("alice");

  /** Asks a person, and gives the answer to its parent. */
  public static final String CHILD =
      """
      waymark: 1
      key: child
      input: { type: object, properties: { n: { type: number } } }
      start: ask
      activities:
        ask: { type: wait, with: { key: ask } }
      output: { doubled: "${ Variables.n * 2 }" }
      """;

  public static final String PARENT =
      """
      waymark: 1
      key: parent
      start: delegate
      activities:
        delegate:
          type: sub-workflow
          with: { definition: child, input: { n: "${ Variables.n }" }%s }
          next: done
        done: { type: set, with: { done: true } }
      """;

  private final VirtualClock clock = new VirtualClock();

  public static InstanceId childOf(InstanceId parent) {
    return InstanceId.child(parent, 1);
  }

  public static Run onlyChildOf(WorkflowTestKit kit, InstanceId parent) {
    List<Instance> children = kit.engine().instances().children(parent, ALICE);
    assertThat(children).hasSize(1);
    return kit.run(children.get(0).id());
  }

  public static void assertSound(Store store) {
    assertThat(store.checker().check(Options.live().withMaxLateness(Duration.ZERO).replayingAll()))
        .isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void a_parent_gets_the_result_of_its_child(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(CHILD);
      kit.deploy(PARENT.formatted(""));

      Run parent = kit.start("parent", Map.of("n", 21));

      Run child = onlyChildOf(kit, parent.id());
      assertThat(child).isWaitingAt("ask");
      assertThat(child.id()).isEqualTo(childOf(parent.id()));
      assertThat(child.instance().origin().parent())
          .isEqualTo(new Instance.Origin.Parent(parent.id(), 1, true));
      assertSound(store);

      child.resume("ask", Map.of());

      assertThat(child).isCompleted();
      assertThat(parent).isCompleted().hasVariable("doubled", 42).hasVariable("done", true);
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_definition_that_starts_itself_comes_to_an_end(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(
          """
          waymark: 1
          key: self
          start: again
          activities:
            again: { type: sub-workflow, with: { definition: self } }
          """);

      Run run = kit.start("self", Map.of());
      for (int depth = 1; depth <= Limits.CHILD_DEPTH; depth++) {
        run = onlyChildOf(kit, run.id());
        assertThat(run.instance().origin().depth()).isEqualTo(depth);
      }

      assertThat(kit.engine().instances().children(run.id(), ALICE)).isEmpty();
      assertThat(run.instance().activities().firstEntry().getValue().fault())
          .extracting(fault -> fault.code())
          .isEqualTo(Fault.TOO_DEEP);
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void three_generations_pass_a_result_up(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(CHILD);
      deployChain(kit);

      Run top = kit.start("top", Map.of("n", 5));
      Run middle = onlyChildOf(kit, top.id());
      Run bottom = onlyChildOf(kit, middle.id());
      assertThat(bottom).isWaitingAt("ask");
      bottom.resume("ask", Map.of());

      assertThat(middle).isCompleted();
      assertThat(top).isCompleted().hasVariable("doubled", 10);
      assertSound(store);
    }
  }

  private static void deployChain(WorkflowTestKit kit) {
    for (String link : List.of("middle:child", "top:middle")) {
      String[] names = link.split(":", -1);
      kit.deploy(
          """
          waymark: 1
          key: %s
          start: go
          activities:
            go: { type: sub-workflow, with: { definition: %s, input: "${ Variables }" } }
          """
              .formatted(names[0], names[1]));
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_cancelled_run_takes_its_children_and_their_children_with_it(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(CHILD);
      deployChain(kit);
      Run top = kit.start("top", Map.of("n", 5));
      Run middle = onlyChildOf(kit, top.id());
      Run bottom = onlyChildOf(kit, middle.id());

      top.cancel("no longer wanted");

      assertThat(top).isCancelled();
      assertThat(middle).isCancelled();
      assertThat(bottom).isCancelled();
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_failure_at_the_bottom_reaches_the_reaction_at_the_top(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(
          """
          waymark: 1
          key: bottom
          start: give-up
          activities:
            give-up: { type: terminate, with: { status: failed, code: NO_FUNDS, message: Poor } }
          """);
      kit.deploy(
          """
          waymark: 1
          key: middle
          start: go
          activities:
            go:
              type: sub-workflow
              with: { definition: bottom }
              on: { error: { fail: true } }
          """);
      kit.deploy(
          """
          waymark: 1
          key: top
          start: go
          activities:
            go:
              type: sub-workflow
              with: { definition: middle }
              on:
                error:
                  match: "Error.code == 'NO_FUNDS'"
                  to: poor
                  output: { why: "${ Error.message }" }
            poor: { type: end }
          """);

      Run top = kit.start("top", Map.of());

      assertThat(top).isCompleted().hasVariable("why", "Poor");
      assertThat(onlyChildOf(kit, top.id()).status()).isEqualTo(Status.FAILED);
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_child_that_cannot_be_started_is_a_fault_in_its_parent(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(CHILD);
      kit.deploy(PARENT.replace("definition: child", "definition: nobody").formatted(""));
      Run orphan = kit.start("parent", Map.of("n", 1));
      assertFailedToStart(orphan, "NOT_FOUND", "'nobody'");

      kit.deploy(PARENT.formatted(", version: 7"));
      assertFailedToStart(kit.start("parent", Map.of("n", 1)), "NOT_FOUND", "version 7");

      kit.deploy(CHILD.replace("ask }", "ask, payload: { new: true } }"));
      kit.engine().definitions().retire("child", 1, ALICE);
      kit.deploy(PARENT.formatted(", version: 1"));
      assertFailedToStart(kit.start("parent", Map.of("n", 1)), "WRONG_STATE", "retired");

      kit.deploy(PARENT.formatted(""));
      assertFailedToStart(kit.start("parent", Map.of("n", "x")), "BAD_INPUT", "/n");

      kit.deploy(PARENT.formatted(", businessKey: only-one"));
      Run first = kit.start("parent", Map.of("n", 1));
      Run second = kit.start("parent", Map.of("n", 2));
      assertThat(first).isWaitingAt("delegate");
      assertFailedToStart(second, "KEY_TAKEN", "only-one");
      assertSound(store);
    }
  }

  public static void assertFailedToStart(Run parent, String code, String message) {
    assertThat(parent).isSuspended().isWaitingAt("delegate");
    assertThat(parent.instance().activities().values())
        .first()
        .satisfies(
            visit -> {
              assertThat(visit.fault().type().name()).isEqualTo("STARTUP");
              assertThat(visit.fault().code()).isEqualTo(code);
              assertThat(visit.fault().message()).contains(message);
            });
  }

  @ParameterizedTest
  @EnumSource
  void a_child_that_nobody_waits_for_may_fail_to_start(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(
          PARENT.replace("definition: child", "definition: nobody").formatted(", wait: false"));

      Run parent = kit.start("parent", Map.of("n", 1));

      assertThat(parent).isCompleted();
      assertThat(kit.engine().instances().children(parent.id(), ALICE)).isEmpty();
      for (InstanceId id : List.of(childOf(parent.id()), parent.id())) {
        assertThat(store.inbox().waitingFor(Actor.DEFAULT_TENANT, id, Inbox.Place.START, 10))
            .isEmpty();
      }
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_child_that_a_callers_transaction_asked_for_is_started_with_its_commit(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(CHILD);
      kit.deploy(PARENT.formatted(""));
      StartRequest request = StartRequest.of("parent").input(Map.of("n", 4));

      Answer answer = kit.engine().inTransaction(joined -> joined.start(request, ALICE));
      kit.runUntilIdle();

      assertThat(onlyChildOf(kit, answer.instance())).isWaitingAt("ask");
      assertSound(store);
    }
  }
}
