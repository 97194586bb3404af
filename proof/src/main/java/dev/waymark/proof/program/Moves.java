package dev.waymark.proof.program;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How things move: tokens go on, visits end, runs end. */
final class Moves {

  private final World world;
  private final Program program;
  private final Undoing undoing;
  private final Reactions reactions;

  Moves(World world, Program program) {
    this.world = world;
    this.program = program;
    this.undoing = new Undoing(world, this);
    this.reactions = new Reactions(world, this, undoing);
  }

  Undoing undoing() {
    return undoing;
  }

  Reactions reactions() {
    return reactions;
  }

  /** A run of one of the program's flows begins. */
  void start(String flow, Map<String, @Nullable Object> input, @Nullable Visit starter) {
    Course course = new Course(program.flow(flow), starter);
    Frame variables = new Frame(null);
    variables.own.putAll(course.flow.variables());
    variables.own.putAll(input);
    Event begun = world.event(starter == null ? null : starter.begun);
    course.root(
        new Visit(
            course,
            null,
            null,
            new Visit.Places(variables, variables),
            new Visit.Time(begun, world.now)));
    world.courses.add(course);
    reactions.arm(course.root());
    send(course.flow.block().start(), course.root(), begun);
  }

  // ---- tokens

  void send(String to, Visit parent, Event cause) {
    send(new Visit.Token(to, parent, cause, null, null));
  }

  void send(Visit.Token token) {
    token.parent().tokens.add(token);
    world.soon(
        token.parent().course,
        () -> {
          if (token.parent().tokens.remove(token)) {
            new Entering(world, this).enter(token);
          }
        });
  }

  // ---- a visit's end

  /** Its work is done: the result goes into the variables, a token goes on. */
  void complete(Visit visit, Map<String, @Nullable Object> output, @Nullable Event cause) {
    Activity activity = Objects.requireNonNull(visit.activity);
    Term.View view = new Term.View(visit.frame, visit.input, output, null);
    if (activity.kind() instanceof Kind.Probe
        && activity.guard() != null
        && !activity.guard().holds(view)) {
      fault(visit, "GUARD", cause);
      return;
    }
    visit.output = output;
    if (activity.output() != null) {
      put(activity.output(), visit.frame, view);
    } else if (!(activity.kind() instanceof Kind.Scope)) {
      output.forEach(visit.frame::set);
    }
    leave(visit, output, cause);
  }

  private void leave(Visit visit, Map<String, @Nullable Object> output, @Nullable Event cause) {
    Activity activity = Objects.requireNonNull(visit.activity);
    String to = direct(activity, output);
    if (to == null && !activity.next().isEmpty()) {
      List<String> ways =
          waysOf(new Term.View(visit.frame, visit.input, output, null), activity.next());
      if (ways.isEmpty()) {
        fault(visit, "NO_MATCH", cause);
        return;
      }
      to = ways.getFirst();
    }
    Event ended = end(visit, Visit.End.COMPLETED, cause);
    undoing.remember(visit);
    if (to != null) {
      send(to, onwards(visit), ended);
    } else if (visit.done != null) {
      visit.done.accept(ended);
    } else {
      Objects.requireNonNull(visit.parent).lost.add(visit);
    }
  }

  private static @Nullable String direct(Activity activity, Map<String, @Nullable Object> output) {
    return activity.kind() instanceof Kind.Race race
        ? Objects.requireNonNull(race.waits().get(String.valueOf(output.get("winner")))).to()
        : null;
  }

  /** The targets of all transitions that hold, in their order. */
  static List<String> waysOf(Term.View view, List<Activity.Way> ways) {
    return ways.stream()
        .filter(way -> way.when() == null || way.when().holds(view))
        .map(Activity.Way::to)
        .toList();
  }

  /** What leaves a join has left the group. */
  private static Visit onwards(Visit visit) {
    Visit parent = Objects.requireNonNull(visit.parent);
    boolean joined = visit.activity != null && visit.activity.kind() instanceof Kind.Join;
    return joined && parent.isGroup() ? Objects.requireNonNull(parent.parent) : parent;
  }

