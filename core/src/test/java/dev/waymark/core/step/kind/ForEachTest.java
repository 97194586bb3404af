package dev.waymark.core.step.kind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Attempt;
import dev.waymark.core.step.Effects;
import dev.waymark.core.step.Play;
import dev.waymark.core.step.walk.Scopes;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The same for each of many: one after another, side by side, enough of them. */
final class ForEachTest {

  private static final String EACH =
      """
        each:
          type: for-each
          with: { items: "${ Variables.items }", parallel: %d }
          item: line
          start: price
          activities:
            price: { type: work, with: { line: "${ Variables.line }" }, output: { p: "${ Output.p }" } }
          variables: { p: 0 }
          collect: "${ Variables.p }"
          until: "Output.result > 99"
          output: { prices: "${ Output.results }", early: "${ Output.early }" }
          next: done
        done: { type: end }
      """;

  @Test
  void items_are_done_one_after_another_and_their_results_collected_in_order() {
    Play play = Play.of("each", EACH.formatted(1));

    play.start(Map.of("items", List.of("a", "b", "c")));
    for (int i = 1; i <= 3; i++) {
      assertThat(play.live().activities().values().stream().filter(a -> a.state() == State.RUNNING))
          .hasSize(1);
      play.complete("price", Map.of("p", i));
    }

    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
    assertThat(play.live().variables())
        .containsEntry("prices", List.of(1L, 2L, 3L))
        .containsEntry("early", false)
        .doesNotContainKeys("line", "index", "p");
  }

  @Test
  void items_side_by_side_never_exceed_the_cap_and_stop_when_it_is_enough() {
    Play play = Play.of("each", EACH.formatted(2));
    play.start(Map.of("items", List.of("a", "b", "c", "d")));

    assertThat(running(play)).hasSize(2);
    completeLine(play, "b", 2);
    assertThat(running(play)).hasSize(2);
    completeLine(play, "c", 100);

    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
    assertThat(play.live().variables())
        .containsEntry("prices", Arrays.asList(null, 2L, 100L, null))
        .containsEntry("early", true);
  }

  private static List<ActivityInstance> running(Play play) {
    return play.live().activities().values().stream()
        .filter(a -> a.state() == State.RUNNING)
        .toList();
  }

  private static void completeLine(Play play, String line, int price) {
    ActivityInstance visit =
        running(play).stream()
            .filter(a -> Scopes.input(a).get("line").equals(line))
            .findFirst()
            .orElseThrow();
    play.step(
        new Attempt.Complete(
            play.meta(),
            visit.visit(),
            visit.attempt(),
            Map.of("p", (long) price),
            Effects.NONE,
            Duration.ZERO));
  }

  @Test
  void a_hundred_items_keep_their_results_in_pages() {
    Play play = Play.of("each", EACH.formatted(1));
    play.start(Map.of("items", IntStream.range(0, 80).boxed().toList()));

    for (int i = 0; i < 80; i++) {
      assertThat(play.live().activities().size()).isLessThan(8);
      play.complete("price", Map.of("p", i % 50));
    }

    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
    assertThat((List<?>) play.live().variables().get("prices")).hasSize(80);
  }

  @Test
  void ten_thousand_items_that_need_nobody_are_several_steps() {
    Play play =
        Play.of(
            "each",
            """
              each:
                type: for-each
                with: { items: "${ Variables.items }" }
                start: one
                activities:
                  one: { type: set, with: { sum: "${ Variables.sum + Variables.item }" } }
            """);

    play.start(Map.of("items", IntStream.range(0, 10_000).boxed().toList(), "sum", 0));
    assertThat(play.live().status()).isEqualTo(Status.RUNNING);
    play.pass(Duration.ZERO);

    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
    assertThat(play.live().variables()).containsEntry("sum", 49_995_000L);
  }

  @Test
  void no_items_are_done_at_once() {
    Play play = Play.of("each", EACH.formatted(3));

    play.start(Map.of("items", List.of()));

    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
    assertThat(play.live().variables()).containsEntry("prices", List.of());
  }

  @Test
  void results_are_those_that_are_collected_also_of_no_items() {
    String without = EACH.replaceAll("(?m)^    (collect|until|output): .*$", "");
    for (List<String> items : List.of(List.of("a"), List.<String>of())) {
      Play play = Play.of("each", without.formatted(1)).start(Map.of("items", items));
      items.forEach(item -> play.complete("price", Map.of("p", 1)));
      assertThat(play.live().variables()).containsKey("count").doesNotContainKey("results");
    }

    Play collecting = Play.of("each", EACH.formatted(1)).start(Map.of("items", List.of()));
    assertThat(collecting.live().variables()).containsEntry("prices", List.of());
  }
}
