package dev.waymark.proof.program;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Holds what came against what must come. */
public final class Comparison {

  private final Outcome expected;
  private final Trace came;
  private final List<String> differences = new ArrayList<>();

  private Comparison(Outcome expected, Trace came) {
    this.expected = expected;
    this.came = came;
  }

  /** Every difference, in words; none if all is well. */
  public static List<String> differences(Outcome expected, Trace came) {
    Comparison comparison = new Comparison(expected, came);
    comparison.differences.addAll(came.surprises());
    comparison.compareVisits();
    comparison.compareRuns();
    if (comparison.differences.isEmpty()) {
      comparison.compareOrder();
    }
    return comparison.differences;
  }

  // ---- the same visits, as often, at the same times

  private void compareVisits() {
    compare(
        "visit",
        expected.visits().stream().map(v -> line(v.flow(), v.label(), v.how(), v.ended())).toList(),
        came.visits().stream().map(v -> line(v.flow(), v.label(), v.how(), v.ended())).toList());
    List<String> told =
        came.visits().stream()
            .filter(v -> v.began() != null)
            .map(v -> v.flow() + " " + v.label())
            .distinct()
            .toList();
    compare(
        "begin",
        expected.visits().stream()
            .filter(v -> told.contains(v.flow() + " " + v.label()))
            .map(v -> v.flow() + " " + v.label() + " begins at " + v.began())
            .toList(),
        came.visits().stream()
            .filter(v -> told.contains(v.flow() + " " + v.label()))
            .map(v -> v.flow() + " " + v.label() + " begins at " + v.began())
            .toList());
  }

  private static String line(String flow, String label, String how, long ended) {
    return "%s '%s' %s%s".formatted(flow, label, how, ended < 0 ? "" : " at " + ended);
  }

  private void compareRuns() {
    compare(
        "run",
        expected.runs().stream().map(Canonical::text).toList(),
        came.runs().stream().map(Canonical::text).toList());
  }

  private void compare(String what, List<String> wanted, List<String> found) {
    Map<String, Long> balance = new TreeMap<>();
    wanted.forEach(line -> balance.merge(line, 1L, Long::sum));
    found.forEach(line -> balance.merge(line, -1L, Long::sum));
    balance.forEach(
        (line, missing) -> {
          if (missing != 0) {
            differences.add(
                "%s %s %d time(s): %s"
                    .formatted(
                        what, missing > 0 ? "missing" : "too many", Math.abs(missing), line));
          }
        });
  }

  // ---- the same order

  /**
   * Visits that look alike cannot be told apart, so it counts: how many of these are before each of
   * those. If there is any way to see one in the other, the counts that came, sorted, are nowhere
   * smaller than those that must come. Where all look different this is exactly the order.
   */
  private void compareOrder() {
    Map<String, List<Integer>> wanted = byLabel(expected.visits(), v -> v.flow() + " " + v.label());
    Map<String, List<Integer>> found = byLabel(came.visits(), v -> v.flow() + " " + v.label());
    wanted.forEach(
        (first, firsts) ->
            wanted.forEach(
                (second, seconds) -> {
                  Pair pair =
                      new Pair(
                          first,
                          second,
                          firsts,
                          seconds,
                          found.getOrDefault(first, List.of()),
                          found.getOrDefault(second, List.of()));
                  check(
                      pair,
                      "end before %s begins",
                      (a, b) -> seen(b).beforeBegin().get(2 * a + 1),
                      (a, b) -> visit(a).endsBeforeBegin(visit(b)));
                  check(
                      pair,
                      "begin before %s begins",
                      (a, b) -> seen(b).beforeBegin().get(2 * a),
                      (a, b) -> visit(a).beginsBeforeBegin(visit(b)));
                  check(
                      pair,
                      "end before %s ends",
                      (a, b) -> seen(b).beforeEnd().get(2 * a + 1),
                      (a, b) -> visit(a).endsBeforeEnd(visit(b)));
                }));
  }

  private record Pair(
      String first,
      String second,
      List<Integer> firsts,
      List<Integer> seconds,
      List<Integer> cameFirsts,
      List<Integer> cameSeconds) {}

  private Outcome.Seen seen(int index) {
    return expected.visits().get(index);
  }

  private Trace.Seen visit(int index) {
    return came.visits().get(index);
  }

  private void check(
      Pair pair,
      String relation,
      BiPredicate<Integer, Integer> mustBe,
      BiPredicate<Integer, Integer> was) {
    int[] wanted = counts(pair.firsts(), pair.seconds(), mustBe);
    if (wanted[wanted.length - 1] == 0) {
      return;
    }
    int[] found = counts(pair.cameFirsts(), pair.cameSeconds(), was);
    for (int i = 0; i < wanted.length; i++) {
      if (found[i] < wanted[i]) {
        differences.add(
            "order: '%s' must %s (%s, but %s)"
                .formatted(
                    pair.first(),
                    relation.formatted("'" + pair.second() + "'"),
                    Arrays.toString(wanted),
                    Arrays.toString(found)));
        return;
      }
    }
  }

  private static int[] counts(
      List<Integer> firsts, List<Integer> seconds, BiPredicate<Integer, Integer> before) {
    return seconds.stream()
        .mapToInt(b -> (int) firsts.stream().filter(a -> before.test(a, b)).count())
        .sorted()
        .toArray();
  }

  private static <T> Map<String, List<Integer>> byLabel(List<T> visits, Function<T, String> label) {
    return Stream.iterate(0, i -> i < visits.size(), i -> i + 1)
        .collect(
            Collectors.groupingBy(
                i -> label.apply(visits.get(i)), TreeMap::new, Collectors.toList()));
  }
}