  Event end(Visit visit, Visit.End how, @Nullable Event cause) {
    visit.end = how;
    visit.endedAt = world.now;
    Event ended = world.event(visit.begun, cause);
    visit.ended = ended;
    world.deafen(visit);
    if (visit.parent != null) {
      visit.parent.children.remove(visit);
      visit.parent.ends.add(ended);
    }
    if (how == Visit.End.CANCELLED) {
      cancelChild(visit, ended);
    }
    return ended;
  }

  /** Ends everything inside a visit, and nothing more. */
  void clear(Visit visit, @Nullable Event cause) {
    visit.tokens.clear();
    for (Visit child : List.copyOf(visit.children)) {
      cancel(child, cause);
    }
  }

  void cancel(Visit visit, @Nullable Event cause) {
    clear(visit, cause);
    end(visit, Visit.End.CANCELLED, cause);
  }

  /** A child is not left behind, unless its parent says so. */
  private void cancelChild(Visit visit, @Nullable Event cause) {
    for (Course child : List.copyOf(world.courses)) {
      if (child.starter == visit && child.status == null && !leftAlone(visit)) {
        world.soon(() -> endCourse(child, "CANCELLED", null, cause));
      }
    }
  }

  private static boolean leftAlone(Visit visit) {
    return visit.activity != null
        && visit.activity.kind() instanceof Kind.SubWorkflow sub
        && (sub.leaveWhenParentEnds() || !sub.await());
  }

  /** Retries are used up, or trying again cannot help: somebody must react. */
  void fault(Visit visit, String code, @Nullable Event cause) {
    if (!reactions.toError(visit, code, cause)) {
      visit.parked = true;
    }
  }

  // ---- a run's end

  void endCourse(Course course, String status, @Nullable String code, @Nullable Event cause) {
    if (course.status != null) {
      return;
    }
    course.status = status;
    course.code = code;
    course.held = false;
    clear(course.root(), cause);
    Event ended = end(course.root(), Visit.End.COMPLETED, world.eventAfter(course.root().ends));
    Visit starter = course.starter;
    if (starter != null) {
      world.soon(starter.course, () -> childEnded(starter, course, world.event(cause, ended)));
    }
  }

  private void childEnded(Visit visit, Course child, Event ended) {
    if (!visit.alive() || visit.activity == null || visit.parked) {
      return;
    }
    visit.course.waited();
    Kind.SubWorkflow sub = (Kind.SubWorkflow) visit.activity.kind();
    String status = Objects.requireNonNull(child.status);
    Map<String, @Nullable Object> result = resultOf(child);
    if (sub.goOnWhenChildFails()) {
      Map<String, @Nullable Object> told = new HashMap<>();
      told.put("status", status.toLowerCase(java.util.Locale.ROOT));
      told.put("output", result);
      complete(visit, told, ended);
    } else if (status.equals("COMPLETED")) {
      complete(visit, result, ended);
    } else {
      fault(visit, child.code == null ? "CHILD_CANCELLED" : child.code, ended);
    }
  }

  private static Map<String, @Nullable Object> resultOf(Course course) {
    Frame variables = course.root().inside;
    if (course.flow.output() == null) {
      return Map.copyOf(variables.own);
    }
    Map<String, @Nullable Object> result = new HashMap<>();
    course
        .flow
        .output()
        .forEach((name, term) -> result.put(name, term.in(Term.View.of(variables))));
    return result;
  }

  // ---- variables

  static void put(Map<String, Term> values, Frame frame, Term.View view) {
    evaluate(values, view).forEach(frame::set);
  }

  static Map<String, @Nullable Object> evaluate(Map<String, Term> values, Term.View view) {
    Map<String, @Nullable Object> evaluated = new HashMap<>();
    values.forEach((name, term) -> evaluated.put(name, term.in(view)));
    return evaluated;
  }
}
