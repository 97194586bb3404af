package dev.waymark.proof.message;

import static dev.waymark.proof.death.Acts.HOURS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Correction.SetVariables;
import dev.waymark.core.step.InterventionAction;
import dev.waymark.core.step.MigrationPlan;
import dev.waymark.engine.Caller;
import dev.waymark.engine.MigrationRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.message.Event;
import dev.waymark.engine.spi.CrashPoints.Point;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.death.Drill;
import dev.waymark.proof.death.FlowScenes;
import dev.waymark.proof.death.MessageScenes;
import dev.waymark.proof.death.PeopleScenes;
import dev.waymark.proof.death.ReactionScenes;
import dev.waymark.proof.death.Scene;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Everything that history says is told to who listens: in order for each run, and again until the
 * listener takes it.
 */
final class EventsTest {

  private static final Caller ANNA = Caller.of("anna");
  private static final Caller ADMIN =
      Caller.of(new Actor("anna", Actor.DEFAULT_TENANT, Set.of(), Set.of("workflow-admin")));

  /** What the scenes of the crash tests do not show. */
  private static final List<Scene> MORE =
      List.of(
          Scene.of(
              "a run that an operator holds while its body ends and its timer comes due",
              """
                a: { type: fork, with: { branches: [b, c] } }
                b: { type: timer, with: { after: PT1H } }
                c: { type: holds }
              """,
              HOURS,
              (drill, name) ->
                  drill.in().operations().continueInstance(drill.runId(), "go on", ANNA)),
          Scene.of(
              "a body that is tried again, one that is skipped, and a run that is cancelled",
              """
                a: { type: flaky, next: b }
                b: { type: broken, next: c }
                c: { type: wait, with: { key: c } }
              """,
              HOURS,
              (drill, name) ->
                  drill
                      .in()
                      .operations()
                      .intervene(
                          drill.open("b").orElseThrow(),
                          InterventionAction.SKIP_ACTIVITY,
                          "skip",
                          ADMIN)
                      .orThrow(),
              (drill, name) -> drill.in().operations().cancel(drill.runId(), "enough", ANNA)),
          Scene.of(
              "a wait that expires, a correction and another version",
              """
                a: { type: fork, with: { branches: [b, c] } }
                b: { type: wait, with: { for: external-message, key: b, expires: PT1H } }
                c: { type: wait, with: { key: c } }
              """,
              HOURS,
              (drill, name) ->
                  drill
                      .in()
                      .operations()
                      .edit(drill.runId(), new SetVariables(Map.of("x", 1), List.of()), "x", ANNA)
                      .orThrow(),
              (drill, name) -> migrate(drill)));

  private static void migrate(Drill drill) {
    drill
        .in()
        .definitions()
        .deploy(
            Scene.flow(
                "flow",
                "name: Second\n",
                """
                  a: { type: fork, with: { branches: [b, c] } }
                  b: { type: wait, with: { for: external-message, key: b, expires: PT1H } }
                  c: { type: wait, with: { key: c } }
                """),
            ANNA);
    assertThat(
            drill
                .in()
                .operations()
                .migrate(new MigrationRequest("flow", 1, 2, MigrationPlan.PLAIN), ANNA)
                .moved())
        .isEqualTo(1);
  }

  /** A listener that refuses every event when it hears it first. */
  private static final class Deaf {
    private final Set<String> refused = new HashSet<>();
    private final Map<InstanceId, List<String>> heard = new HashMap<>();

    void on(Event event) {
      if (refused.add(event.id())) {
        throw new IllegalStateException("not listening");
      }
      heard.computeIfAbsent(event.instance(), id -> new ArrayList<>()).add(event.type());
    }

    List<String> of(InstanceId run) {
      return heard.getOrDefault(run, List.of());
    }
  }

