package dev.waymark.proof.program;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Draws choices, loops, forks and what joins them. */
final class Branching {

  private final Sketch sketch;
  private final Draw draw;
  private final Fragments fragments;
  private final Leaves leaves;
  private final Decorations decorations;

  Branching(Sketch sketch, Fragments fragments, Leaves leaves, Decorations decorations) {
    this.sketch = sketch;
    this.draw = sketch.draw;
    this.fragments = fragments;
    this.leaves = leaves;
    this.decorations = decorations;
  }

  void offer(Strand strand, @Nullable String next, List<Fragments.Maker> makers) {
    offer(Feature.CHOICE, makers, this::choice);
    offer(Feature.FORK, makers, this::fork);
    if (strand.mute) {
      return;
    }
    offer(Feature.FORK, makers, this::fork);
    offer(Feature.LOOP, makers, this::loop);
    offer(Feature.TANGLE, makers, this::tangle);
    offer(Feature.JOIN_SOME, makers, this::joinSome);
    offer(Feature.SPLIT, makers, this::split);
    offer(Feature.RACE, makers, this::race);
    if (next == null) {
      offer(Feature.SPREAD, makers, (s, none) -> spread(s));
    }
  }

  private void offer(Feature feature, List<Fragments.Maker> makers, Fragments.Maker maker) {
    if (sketch.may(feature)) {
      makers.add(maker);
    }
  }

  // ---- one way of several

  private String choice(Strand strand, @Nullable String next) {
    List<Activity.Way> ways = new ArrayList<>();
    for (int i = draw.between(1, 2); i > 0; i--) {
      ways.add(new Activity.Way(strand.condition(), side(strand, next)));
    }
    Activity choice = Activity.of(sketch.newId("c"), new Kind.Set(Map.of()), null);
    if (!strand.mute && sketch.happens(Feature.FAULT, 6)) {
      return strand.add(decorations.catching(choice.next(ways), strand, next, 70));
    }
    ways.add(new Activity.Way(null, next != null && draw.chance(40) ? next : side(strand, next)));
    return strand.add(choice.next(ways));
  }

  private String side(Strand strand, @Nullable String next) {
    if (!strand.mute && sketch.happens(Feature.TERMINATE, 25)) {
      String status = draw.one(List.of("COMPLETED", "FAILED", "CANCELLED"));
      return strand.add(Activity.of(sketch.newId("x"), new Kind.Terminate(status, "STOP"), null));
    }
    String ahead = strand.ahead();
    if (ahead != null && sketch.happens(Feature.TANGLE, 10)) {
      return ahead;
    }
    if (draw.chance(5)) {
      return strand.add(Activity.of(sketch.newId("x"), new Kind.End(), null));
    }
    return fragments.sequence(strand.deeper(), next, draw.between(1, 2));
  }

  private String loop(Strand strand, @Nullable String next) {
    String counter = strand.fresh(0L);
    String count = sketch.newId("i");
    Strand body = strand.marked(counter);
    String entry = fragments.sequence(body, count, draw.between(1, 2));
    strand.add(
        Activity.of(count, new Kind.Set(Map.of(counter, new Term.Plus(counter, 1))), null)
            .next(
                List.of(
                    new Activity.Way(new Condition.Less(counter, draw.between(1, 3)), entry),
                    new Activity.Way(null, exit(strand, next)))));
    return strand.add(
        Activity.of(sketch.newId("s"), new Kind.Set(Map.of(counter, new Term.Const(0L))), entry));
  }

  private String exit(Strand strand, @Nullable String next) {
    return next != null ? next : strand.add(Activity.of(sketch.newId("x"), new Kind.End(), null));
  }

  /** A cycle that can be entered at two places, which no nest of loops can say. */
  private String tangle(Strand strand, @Nullable String next) {
    String counter = strand.fresh(0L);
    String second = sketch.newId("i");
    String first = fragments.sequence(strand.marked(counter), second, 1);
    strand.add(
        Activity.of(second, new Kind.Set(Map.of(counter, new Term.Plus(counter, 1))), null)
            .next(
                List.of(
                    new Activity.Way(new Condition.Less(counter, draw.between(1, 4)), first),
                    new Activity.Way(null, exit(strand, next)))));
    return strand.add(
        Activity.of(sketch.newId("c"), new Kind.Set(Map.of(counter, new Term.Const(0L))), null)
            .next(
                List.of(
                    new Activity.Way(strand.condition(), first), new Activity.Way(null, second))));
  }

