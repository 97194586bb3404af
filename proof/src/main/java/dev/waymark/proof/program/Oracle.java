package dev.waymark.proof.program;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A second reading of the format: runs a program in memory, on nothing but the program's own data,
 * and tells what must come of it.
 *
 * <p>It is written to be seen to be right, not to be fast: everything that could happen next stands
 * in one list, one thing after another is taken from it, and after each it looks at everything that
 * is alive. A number decides the order; a program whose outcome depends on it is not determined.
 */
public final class Oracle {

  private final World world;
  private final Moves moves;
  private @Nullable String stuck;

  Oracle(Program program, long order) {
    this.world = new World(World.Order.of(order));
    this.moves = new Moves(world, program);
    moves.start(program.main().key(), Map.of(), null);
  }

  public static Outcome tell(Program program, long order) {
    Oracle oracle = played(program, order);
    return new Telling(oracle.world()).outcome(oracle.stuck, true);
  }

  /** Everything but the order of things, as texts: cheaper, and enough to tell outcomes apart. */
  static List<String> summary(Program program, long order) {
    Oracle oracle = played(program, order);
    return new Telling(oracle.world()).outcome(oracle.stuck, false).summary();
  }

  private static Oracle played(Program program, long order) {
    Oracle oracle = new Oracle(program, order);
    program.script().forEach(oracle::play);
    return oracle;
  }

  /** Lets a second pass, and then something come from outside. */
  void play(Stimulus stimulus) {
    world.pass(1, this::settle);
    switch (stimulus) {
      case Stimulus.Answer answer -> answer(answer);
      case Stimulus.Message message -> {
        Course main = world.courses.getFirst();
        if (main.status == null) {
          main.kept.add(new Course.Kept(message.name(), new HashMap<>(message.payload()), null));
          world.soon(() -> world.handOut(main));
        }
      }
      case Stimulus.Signal signal ->
          world.signal(signal.name(), new HashMap<>(signal.payload()), null);
      case Stimulus.Cancel cancel -> cancel(world.courses.getFirst(), cancel.compensate());
      case Stimulus.Suspend suspend -> world.hold(world.courses.getFirst());
      case Stimulus.Continue go -> world.letGo(world.courses.getFirst());
      case Stimulus.Unfit unfit -> {}
      case Stimulus.Pass pass -> world.pass(pass.seconds(), this::settle);
    }
    world.rest(this::settle);
  }

  private void answer(Stimulus.Answer answer) {
    List<World.Listener> waiting = new ArrayList<>();
    waiting.addAll(world.listening(Kind.Source.USER_ACTION, answer.key()));
    waiting.addAll(world.listening(Kind.Source.APPROVAL, answer.key()));
    if (waiting.size() != 1) {
      stuck =
          "Expected one open wait '%s', but there are %d".formatted(answer.key(), waiting.size());
      return;
    }
    if (waiting.getFirst().visit().course.held) {
      return; // refused
    }
    Map<String, @Nullable Object> payload = new HashMap<>(answer.payload());
    world.soon(() -> world.tell(waiting.getFirst(), payload, null));
  }

  private void cancel(Course course, boolean compensate) {
    Visit root = course.root();
    if (course.status == null) {
      Event cause = world.event(root.begun);
      List<Visit.Undo> undos = compensate ? moves.undoing().allInside(root) : List.of();
      moves.clear(root, cause);
      world.deafen(root);
      root.undoing = true;
      Runnable undo =
          () ->
              moves
                  .undoing()
                  .run(
                      root, root, undos, cause, e -> moves.endCourse(course, "CANCELLED", null, e));
      if (compensate) {
        course.whenFree(undo);
      } else {
        undo.run();
      }
    }
  }

  World world() {
    world.rest(this::settle);
    return world;
  }

  // ---- what follows from what happened

  private void settle() {
    while (world.visits.stream().anyMatch(this::settles) || anyPlaceSettles()) {
      // Each change may make another possible.
    }
  }

  private boolean settles(Visit visit) {
    boolean rests = visit.parked || visit.undoing || visit.course.held;
    if (!visit.alive() || rests || visit.activity == null) {
      return false;
    }
    if (visit.activity.kind() instanceof Kind.Join join) {
      return new Joins(world, moves).settle(visit, join);
    }
    boolean over =
        visit.empty() && (visit.isGroup() || visit.activity.kind() instanceof Kind.Scope);
    if (over && visit.isGroup()) {
      moves.end(visit, Visit.End.OVER, world.eventAfter(visit.ends));
      Objects.requireNonNull(visit.parent).lost.add(visit);
    } else if (over) {
      moves.complete(visit, visit.inside.own, world.eventAfter(visit.ends));
    }
    return over;
  }

  private boolean anyPlaceSettles() {
    for (Visit visit : List.copyOf(world.visits)) {
      for (Visit child : List.copyOf(visit.children)) {
        if (child.activity == null && child.alive() && child.empty() && !child.course.held) {
          new Items(world, moves).itemDone(child);
          return true;
        }
      }
    }
    for (Course course : List.copyOf(world.courses)) {
      boolean over = course.root().empty() && !course.root().undoing && !course.held;
      if (course.status == null && over) {
        moves.endCourse(course, "COMPLETED", null, null);
        return true;
      }
    }
    return false;
  }
}