  @ParameterizedTest
  @EnumSource
  void all_that_history_says_comes_in_order_and_again_until_the_listener_takes_it(Stores stores) {
    EnumSet<HistoryEntry.Type> told = EnumSet.noneOf(HistoryEntry.Type.class);
    for (Scene scene : scenes(stores)) {
      VirtualClock clock = new VirtualClock();
      try (Store store = stores.create().open(clock)) {
        // One process dies over the body of the first scene; the next one takes it over.
        boolean deadly = told.isEmpty();
        Drill drill = new Drill(store, clock, Point.P1_TAKEN, deadly ? 1 : 0);
        told.addAll(toldOf(scene, deadly ? drill : drill.undisturbed()));
      }
    }
    // Given back by a node that does not know the type: see the next test.
    told.add(HistoryEntry.Type.ACTIVITY_RELEASED);
    // No step writes them: that the wait was consumed says it. Their place in the order is stored.
    told.addAll(
        Set.of(HistoryEntry.Type.MESSAGE_RECEIVED, HistoryEntry.Type.INTERVENTION_RESOLVED));
    assertThat(EnumSet.complementOf(told)).as("types that no scene has shown").isEmpty();
  }

  /** Plays a scene, compares what was heard with what history says, and gives its types. */
  private static Set<HistoryEntry.Type> toldOf(Scene scene, Drill drill) {
    Deaf listener = new Deaf();
    drill.tells(listener::on).play(scene);
    Set<HistoryEntry.Type> types = EnumSet.noneOf(HistoryEntry.Type.class);
    for (Instance run : drill.runs()) {
      List<HistoryEntry> history = drill.in().instances().history(run.id(), 1, 1_000, ANNA);
      assertThat(listener.of(run.id()))
          .as("%s, run %s", scene, run.id())
          .containsExactlyElementsOf(history.stream().map(EventsTest::eventType).toList());
      history.forEach(entry -> types.add(entry.type()));
    }
    return types;
  }

  /** On PostgreSQL, where each takes long, those that are needed for every type to be there. */
  private static List<Scene> scenes(Stores stores) {
    Set<String> needed =
        Set.of(
            "set, a body and end",
            "fork and join",
            "timer, emit and terminate",
            "sub-workflow",
            "signal",
            "send",
            "a callback, and reports before and after it",
            "on timeout, beside and instead",
            "compensate",
            "a cancel that undoes",
            "on error of a body",
            "approval with two levels",
            "user task from hand to hand, escalated");
    List<Scene> all =
        Stream.of(FlowScenes.all(), MessageScenes.all(), ReactionScenes.all(), PeopleScenes.all())
            .flatMap(List::stream)
            .filter(scene -> stores == Stores.SQLITE || needed.contains(scene.name()))
            .toList();
    return Stream.concat(all.stream(), MORE.stream()).toList();
  }

  private static String eventType(HistoryEntry entry) {
    return entry.type() == HistoryEntry.Type.EVENT_EMITTED
        ? String.valueOf(entry.detail().get("type"))
        : entry.type().eventType();
  }

  private static final String STRANGE =
      """
      waymark: 1
      key: strange
      start: a
      activities:
        a: { type: strange }
      """;

  @ParameterizedTest
  @EnumSource
  void that_a_node_gives_back_what_it_does_not_know_is_told_too(Stores stores) {
    VirtualClock clock = new VirtualClock();
    Stores.Place place = stores.create();
    Deaf listener = new Deaf();
    Run run;
    try (WorkflowTestKit knows =
        place.process(
            clock,
            builder ->
                builder
                    .activity("strange", context -> ActivityResult.completed())
                    .subscribe("all", type -> true, listener::on)
                    .stepByStep())) {
      knows.deploy(STRANGE);
      run = knows.start("strange", Map.of());
    }
    try (WorkflowTestKit doesNot =
        place.process(clock, builder -> builder.subscribe("all", type -> true, listener::on))) {
      doesNot.advance(Duration.ofSeconds(30));
      List<HistoryEntry> history = doesNot.run(run.id()).history();

      assertThat(history)
          .extracting(HistoryEntry::type)
          .contains(HistoryEntry.Type.ACTIVITY_RELEASED);
      assertThat(listener.of(run.id()))
          .containsExactlyElementsOf(history.stream().map(EventsTest::eventType).toList());
    }
  }
}
