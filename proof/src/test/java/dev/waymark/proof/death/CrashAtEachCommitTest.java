package dev.waymark.proof.death;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.definition.Activity;
import dev.waymark.core.definition.ActivityType;
import dev.waymark.core.definition.Definition;
import dev.waymark.core.definition.Reaction;
import dev.waymark.core.definition.read.DefinitionParser;
import dev.waymark.core.expression.Expressions;
import dev.waymark.core.step.kind.Kinds;
import dev.waymark.engine.spi.CrashPoints.Point;
import dev.waymark.engine.store.Store;
import dev.waymark.sqlite.SqliteStore;
import dev.waymark.testkit.VirtualClock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every kind of activity and every reaction, on a process that is killed right before or right
 * after each of its commits: the next one brings the run to the same end.
 */
final class CrashAtEachCommitTest {

  static List<Scene> scenes() {
    return Stream.of(
            FlowScenes.all(), MessageScenes.all(), ReactionScenes.all(), PeopleScenes.all())
        .flatMap(List::stream)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("scenes")
  @Timeout(300)
  void a_scene_ends_the_same_wherever_its_process_is_killed(Scene scene) {
    Drill undisturbed = drill(Point.P3_BEFORE_COMMIT, 0);
    Outcome expected = undisturbed.play(scene);
    int commits = undisturbed.seen();
    assertThat(commits).isPositive();
    assertThat(expected.runs()).last().isEqualTo("violations: []");

    Stream.of(Point.P3_BEFORE_COMMIT, Point.P8_COMMITTED_UNHEARD)
        .flatMap(
            point -> IntStream.rangeClosed(1, commits).mapToObj(deadly -> new Death(point, deadly)))
        .forEach(
            death ->
                assertThat(drill(death.point(), death.number()).play(scene))
                    .as("%s, killed at %s of %d", scene, death, commits)
                    .isEqualTo(expected));
  }

  private record Death(Point point, int number) {}

  private static Drill drill(Point point, int deadly) {
    VirtualClock clock = new VirtualClock();
    return new Drill(SqliteStore.inMemory(clock), clock, point, deadly);
  }

  /** Points that no scene passes. The tests that do are named. */
  private static final Map<Point, String> ELSEWHERE =
      Map.of(
          Point.H1_OCCURRENCES_DECIDED, "ScheduleRacesTest",
          Point.H2_OCCURRENCES_STARTED, "ScheduleRacesTest",
          Point.R1_STRANDED_FOUND, "a_takeover_that_dies_is_taken_over",
          Point.R2_HALF_RECOVERED, "a_takeover_that_dies_is_taken_over",
          Point.C2_CHILD_REFUSED, "ChildDeathsTest",
          Point.K1_BATCH_ARCHIVED, "HousekeepingTest");

  /** What an undisturbed process makes of the first scene that passes a point. */
  private record Passing(Scene scene, Outcome expected) {}

  private static final Map<Point, Passing> PASSING = new EnumMap<>(Point.class);

  private static synchronized Map<Point, Passing> passing() {
    if (PASSING.isEmpty()) {
      for (Scene scene : scenes()) {
        Drill drill = drill(Point.P3_BEFORE_COMMIT, 0).tells(event -> {}).undisturbed();
        Outcome expected = drill.play(scene);
        for (Point point : Point.values()) {
          if (drill.seen(point) > 0) {
            PASSING.putIfAbsent(point, new Passing(scene, expected));
          }
        }
      }
    }
    return PASSING;
  }

  @ParameterizedTest
  @EnumSource
  void a_scene_on_a_file_ends_the_same_at_whichever_point_its_process_is_killed(
      Point point, @TempDir Path folder) {
    Passing passing = passing().get(point);
    if (passing == null) {
      assertThat(ELSEWHERE).as("a scene that passes it, or a test that does").containsKey(point);
      return;
    }
    VirtualClock clock = new VirtualClock();
    try (Store store = SqliteStore.open(folder.resolve("waymark.db"), clock)) {
      Drill drill = new Drill(store, clock, point, 1).tells(event -> {});

      assertThat(drill.play(passing.scene())).isEqualTo(passing.expected());
      assertThat(drill.processes()).as("processes").isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"R1_STRANDED_FOUND", "R2_HALF_RECOVERED"})
  void a_takeover_that_dies_is_taken_over(Point point, @TempDir Path folder) {
    Scene forked =
        scenes().stream().filter(s -> s.name().equals("fork and join")).findFirst().orElseThrow();
    Outcome expected = drill(point, 0).play(forked);
    VirtualClock clock = new VirtualClock();
    try (Store store = SqliteStore.open(folder.resolve("waymark.db"), clock)) {
      // Two bodies have been taken and none has ended.
      Drill twice = new Drill(store, clock, Point.P11_BODY_ENDED, 1).andThen(point);

      assertThat(twice.play(forked)).isEqualTo(expected);
      assertThat(twice.processes()).isEqualTo(3);
    }
  }

  @Test
  void the_scenes_have_every_kind_and_every_reaction() {
    Set<String> types = new TreeSet<>();
    Set<String> reactions = new TreeSet<>();
    for (Scene scene : scenes()) {
      for (Definition definition : scene.definitions().stream().map(this::parse).toList()) {
        for (Activity activity :
            Stream.concat(definition.activities().values().stream(), Stream.of(definition.root()))
                .toList()) {
          types.add(activity.type());
          activity.reactions().forEach(r -> reactions.add(r.on() + " " + r.interrupt()));
        }
      }
    }

    assertThat(types).containsAll(Kinds.builtIn().stream().map(ActivityType::name).toList());
    List<String> wanted = new ArrayList<>(List.of("ERROR true"));
    for (Reaction.On on : List.of(Reaction.On.TIMEOUT, Reaction.On.MESSAGE, Reaction.On.SIGNAL)) {
      wanted.add(on + " true");
      wanted.add(on + " false");
    }
    assertThat(reactions).containsExactlyInAnyOrderElementsOf(wanted);
  }

  private Definition parse(String text) {
    List<ActivityType> types = new ArrayList<>(Kinds.builtIn());
    List.of("work", "echo", "broken", "scan").forEach(name -> types.add(() -> name));
    return new DefinitionParser(types, new Expressions()).parse(text);
  }
}
