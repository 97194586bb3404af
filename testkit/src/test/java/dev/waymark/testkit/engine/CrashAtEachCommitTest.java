package dev.waymark.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.definition.Activity;
import dev.waymark.core.definition.ActivityType;
import dev.waymark.core.definition.Definition;
import dev.waymark.core.definition.DefinitionParser;
import dev.waymark.core.definition.Reaction;
import dev.waymark.core.expression.Expressions;
import dev.waymark.core.step.Kinds;
import dev.waymark.engine.CrashPoints.Point;
import dev.waymark.engine.store.sqlite.SqliteStore;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.engine.Drill.Outcome;
import dev.waymark.testkit.engine.Drill.Scene;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
  void a_scene_ends_the_same_wherever_its_process_is_killed(Scene scene) {
    Drill undisturbed = drill(Point.P3_BEFORE_COMMIT, 0);
    Outcome expected = undisturbed.play(scene);
    int commits = undisturbed.seen();
    assertThat(commits).isPositive();
    assertThat(expected.runs()).last().isEqualTo("violations: []");

    for (Point point : List.of(Point.P3_BEFORE_COMMIT, Point.P8_COMMITTED_UNHEARD)) {
      for (int deadly = 1; deadly <= commits; deadly++) {
        assertThat(drill(point, deadly).play(scene))
            .as("%s, killed at %s number %d of %d", scene, point, deadly, commits)
            .isEqualTo(expected);
      }
    }
  }

  private static Drill drill(Point point, int deadly) {
    VirtualClock clock = new VirtualClock();
    return new Drill(SqliteStore.inMemory(clock), clock, point, deadly);
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
    List.of("work", "echo", "broken").forEach(name -> types.add(() -> name));
    return new DefinitionParser(types, new Expressions()).parse(text);
  }
}
