package dev.waymark.postgres.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.postgres.internal.commit.CommitStatement.Form;
import dev.waymark.postgres.internal.commit.CommitStatement.Width;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The gates of the commit, taken out one by one. Each text has every gate that its parts need, and
 * each gate stops a unit that nothing else stops: without it, the same unit passes or breaks
 * something. A shape that is added is tried by itself.
 *
 * <p>The test lies in the package of the texts, which tells no other which shapes there are.
 */
class CommitGatesTest {

  private static Trials trials;

  @BeforeAll
  static void prepare() throws SQLException {
    trials = new Trials();
  }

  @AfterAll
  static void close() throws SQLException {
    trials.close();
  }

  @ParameterizedTest(name = "{0}, {1}: {2}")
  @MethodSource("gates")
  void a_gate_stops_a_unit_that_nothing_else_stops(CommitShape shape, Width width, Gate gate)
      throws SQLException {
    String text = text(shape, width);
    Trial trial = gate.trial();

    List<Trials.Seen> seen =
        trials.tried(shape, width, trial, List.of(text, Cut.all(gate.cuts(), text)));

    String name = "%s, %s: %s".formatted(shape, width, gate);
    assertThat(seen.get(0).effect()).as("%s, with the gate", name).isEqualTo(trial.stops());
    assertThat(seen.get(1).effect()).as("%s, without it", name).isEqualTo(trial.otherwise());
    if (trial.stops() instanceof Effect.Stopped && !Gates.isOfNode(gate)) {
      assertThat(seen.get(0).othersPassed()).as("%s, the rest of the batch", name).isTrue();
    }
  }

  @ParameterizedTest(name = "{0}, {1}: {2}")
  @MethodSource("subjects")
  void a_unit_that_no_gate_stops_passes(CommitShape shape, Width width, Subject subject)
      throws SQLException {
    Trial nothing = Trial.after("select 1", subject, Effect.PASSED, Effect.BUSY);

    assertThat(trials.tried(shape, width, nothing, List.of(text(shape, width))))
        .containsExactly(new Trials.Seen(Effect.PASSED, true));
  }

  static Stream<Arguments> gates() {
    return texts(parts -> Gates.of(parts).stream());
  }

  static Stream<Arguments> subjects() {
    return texts(parts -> Stream.of(Subject.values()).filter(subject -> subject.fits(parts)));
  }

  private static Stream<Arguments> texts(Function<Set<CommitPart>, Stream<?>> tried) {
    return Stream.of(CommitShape.values())
        .flatMap(
            shape ->
                Stream.of(Width.values())
                    .flatMap(
                        width ->
                            tried
                                .apply(shape.parts())
                                .map(each -> Arguments.of(shape, width, each))));
  }

  private static String text(CommitShape shape, Width width) {
    return Cut.onOneLine(CommitStatement.text(Form.SKIPPING, shape, width));
  }
}
