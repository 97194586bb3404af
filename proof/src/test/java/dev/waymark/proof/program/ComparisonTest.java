package dev.waymark.proof.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.proof.program.run.ProgramRunner;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * A comparison that cannot fail proves nothing: what really came of some programs passes, and every
 * fault that is planted into it is told.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ComparisonTest {

  private static final int PROGRAMS = 60;

  /** What must come of a program, and what did. */
  private record Case(Outcome expected, Trace came) {}

  private final List<Case> cases = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // Set before all tests.
  private ProgramRunner runner;

  @BeforeAll
  void play() {
    runner = ProgramRunner.inMemory();
    Generator generator = new Generator(EnumSet.allOf(Feature.class));
    for (long seed = 1; seed <= PROGRAMS; seed++) {
      Program program = generator.program(seed);
      cases.add(new Case(Oracle.tell(program, 0), runner.run(program)));
    }
  }

  @AfterAll
  void close() {
    runner.close();
  }

  @Test
  void visits_as_the_engine_made_them_show_no_difference() {
    assertThat(cases)
        .allSatisfy(c -> assertThat(Comparison.differences(c.expected(), c.came())).isEmpty());
    assertThat(runner.violations()).isEmpty();
  }

  @Test
  void a_missing_visit_is_told() {
    each(visits -> visits.subList(1, visits.size()), "visit missing");
    each(visits -> visits.subList(0, visits.size() - 1), "visit missing");
  }

  @Test
  void a_visit_too_many_is_told() {
    each(
        visits -> {
          List<Trace.Seen> more = new ArrayList<>(visits);
          more.add(visits.getFirst());
          return more;
        },
        "visit too many");
  }

  @Test
  void a_visit_under_another_label_or_with_another_end_is_told() {
    each(first(v -> with(v, v.label() + "?", v.how(), v.ended())), "visit missing");
    each(first(v -> with(v, v.label(), "GONE", v.ended())), "visit missing");
    each(first(v -> with(v, v.label(), v.how(), v.ended() + 1)), "visit missing");
  }

  @Test
  void a_visit_that_began_at_another_time_is_told() {
    int told = 0;
    for (Case c : cases) {
      for (int i = 0; i < c.came().visits().size(); i++) {
        Trace.Seen visit = c.came().visits().get(i);
        if (visit.began() != null) {
          Trace late = replaced(c.came(), i, began(visit, visit.began() + 1));
          assertThat(Comparison.differences(c.expected(), late)).isNotEmpty();
          told++;
        }
      }
    }
    assertThat(told).isGreaterThan(50);
  }

  /** Every visit of which another must have seen the end is moved to the end of its run. */
  @Test
  void visits_in_the_wrong_order_are_told() {
    int told = 0;
    for (Case c : cases) {
      List<Outcome.Seen> expected = c.expected().visits();
      for (int i = 0; i < expected.size(); i++) {
        int index = i;
        // Of visits in different runs only their times can be compared.
        boolean waitedFor =
            expected.stream()
                .filter(v -> v.flow().equals(expected.get(index).flow()))
                .anyMatch(v -> v.beforeBegin().get(2 * index + 1));
        int place = only(c.came(), expected.get(i));
        if (waitedFor && place >= 0) {
          Trace.Seen visit = c.came().visits().get(place);
          Trace wrong = replaced(c.came(), place, moved(visit));
          assertThat(Comparison.differences(c.expected(), wrong))
              .as("'%s' moved to the end of %s", visit.label(), visit.flow())
              .anyMatch(d -> d.startsWith("order:") && d.contains(visit.label()));
          told++;
        }
      }
    }
    assertThat(told).isGreaterThan(100);
  }

  @Test
  void a_wrong_end_of_a_run_is_told() {
    eachRun(r -> new Outcome.Ended(r.flow(), another(r.status()), r.code(), r.variables()));
    eachRun(r -> new Outcome.Ended(r.flow(), r.status(), "OTHER", r.variables()));
  }

  private static String another(String status) {
    return status.equals("CANCELLED") ? "COMPLETED" : "CANCELLED";
  }

  @Test
  void a_wrong_variable_is_told() {
    eachRun(r -> changed(r, "k1", 99L));
    eachRun(r -> changed(r, "unknown", 1L));
    eachRun(
        r -> {
          Map<String, @Nullable Object> less = new HashMap<>(r.variables());
          less.remove(less.keySet().iterator().next());
          return new Outcome.Ended(r.flow(), r.status(), r.code(), less);
        });
  }

  @Test
  void a_surprise_on_the_way_is_told() {
    Case c = cases.getFirst();
    Trace surprised =
        new Trace(c.came().visits(), c.came().runs(), List.of("answer: nobody waits for 'w1'"));

    assertThat(Comparison.differences(c.expected(), surprised)).hasSize(1);
  }

  // ---- planting

  private void each(UnaryOperator<List<Trace.Seen>> plant, String told) {
    for (Case c : cases) {
      Trace wrong =
          new Trace(plant.apply(c.came().visits()), c.came().runs(), c.came().surprises());
      assertThat(Comparison.differences(c.expected(), wrong)).anyMatch(d -> d.startsWith(told));
    }
  }

  private static UnaryOperator<List<Trace.Seen>> first(UnaryOperator<Trace.Seen> plant) {
    return visits -> {
      List<Trace.Seen> changed = new ArrayList<>(visits);
      changed.set(0, plant.apply(visits.getFirst()));
      return changed;
    };
  }

  private void eachRun(UnaryOperator<Outcome.Ended> plant) {
    for (Case c : cases) {
      List<Outcome.Ended> runs = new ArrayList<>(c.came().runs());
      runs.set(0, plant.apply(runs.getFirst()));
      Trace wrong = new Trace(c.came().visits(), runs, c.came().surprises());
      assertThat(Comparison.differences(c.expected(), wrong))
          .anyMatch(d -> d.startsWith("run missing"));
    }
  }

  private static Outcome.Ended changed(Outcome.Ended run, String name, Object value) {
    Map<String, @Nullable Object> variables = new HashMap<>(run.variables());
    variables.put(name, value);
    return new Outcome.Ended(run.flow(), run.status(), run.code(), variables);
  }

  /** The place of the one visit of that flow and label, or -1 if there are several. */
  private static int only(Trace came, Outcome.Seen wanted) {
    int[] places =
        IntStream.range(0, came.visits().size())
            .filter(i -> came.visits().get(i).flow().equals(wanted.flow()))
            .filter(i -> came.visits().get(i).label().equals(wanted.label()))
            .toArray();
    return places.length == 1 ? places[0] : -1;
  }

  private static Trace replaced(Trace came, int place, Trace.Seen visit) {
    List<Trace.Seen> visits = new ArrayList<>(came.visits());
    visits.set(place, visit);
    return new Trace(visits, came.runs(), came.surprises());
  }

  private static Trace.Seen with(Trace.Seen v, String label, String how, long ended) {
    return new Trace.Seen(
        v.flow(),
        v.run(),
        label,
        how,
        v.began(),
        ended,
        v.number(),
        v.first(),
        v.last(),
        v.ranFirst(),
        v.ranLast());
  }

  private static Trace.Seen began(Trace.Seen v, long began) {
    return new Trace.Seen(
        v.flow(),
        v.run(),
        v.label(),
        v.how(),
        began,
        v.ended(),
        v.number(),
        v.first(),
        v.last(),
        v.ranFirst(),
        v.ranLast());
  }

  private static Trace.Seen moved(Trace.Seen v) {
    return new Trace.Seen(
        v.flow(),
        v.run(),
        v.label(),
        v.how(),
        v.began(),
        v.ended(),
        1_000_000,
        1_000_000,
        1_000_001,
        v.ranFirst() == 0 ? 0 : 1_000_000,
        v.ranLast() == 0 ? 0 : 1_000_000);
  }
}