  private String race(Strand strand, @Nullable String next) {
    String id = sketch.newId("q");
    Map<String, Kind.Rival> rivals = new LinkedHashMap<>();
    boolean sure = !sketch.happens(Feature.FAULT, 10);
    for (int i = draw.between(2, 3); i > 0; i--) {
      String name = "r" + i;
      String to = draw.chance(30) ? fragments.sequence(strand.deeper(), next, 1) : null;
      Condition when = (i > 1 || !sure) && draw.chance(sure ? 20 : 80) ? strand.condition() : null;
      rivals.put(name, new Kind.Rival(rival(strand, id + name), when, to));
    }
    Map<String, Term> output = Map.of(strand.fresh("none"), new Term.Output("winner"));
    Activity race = Activity.of(id, new Kind.Race(rivals), next).output(output);
    Activity safe = sure ? race : decorations.catching(race, strand, next, 70);
    return strand.add(decorations.reacting(safe, strand, next, 15));
  }

  private Kind.Waiting rival(Strand strand, String key) {
    if (sketch.may(Feature.MESSAGE) && !sketch.child && draw.chance(20)) {
      return new Kind.Wait(Kind.Source.MESSAGE, strand.label(key), Map.of("x", draw.small()));
    }
    if (sketch.happens(Feature.SIGNAL, 20)) {
      return new Kind.Wait(
          Kind.Source.SIGNAL, new Term.Const(decorations.signalName()), Map.of("x", draw.small()));
    }
    return draw.chance(50)
        ? new Kind.Timer(draw.between(5, 3000))
        : new Kind.Wait(Kind.Source.USER_ACTION, strand.label(key), Map.of("x", draw.small()));
  }

  // ---- side by side

  private String fork(Strand strand, @Nullable String next) {
    String join = sketch.newId("j");
    List<String> branches = new ArrayList<>();
    List<Strand> strands = new ArrayList<>();
    boolean whole = true;
    for (int i = draw.between(2, 3); i > 0; i--) {
      if (draw.chance(12)) {
        branches.add(fragments.sequence(strand.loose(), null, draw.between(1, 2)));
        whole = false;
      } else {
        Strand branch = strand.branch();
        branches.add(fragments.sequence(branch, join, draw.between(1, 2)));
        strands.add(branch);
      }
    }
    strands.forEach(strand::takeBack);
    return joined(strand, branches, join, new Kind.Join(0, false), next, whole);
  }

  private String joined(
      Strand strand,
      List<String> branches,
      String join,
      Kind.Join kind,
      @Nullable String next,
      boolean whole) {
    String fork = sketch.newId("k");
    if (branches.stream().allMatch(b -> strand.activities().get(b) == null)) {
      throw new IllegalStateException("Expected branches in the strand's scope: " + branches);
    }
    strand.addApart(Activity.of(join, kind, next));
    Activity activity = Activity.of(fork, new Kind.Fork(List.copyOf(branches)), null);
    return strand.add(whole ? decorations.reacting(activity, strand, next, 10) : activity);
  }

  /** Goes on with the first or the first few; the others are answered later, or never. */
  private String joinSome(Strand strand, @Nullable String next) {
    String join = sketch.newId("j");
    int many = draw.between(1, 2);
    List<String> branches = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      branches.add(fragments.sequence(strand.loose(), join, draw.between(1, 2)));
    }
    for (int i = draw.between(1, 2); i > 0; i--) {
      Strand late = strand.loose();
      String to = fragments.sequence(late, join, 1);
      branches.add(draw.chance(50) ? leaves.never(late, to) : leaves.slow(late, to));
    }
    return joined(strand, branches, join, new Kind.Join(many, draw.chance(60)), next, false);
  }

  private String split(Strand strand, @Nullable String next) {
    String join = sketch.newId("j");
    List<Activity.Way> ways = new ArrayList<>();
    List<Strand> strands = new ArrayList<>();
    for (int i = draw.between(2, 3); i > 0; i--) {
      Strand branch = strand.branch();
      String entry = fragments.sequence(branch, join, draw.between(1, 2));
      ways.add(new Activity.Way(strand.condition(), entry));
      strands.add(branch);
    }
    if (draw.chance(90)) {
      ways.add(new Activity.Way(null, fragments.sequence(strand.branch(), join, 1)));
    }
    strands.forEach(strand::takeBack);
    strand.addApart(Activity.of(join, new Kind.Join(0, false), next));
    Activity activity = Activity.of(sketch.newId("k"), new Kind.Split(), null).next(ways);
    return strand.add(decorations.reacting(activity, strand, next, 10));
  }

  /** Branches that meet without a join: what follows happens once for each. */
  private String spread(Strand strand) {
    String meeting = fragments.sequence(strand.muted(), null, draw.between(1, 2));
    List<String> branches = new ArrayList<>();
    for (int i = draw.between(2, 3); i > 0; i--) {
      branches.add(fragments.sequence(strand.loose(), meeting, 1));
    }
    return strand.add(Activity.of(sketch.newId("k"), new Kind.Fork(List.copyOf(branches)), null));
  }
}
