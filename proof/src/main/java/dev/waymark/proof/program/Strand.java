package dev.waymark.proof.program;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One line of a flow, in which things happen one after another. What it writes no other line that
 * runs beside it reads or writes; that is what makes a program's variables determined.
 */
final class Strand {

  /**
   * The scope that a strand is in.
   *
   * @param locals the scope's variables; absent in the outermost one
   * @param many whether several of it may run at once, so that it must keep its variables to itself
   */
  private record Place(
      Map<String, Activity> activities, @Nullable Map<String, Term> locals, boolean many) {}

  /**
   * What belongs to one line.
   *
   * @param stable variables that hold still while it runs
   * @param own variables that only it writes
   * @param members its activities, to which it may jump
   */
  private record Line(List<String> stable, List<String> own, List<String> members) {

    static Line reading(List<String> stable) {
      return new Line(stable, new ArrayList<>(), new ArrayList<>());
    }
  }

  final Sketch sketch;
  private final Place place;
  private final Line line;

  /** What tells visits apart: the counters and indices around. */
  final List<Term> marks;

  /** Whether several of it may run at once in the same scope, so that it has no variables. */
  final boolean mute;

  final int depth;

  private Strand(Sketch sketch, Place place, Line line, List<Term> marks, boolean mute, int depth) {
    this.sketch = sketch;
    this.place = place;
    this.line = line;
    this.marks = marks;
    this.mute = mute;
    this.depth = depth;
  }

  static Strand outermost(Sketch sketch, List<Term> marks) {
    Place place = new Place(new LinkedHashMap<>(), null, false);
    return new Strand(sketch, place, Line.reading(List.of()), marks, false, 0);
  }

  /** The same line one level deeper: a side of a choice. */
  Strand deeper() {
    return new Strand(sketch, place, line, marks, mute, depth + 1);
  }

  /** The same line, told apart by one more variable: the body of a loop. */
  Strand marked(String variable) {
    return new Strand(sketch, place, line, markedBy(variable), mute, depth + 1);
  }

  private List<Term> markedBy(String variable) {
    List<Term> more = new ArrayList<>(marks);
    more.add(new Term.Var(variable));
    return more;
  }

  /** A line of its own beside others that this one waits for. */
  Strand branch() {
    return new Strand(sketch, place, Line.reading(readable()), marks, mute, depth + 1);
  }

  /** A line that nobody waits for: everything around it may have changed when it looks. */
  Strand loose() {
    return new Strand(sketch, place, Line.reading(List.of()), List.of(), mute, depth + 1);
  }

  /** A line that may run several times at once. */
  Strand muted() {
    return new Strand(sketch, place, Line.reading(List.of()), List.of(), true, depth + 1);
  }

  /** The inside of a scope on this line. */
  Strand inside(Map<String, Term> variables) {
    Place inner = new Place(new LinkedHashMap<>(), variables, place.many());
    Line same = new Line(line.stable(), new ArrayList<>(line.own()), new ArrayList<>());
    return new Strand(sketch, inner, same, marks, mute, depth + 1);
  }

  /** An item of a for-each whose items run side by side. */
  Strand item(Map<String, Term> variables, String index) {
    Place inner = new Place(new LinkedHashMap<>(), variables, true);
    return new Strand(sketch, inner, Line.reading(readable()), markedBy(index), false, depth + 1);
  }

  /** What a branch wrote is this strand's again once they are one. */
  void takeBack(Strand branch) {
    line.own().addAll(branch.line.own());
  }

  // ---- variables

  /** A new variable for something that is not a small number. */
  String fresh(Object initial) {
    String name = sketch.names.variable("v");
    Map<String, Term> locals = place.locals();
    if (locals != null && (place.many() || sketch.draw.chance(50))) {
      locals.put(name, new Term.Const(initial));
    } else {
      sketch.variables.put(name, initial);
    }
    return name;
  }

  /** A variable to put a small number into: a new one, or one that this strand has. */
  String writable() {
    if (!line.own().isEmpty() && sketch.draw.chance(50)) {
      return sketch.draw.one(line.own());
    }
    String name = fresh(sketch.draw.small());
    line.own().add(name);
    return name;
  }

  /** A variable of the scope inside, perhaps under a name that means another one further out. */
  void declare(String name, Map<String, Term> variables, Term value) {
    variables.put(name, value);
    if (!line.own().contains(name)) {
      line.own().add(name);
    }
  }

  List<String> readable() {
    List<String> all = new ArrayList<>(line.stable());
    all.addAll(line.own());
    return all;
  }

  /** A small number, wherever it comes from. */
  Term number() {
    List<String> all = readable();
    if (mute || all.isEmpty() || sketch.draw.chance(40)) {
      return sketch.draw.chance(30)
          ? new Term.Var(sketch.draw.one(sketch.fixed))
          : new Term.Const(sketch.draw.small());
    }
    String name = sketch.draw.one(all);
    return sketch.draw.chance(50) ? new Term.Var(name) : new Term.Plus(name, 1);
  }

  Condition condition() {
    List<String> all = mute ? new ArrayList<>() : readable();
    all.addAll(sketch.fixed);
    return new Condition.Less(sketch.draw.one(all), sketch.draw.between(1, 4));
  }

  // ---- activities

  /** Puts an activity into the scope, on this line. */
  String add(Activity activity) {
    line.members().add(activity.id());
    return addApart(activity);
  }

  /** Puts an activity into the scope that is on no line. */
  String addApart(Activity activity) {
    place.activities().put(activity.id(), activity);
    return activity.id();
  }

  /** The activities of the scope so far. */
  Map<String, Activity> activities() {
    return place.activities();
  }

  /** Somewhere further on, as long as this line is one; absent if there is nothing yet. */
  @Nullable String ahead() {
    return line.members().isEmpty() ? null : sketch.draw.one(line.members());
  }

  Term label(String id) {
    return new Term.Label(id, marks);
  }
}
