package dev.waymark.proof.bookmark;

import static dev.waymark.proof.bookmark.TaskScenes.on;
import static dev.waymark.proof.bookmark.TaskScenes.start;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tasks that the engine assigns to a member of a group. */
final class TaskAssignmentTest {

  private static final Caller FRED = in("fred", "finance");
  private static final Caller OLGA =
      Caller.of(new Actor("olga", Actor.DEFAULT_TENANT, Set.of(), Set.of("operator")));

  private static Caller in(String user, String group) {
    return Caller.of(new Actor(user, Actor.DEFAULT_TENANT, Set.of(group), Set.of()));
  }

  private static String shared(String group, String by) {
    return """
    waymark: 1
    key: shared
    start: do
    activities:
      do: { type: user-task, with: { assign: { group: %s, by: %s } } }
    """
        .formatted(group, by);
  }

  private static String assignee(Run run) {
    return String.valueOf(run.bookmark("do").terms().candidates().assignee());
  }

  @ParameterizedTest
  @EnumSource
  void the_members_of_a_group_get_tasks_by_turns(Stores stores) {
    on(
        stores,
        kit -> {
          kit.deploy(shared("finance", "round-robin"));
          List<String> got = new ArrayList<>();
          for (int i = 0; i < 5; i++) {
            got.add(assignee(kit.start("shared", Map.of())));
          }
          assertThat(got).containsExactly("finn", "fred", "finn", "fred", "finn");
          assertThat(kit.engine().tasks().inbox(10, FRED).tasks()).hasSize(2);
        });
  }

  @ParameterizedTest
  @EnumSource
  void who_has_the_fewest_gets_the_next_task(Stores stores) {
    on(
        stores,
        kit -> {
          for (int n = 0; n < 3; n++) {
            kit.engine()
                .tasks()
                .assign(start(kit, n, "P1D", "fred").bookmark("do").id(), "fred", OLGA)
                .orThrow();
          }
          kit.deploy(shared("finance", "least-loaded"));
          List<Run> runs = new ArrayList<>();
          for (int i = 0; i < 3; i++) {
            runs.add(kit.start("shared", Map.of()));
          }
          assertThat(runs).extracting(TaskAssignmentTest::assignee).containsOnly("finn");
          List<String> more = new ArrayList<>();
          for (int i = 0; i < 4; i++) {
            more.add(assignee(kit.start("shared", Map.of())));
          }
          assertThat(more.stream().filter("finn"::equals)).hasSize(2);
          assertThat(more.stream().filter("fred"::equals)).hasSize(2);
        });
  }

  @ParameterizedTest
  @EnumSource
  void a_group_that_nobody_is_known_of_parks_its_task_with_the_reason(Stores stores) {
    on(
        stores,
        kit -> {
          kit.deploy(shared("ghosts", "round-robin"));
          Run run = kit.start("shared", Map.of());
          assertThat(run.status()).isEqualTo(Status.RUNNING);
          kit.advance(Duration.ofMinutes(1));

          assertThat(run.status()).isEqualTo(Status.SUSPENDED);
          assertThat(String.valueOf(run.bookmark("do").payload().get("error")))
              .contains("NO_ASSIGNEE", "Expected a member of group 'ghosts' to be assigned");
        });
  }
}
