package dev.waymark.proof.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Caller;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.Engine;
import dev.waymark.engine.Settings;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.message.Messages.Correlated;
import dev.waymark.engine.query.InboxPlace;
import dev.waymark.engine.schedule.Overlap;
import dev.waymark.engine.schedule.Schedule;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Code and data of an application that fail where only the engine expects them to. */
final class HostileCodeTest {

  private static final Caller ANNA = Caller.of("anna");

  private static final Map<String, Object> HEAVY =
      Map.of("a", "x".repeat(950_000), "b", "y".repeat(950_000));

  private static final String FAT =
      """
      waymark: 1
      key: fat
      startOn: fat
      variables: { d: %s }
      start: ask
      activities:
        ask: { type: wait }
      """
          .formatted("d".repeat(400_000));

  @ParameterizedTest
  @EnumSource
  void a_name_that_is_none_does_not_end_the_assigning_of_its_group(Stores stores) {
    for (String bad : List.of("", "x\0", "\ud800", "n".repeat(5_000))) {
      AtomicBoolean well = new AtomicBoolean();
      try (WorkflowTestKit kit =
          stores
              .create()
              .process(
                  new VirtualClock(),
                  builder ->
                      builder
                          .settings(Settings.DEFAULT)
                          .directory((tenant, group) -> List.of(well.get() ? "carl" : bad)))) {
        kit.deploy(
            """
            waymark: 1
            key: flow
            start: do
            activities:
              do: { type: user-task, with: { assign: { group: g, by: round-robin } } }
            """);
        kit.start("flow", Map.of());
        well.set(true);
        kit.start("flow", Map.of());

        kit.advance(Duration.ofMinutes(1));

        assertThat(kit.engine().tasks().of("carl", InboxPlace.START, 10, Caller.of("carl")).tasks())
            .hasSize(2);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_transactional_body_whose_step_cannot_be_stored_is_parked(Stores stores) {
    try (WorkflowTestKit kit =
        stores
            .create()
            .process(
                new VirtualClock(),
                builder ->
                    builder.transactionalActivity(
                        "book",
                        (context, connection) ->
                            ActivityResult.completed(Map.of("c", "z".repeat(240_000)))))) {
      kit.deploy(
          """
          waymark: 1
          key: flow
          start: book
          activities:
            book: { type: book, retry: { attempts: 1 }, output: { c: "${ Output.c }" }, next: ask }
            ask: { type: wait }
          """);

      Run run = kit.start("flow", HEAVY);
      kit.advance(Duration.ofMinutes(2));

      assertThat(run).isSuspended();
      assertThat(run.instance().activities().values())
          .singleElement()
          .satisfies(
              visit -> {
                Fault fault = visit.fault();
                assertThat(fault).isNotNull();
                assertThat(fault.code()).isEqualTo("NOT_STORABLE");
              });
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_schedule_whose_runs_cannot_be_stored_tells_so_and_can_be_deleted(Stores stores) {
    try (WorkflowTestKit kit =
        stores.create().process(new VirtualClock(), b -> b.settings(Settings.DEFAULT))) {
      Engine engine = kit.engine();
      kit.deploy(FAT);
      engine
          .schedules()
          .put(
              Schedule.every("s", Duration.ofMinutes(1), StartRequest.of("fat").input(HEAVY))
                  .overlap(Overlap.ALLOW),
              ANNA);

      kit.advance(Duration.ofMinutes(3));

      assertThat(engine.schedules().find("s", ANNA).orElseThrow().error())
          .contains("cannot be stored");
      assertThatThrownBy(() -> engine.schedules().trigger("s", ANNA))
          .isInstanceOf(CommandRefused.class)
          .hasMessageContaining("cannot be stored");
      engine.schedules().pause("s", ANNA);
      engine.schedules().delete("s", ANNA);
      assertThat(engine.schedules().find("s", ANNA)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_message_whose_run_cannot_be_stored_says_why_it_has_begun_none(Stores stores) {
    try (WorkflowTestKit kit = stores.create().process(new VirtualClock(), b -> {})) {
      Engine engine = kit.engine();
      kit.deploy(FAT);
      engine.messages().correlate(Correlated.of("fat", "k", HEAVY, "t", "1"), ANNA);
      kit.runUntilIdle();

      assertThat(engine.messages().unmatched(null, 10, ANNA))
          .singleElement()
          .satisfies(
              message ->
                  assertThat(engine.messages().notBegun(message.key(), ANNA))
                      .singleElement()
                      .satisfies(
                          why -> assertThat(why.why()).contains("a run that can be stored")));
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_predicate_that_fails_moves_no_run_aside_and_its_event_is_kept(Stores stores) {
    AtomicBoolean broken = new AtomicBoolean(true);
    List<InstanceId> heard = new java.util.concurrent.CopyOnWriteArrayList<>();
    try (WorkflowTestKit kit =
        stores
            .create()
            .process(
                new VirtualClock(),
                builder ->
                    builder
                        .settings(Settings.DEFAULT)
                        .subscribe(
                            "picky",
                            type -> {
                              if (broken.get()) {
                                throw new OutOfMemoryError("not really");
                              }
                              return type.equals("hello");
                            },
                            event -> heard.add(event.instance())))) {
      kit.deploy(
          """
          waymark: 1
          key: flow
          start: ask
          activities:
            ask: { type: wait, next: tell }
            tell: { type: emit, with: { type: hello } }
          """);
      Run run = kit.start("flow", Map.of());
      run.resume("ask", Map.of());
      assertThat(run).isCompleted();

      broken.set(false);
      kit.advance(Duration.ofMinutes(5));

      assertThat(heard).containsExactly(run.id());
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_document_as_deep_as_may_be_is_received_and_kept(Stores stores) {
    Object deep = 1;
    for (int i = 0; i < 63; i++) {
      deep = Map.of("k", deep);
    }
    try (WorkflowTestKit kit = stores.create().process(new VirtualClock(), b -> {})) {
      kit.deploy(
          """
          waymark: 1
          key: flow
          start: race
          activities:
            race:
              type: wait
              with: { for: external-message, key: go }
              output: { got: "${ Output }" }
              next: ask
            ask: { type: wait }
          """);
      Run run = kit.start("flow", Map.of("k", deep));
      kit.engine().messages().send(run.id(), "go", Map.of("k", deep), "x", "1", ANNA);
      kit.runUntilIdle();

      assertThat(run).isWaitingAt("ask");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_worker_of_a_closed_engine_is_refused(Stores stores) {
    WorkflowTestKit kit = stores.create().process(new VirtualClock(), b -> {});
    Engine engine = kit.engine();
    kit.close();

    assertThatThrownBy(() -> engine.worker(BookmarkKind.USER_ACTION).handle(work -> Map.of()))
        .hasMessageContaining("closed");
  }
}
