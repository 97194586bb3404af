package dev.waymark.core.step.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;
import static org.junit.platform.launcher.TagFilter.excludeTags;

import dev.waymark.core.step.Command;
import dev.waymark.core.step.Play;
import dev.waymark.core.step.Step;
import dev.waymark.core.step.decide.Transitions.StateMove;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The table of moves: that it is all that happens, and that all of it happens. */
@Tag("transitions")
final class TransitionsTest {

  private static final Path PAGE = Path.of("../ARCHITECTURE.md");
  private static final String BEGIN = "<!-- transitions: generated, see TransitionsTest -->\n";
  private static final String END = "<!-- end of transitions -->\n";

  // That nothing else happens is asserted in the decider itself, in every test of every module.
  @Test
  void every_move_of_the_table_is_made_by_some_test() {
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(selectPackage("dev.waymark.core.step"))
                .filters(excludeTags("transitions"))
                .build());

    assertThat(new TreeSet<>(Play.VISITED)).containsAll(Transitions.all());
  }

  @Test
  void a_move_that_is_not_in_the_table_is_noticed() {
    Play play = Play.of("w", "  w: { type: wait }\n");
    Step step = play.start(Map.of()).step(new Command.Cancel(play.meta(), "enough", false));

    StateMove made = Transitions.of(null, step).iterator().next();

    assertThat(made).isEqualTo(new StateMove("cancel", "run", "-", "cancelled"));
    assertThat(Transitions.all()).doesNotContain(made);
  }

  @Test
  void the_page_on_the_architecture_shows_the_table() throws IOException {
    String page = Files.readString(PAGE);
    int from = page.indexOf(BEGIN) + BEGIN.length();
    int to = page.indexOf(END);
    if ("write".equals(System.getProperty("transitions"))) {
      Files.writeString(PAGE, page.substring(0, from) + rendered() + page.substring(to));
      return;
    }

    assertThat(page.substring(from, to))
        .as("run with -Dtransitions=write to bring it up to date")
        .isEqualTo(rendered());
  }

  private static String rendered() {
    StringBuilder text = new StringBuilder();
    for (String subject : List.of("run", "visit")) {
      Map<String, Set<String>> rows = new TreeMap<>();
      for (StateMove move : Transitions.all()) {
        if (move.subject().equals(subject)) {
          rows.computeIfAbsent(move.from() + " → " + move.to(), key -> new TreeSet<>())
              .add(move.command());
        }
      }
      text.append("\n| a ").append(subject).append(" goes | by |\n|---|---|\n");
      rows.forEach(
          (move, by) -> text.append("| %s | %s |\n".formatted(move, String.join(", ", by))));
    }
    return text.append('\n').toString();
  }
}
