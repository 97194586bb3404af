package dev.waymark.engine.internal.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.StoredFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The moves of a queued command: that each of them is made, and that no other can be. */
class CommandStateTest {

  private static final Path PAGE = Path.of("../ARCHITECTURE.md");
  private static final String BEGIN = "<!-- command moves: see CommandStateTest -->\n";
  private static final String END = "<!-- end of command moves -->\n";

  private static final InstanceId RUN = new InstanceId(new UUID(0, 1));
  private static final StateReader.ReadState NO_INSTANCE =
      new StateReader.ReadState(null, StoredFacts.NONE);

  /** Everything by which a mailbox moves a command. */
  private static final List<Consumer<PendingCommand>> VERBS =
      List.of(
          command -> command.reading(1),
          command -> command.read(NO_INSTANCE),
          PendingCommand::unread,
          PendingCommand::behindUnit,
          PendingCommand::inUnit,
          PendingCommand::triedInVain,
          PendingCommand::left);

  private record Move(CommandState from, CommandState to) {}

  @Test
  void a_move_that_is_not_listed_is_refused() {
    for (Move move : pairs()) {
      if (move.from().mayBecome(move.to())) {
        assertThat(move.from().to(move.to())).isEqualTo(move.to());
      } else {
        assertThatThrownBy(() -> move.from().to(move.to()))
            .isInstanceOf(IllegalStateException.class)
            .hasMessage(
                "Expected a listed move of a command, but got %s to %s"
                    .formatted(move.from(), move.to()));
      }
    }
  }

  @Test
  void every_listed_move_is_made_by_a_verb_and_no_verb_makes_another() {
    Set<Move> made = moves(CommandStateTest::cancel);
    made.addAll(moves(CommandStateTest::resume));

    assertThat(made)
        .containsExactlyInAnyOrderElementsOf(
            pairs().stream().filter(move -> move.from().mayBecome(move.to())).toList());
  }

  @Test
  void a_command_that_is_refused_a_move_stays_where_it_is() {
    PendingCommand command = cancel();
    command.reading(1);

    assertThatThrownBy(command::inUnit).isInstanceOf(IllegalStateException.class);
    assertThat(command.is(CommandState.READING)).isTrue();
  }

  @Test
  void every_command_can_come_to_its_end_and_none_comes_back_from_there() {
    for (CommandState state : CommandState.values()) {
      assertThat(reachable(state))
          .as("from " + state)
          .satisfies(
              reached ->
                  assertThat(reached.contains(CommandState.LEFT))
                      .isEqualTo(state != CommandState.LEFT));
    }
  }

  @Test
  void a_command_of_a_wait_is_read_again_after_a_try_in_vain_and_an_engines_own_need_not_be() {
    PendingCommand own = cancel();
    PendingCommand ofAWait = resume();
    for (PendingCommand command : List.of(own, ofAWait)) {
      command.inUnit();
      command.triedInVain();
    }

    assertThat(own.is(CommandState.QUEUED)).isTrue();
    assertThat(ofAWait.is(CommandState.UNREAD)).isTrue();
  }

  @Test
  void the_page_on_the_architecture_shows_the_moves() throws IOException {
    String page = Files.readString(PAGE);
    int from = page.indexOf(BEGIN) + BEGIN.length();
    int to = page.indexOf(END);

    assertThat(page.substring(from, to)).isEqualTo(rendered());
  }

  private static String rendered() {
    StringBuilder text = new StringBuilder("\n| a command goes from | to |\n|---|---|\n");
    for (CommandState from : CommandState.values()) {
      String next =
          Arrays.stream(CommandState.values())
              .filter(from::mayBecome)
              .map(CommandStateTest::word)
              .collect(Collectors.joining(", "));
      text.append("| %s | %s |\n".formatted(word(from), next.isEmpty() ? "-" : next));
    }
    return text.append('\n').toString();
  }

  private static String word(CommandState state) {
    return state.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** The moves that the verbs make, each tried in each state that they lead to. */
  private static Set<Move> moves(Supplier<PendingCommand> fresh) {
    Set<Move> made = new HashSet<>();
    Set<CommandState> known = EnumSet.of(CommandState.QUEUED);
    Deque<List<Consumer<PendingCommand>>> paths = new ArrayDeque<>(List.of(List.of()));
    while (!paths.isEmpty()) {
      List<Consumer<PendingCommand>> path = paths.remove();
      for (Consumer<PendingCommand> verb : VERBS) {
        PendingCommand command = fresh.get();
        path.forEach(step -> step.accept(command));
        CommandState from = state(command);
        try {
          verb.accept(command);
        } catch (IllegalStateException refused) {
          continue;
        }
        CommandState to = state(command);
        made.add(new Move(from, to));
        if (known.add(to)) {
          List<Consumer<PendingCommand>> longer = new ArrayList<>(path);
          longer.add(verb);
          paths.add(longer);
        }
      }
    }
    return made;
  }

  private static CommandState state(PendingCommand command) {
    return Arrays.stream(CommandState.values()).filter(command::is).findFirst().orElseThrow();
  }

  private static Set<CommandState> reachable(CommandState from) {
    Set<CommandState> reached = new TreeSet<>();
    Deque<CommandState> open = new ArrayDeque<>(List.of(from));
    while (!open.isEmpty()) {
      CommandState state = open.remove();
      for (CommandState next : CommandState.values()) {
        if (state.mayBecome(next) && reached.add(next)) {
          open.add(next);
        }
      }
    }
    return reached;
  }

  private static List<Move> pairs() {
    List<Move> pairs = new ArrayList<>();
    for (CommandState from : CommandState.values()) {
      for (CommandState to : CommandState.values()) {
        pairs.add(new Move(from, to));
      }
    }
    return pairs;
  }

  private static PendingCommand cancel() {
    return PendingCommand.internal(new Command.Cancel(meta(), "enough", false));
  }

  private static PendingCommand resume() {
    return PendingCommand.internal(
        new Command.Resume(meta(), new BookmarkId(RUN, 7), 1L, Map.of()));
  }

  private static Command.Meta meta() {
    return new Command.Meta("c1", Actor.ENGINE, Instant.EPOCH, null, null, null);
  }
}
