package dev.waymark.proof.death;

import static dev.waymark.proof.message.ChildrenTest.CHILD;
import static dev.waymark.proof.message.ChildrenTest.PARENT;
import static dev.waymark.proof.message.ChildrenTest.assertFailedToStart;
import static dev.waymark.proof.message.ChildrenTest.assertSound;
import static dev.waymark.proof.message.ChildrenTest.childOf;
import static dev.waymark.proof.message.ChildrenTest.onlyChildOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.Json;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.ChildStart;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.Caller;
import dev.waymark.engine.EngineBuilder;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.spi.CrashPoints.Point;
import dev.waymark.engine.store.Inbox;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs that start runs, in processes that die at the wrong moment. */
final class ChildDeathsTest {

  private static final Caller ALICE = Caller.of("alice");

  private final VirtualClock clock = new VirtualClock();

  private static Consumer<EngineBuilder> dyingAt(Point point) {
    return builder ->
        builder.crashPoints(
            reached -> {
              if (reached == point) {
                throw new IllegalStateException("died on purpose");
              }
            });
  }

  /** What a process leaves behind that dies at a point: the id of the one run it has started. */
  private InstanceId diesAt(Point point, Stores.Place place, String... definitions) {
    Store store = place.open(clock);
    WorkflowTestKit dying = WorkflowTestKit.on(store, clock, dyingAt(point));
    for (String definition : definitions) {
      dying.deploy(definition);
    }
    assertThatThrownBy(() -> dying.start("parent", Map.of("n", 3)))
        .hasStackTraceContaining("died on purpose");
    List<Instance> left =
        dying.engine().instances().list(InstanceQuery.ALL.withDefinition("parent"), ALICE);
    assertThat(left).hasSize(1);
    store.close();
    return left.get(0).id();
  }

  @ParameterizedTest
  @EnumSource
  void a_child_is_started_once_although_the_node_died_before_it_could(Stores stores) {
    Stores.Place place = stores.create();
    InstanceId parent = diesAt(Point.C1_CHILD_ASKED, place, CHILD, PARENT.formatted(""));

    Store store = place.open(clock);
    try (WorkflowTestKit next = WorkflowTestKit.on(store, clock, builder -> {})) {
      Run child = onlyChildOf(next, parent);
      assertThat(child).isWaitingAt("ask");
      assertThat(child.instance().version()).isEqualTo(1);

      child.resume("ask", Map.of());

      assertThat(next.run(parent)).isCompleted().hasVariable("doubled", 6);
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_failed_start_reaches_the_parent_although_the_node_died_before_telling_it(Stores stores) {
    Stores.Place place = stores.create();
    String parentOfNobody = PARENT.replace("definition: child", "definition: nobody").formatted("");
    InstanceId parent = diesAt(Point.C2_CHILD_REFUSED, place, parentOfNobody);

    Store store = place.open(clock);
    try (WorkflowTestKit next = WorkflowTestKit.on(store, clock, builder -> {})) {
      assertFailedToStart(next.run(parent), "NOT_FOUND", "'nobody'");
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_child_that_was_cancelled_before_it_started_is_cancelled_after(Stores stores) {
    Stores.Place place = stores.create();
    Store first = place.open(clock);
    WorkflowTestKit dying = WorkflowTestKit.on(first, clock, dyingAt(Point.C1_CHILD_ASKED));
    dying.deploy(CHILD);
    dying.deploy(PARENT.formatted(""));
    assertThatThrownBy(() -> dying.start("parent", Map.of("n", 3)))
        .hasStackTraceContaining("died on purpose");
    InstanceId parent = dying.engine().instances().list(InstanceQuery.ALL, ALICE).get(0).id();
    dying.run(parent).cancel("second thoughts");
    assertThat(dying.run(parent)).isCancelled();
    assertThat(dying.engine().instances().find(childOf(parent), ALICE)).isEmpty();
    assertSound(first);
    first.close();

    Store store = place.open(clock);
    try (WorkflowTestKit next = WorkflowTestKit.on(store, clock, builder -> {})) {
      assertThat(next.run(childOf(parent))).isCancelled();
      assertThat(next.run(parent)).isCancelled();
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_cancellation_that_was_there_before_its_child_is_found_right_after_the_start(
      Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(CHILD);
      kit.deploy(PARENT.formatted(""));
      InstanceId parent = InstanceId.derived("default", "order-1");
      MessageRow early =
          new MessageRow(
              new Message.Key("default", Message.FROM_A_STEP, "early"),
              childOf(parent),
              Message.CANCEL,
              "{\"reason\":\"too late\"}",
              "test",
              clock.instant());
      assertThat(store.inbox().receive(early)).isTrue();

      kit.engine()
          .instances()
          .start(StartRequest.of("parent").input(Map.of("n", 1)), ALICE.withCommandId("order-1"))
          .orThrow();
      kit.runUntilIdle();
      kit.advance(Duration.ofMillis(10));

      assertThat(kit.run(childOf(parent))).isCancelled();
      assertThat(kit.run(parent)).isSuspended();
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_second_request_for_a_child_changes_nothing_and_is_removed(Stores stores) {
    Stores.Place place = stores.create();
    Store first = place.open(clock);
    WorkflowTestKit kit = WorkflowTestKit.on(first, clock, builder -> {});
    kit.deploy(CHILD);
    kit.deploy(PARENT.formatted(""));
    Run parent = kit.start("parent", Map.of("n", 1));
    InstanceId child = childOf(parent.id());
    assertThat(first.inbox().receive(request(child, parent.id()))).isTrue();
    kit.close();

    Store store = place.open(clock);
    try (WorkflowTestKit next = WorkflowTestKit.on(store, clock, builder -> {})) {
      assertThat(next.run(child)).isWaitingAt("ask").hasVariable("n", 1);
      assertThat(next.run(child).instance().version()).isEqualTo(1);
      assertThat(store.inbox().waitingFor(Actor.DEFAULT_TENANT, child, Inbox.Place.START, 10))
          .isEmpty();
    }
  }

  private MessageRow request(InstanceId child, InstanceId parent) {
    ChildStart wanted =
        new ChildStart(
            "child",
            null,
            Map.of("n", 2L),
            null,
            null,
            null,
            new Instance.Origin.Parent(parent, 1, true));
    return new MessageRow(
        new Message.Key("default", Message.FROM_A_STEP, "again"),
        child,
        Message.START,
        Json.write(wanted.toDocument()),
        "test",
        clock.instant());
  }

  @ParameterizedTest
  @EnumSource
  void a_node_that_leaves_delivers_what_it_still_has(Stores stores) {
    Stores.Place place = stores.create();
    AtomicInteger lost = new AtomicInteger();
    WorkflowTestKit leaving =
        WorkflowTestKit.on(
            place.open(clock),
            clock,
            builder ->
                builder.crashPoints(
                    point -> {
                      if (point == Point.C1_CHILD_ASKED && lost.getAndIncrement() == 0) {
                        throw new IllegalStateException("lost on purpose");
                      }
                    }));
    leaving.deploy(CHILD);
    leaving.deploy(PARENT.formatted(""));
    assertThatThrownBy(() -> leaving.start("parent", Map.of("n", 1)))
        .hasStackTraceContaining("lost on purpose");

    leaving.close();

    try (Store left = place.open(clock)) {
      assertThat(left.broadcasts().waiting(10)).isEmpty();
      assertThat(left.inbox().matchable(Inbox.Place.START, 10)).isEmpty();
    }
  }
}
