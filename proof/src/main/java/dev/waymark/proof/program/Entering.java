package dev.waymark.proof.program;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What happens when a token comes to an activity: the meaning of every kind, one after another. */
final class Entering {

  private final World world;
  private final Moves moves;
  private final Joins joins;
  private final Items items;

  Entering(World world, Moves moves) {
    this.world = world;
    this.moves = moves;
    this.joins = new Joins(world, moves);
    this.items = new Items(world, moves);
  }

  void enter(Visit.Token token) {
    Visit parent = token.parent();
    Activity activity = parent.course.activity(token.to());
    if (activity.kind() instanceof Kind.Join && joins.takesIn(token, activity.id())) {
      return;
    }
    Visit.Undo undo = token.undoing();
    Frame frame = undo == null ? parent.inside : undo.undone().frame;
    Frame inside = activity.kind() instanceof Kind.Scope ? new Frame(frame) : frame;
    // A join begins with the first who comes, and nobody knows who that is.
    List<Event> causes = new ArrayList<>(List.of(token.cause()));
    Visit visit =
        new Visit(
            parent.course,
            parent,
            activity,
            new Visit.Places(frame, inside),
            new Visit.Time(world.eventAfterSome(causes, 1), world.now));
    visit.arrivals = causes;
    visit.done = token.done();
    world.visits.add(visit);
    parent.children.add(visit);
    if (parent.course.spins(parent.scope(), activity.id())) {
      visit.parked = true;
      return;
    }
    moves.reactions().arm(visit);
    Term.View view =
        undo == null
            ? Term.View.of(frame)
            : new Term.View(frame, undo.undone().input, undo.undone().output, null);
    begin(visit, activity, view);
  }

  private void begin(Visit visit, Activity activity, Term.View view) {
    switch (activity.kind()) {
      case Kind.Probe probe -> {
        visit.label = String.valueOf(probe.label().in(view));
        visit.input = Map.of("label", visit.label);
        Map<String, @Nullable Object> result = Moves.evaluate(probe.result(), view);
        world.begin(visit.course, () -> attempt(visit, probe, result, 1));
      }
      case Kind.Set set -> {
        visit.input = Moves.evaluate(set.values(), view);
        moves.complete(visit, visit.input, null);
      }
      case Kind.End end -> moves.complete(visit, Map.of(), null);
      case Kind.Terminate terminate -> {
        moves.end(visit, Visit.End.COMPLETED, null);
        moves.endCourse(
            visit.course,
            terminate.status(),
            terminate.failed() ? terminate.code() : null,
            visit.ended);
      }
      case Kind.Misfit misfit -> moves.fault(visit, "BAD_INPUT", null);
      case Kind.Raise raise -> moves.fault(visit, raise.code(), null);
      case Kind.Fork fork -> fork.branches().forEach(b -> moves.send(b, visit, visit.begun));
      case Kind.Split split -> split(visit, activity);
      case Kind.Join join -> {}
      case Kind.Timer timer -> world.in(timer.seconds(), visit, () -> woken(visit, Map.of()));
      case Kind.Wait wait -> {
        String key = String.valueOf(wait.key().in(view));
        visit.label = wait.source() == Kind.Source.SIGNAL ? activity.id() : key;
        await(visit, wait, key, (answer, cause) -> moves.complete(visit, answer, cause));
      }
      case Kind.Race race -> race(visit, race, view);
      case Kind.Scope scope -> {
        visit.inside.own.putAll(Moves.evaluate(scope.variables(), view));
        moves.send(scope.block().start(), visit, visit.begun);
      }
      case Kind.ForEach each -> items.begin(visit, each);
      case Kind.SubWorkflow sub -> startChild(visit, sub, view);
      case Kind.Signal signal -> {
        world.signal(signal.name(), Moves.evaluate(signal.payload(), view), visit.begun);
        moves.complete(visit, Map.of(), null);
      }
      case Kind.Send send -> {
        Map<String, @Nullable Object> payload = Moves.evaluate(send.payload(), view);
        visit.course.kept.add(new Course.Kept(send.name(), payload, visit.begun));
        world.soon(() -> world.handOut(visit.course));
        moves.complete(visit, Map.of(), null);
      }
      case Kind.Emit emit -> moves.complete(visit, Map.of(), null);
      case Kind.Compensate compensate -> {
        Visit scope = Objects.requireNonNull(visit.parent).scope();
        List<Visit.Undo> undos = moves.undoing().of(scope, compensate.activity());
        moves
            .undoing()
            .run(visit, scope, undos, visit.begun, e -> moves.complete(visit, Map.of(), e));
      }
    }
  }

  private void attempt(
      Visit visit, Kind.Probe probe, Map<String, @Nullable Object> result, int number) {
    if (!visit.alive()) {
      return;
    }
    if (probe.holds() && number == 1) {
      world.hold(visit.course);
    }
    Activity.Retry retry = Objects.requireNonNull(visit.activity).retry();
    String fatal = probe.fatal();
    if (fatal != null) {
      goOn(visit, () -> moves.fault(visit, fatal, null));
    } else if (number > probe.failures()) {
      goOn(visit, () -> moves.complete(visit, result, null));
    } else if (retry != null && number < retry.attempts()) {
      Runnable again = () -> attempt(visit, probe, result, number + 1);
      world.tryAgain(retry.delayAfter(number), visit, again);
    } else {
      goOn(visit, () -> moves.fault(visit, "WEAK", null));
    }
  }

  /** Lets a body's end take effect: at once, or when the run is let go. */
  private static void goOn(Visit visit, Runnable deed) {
    visit.course.whenFree(
        () -> {
          if (visit.alive()) {
            deed.run();
          }
        });
  }

  private void split(Visit visit, Activity activity) {
    List<String> holding =
        Moves.waysOf(
            Term.View.of(visit.frame),
            activity.next().stream().filter(w -> w.when() != null).toList());
    List<String> ways =
        holding.isEmpty()
            ? activity.next().stream().filter(w -> w.when() == null).map(Activity.Way::to).toList()
            : holding;
    if (ways.isEmpty()) {
      moves.fault(visit, "NO_MATCH", null);
    }
    ways.forEach(to -> moves.send(to, visit, visit.begun));
  }

  private void await(
      Visit visit,
      Kind.Wait wait,
      String key,
      java.util.function.BiConsumer<Map<String, @Nullable Object>, @Nullable Event> deed) {
    Condition guard = Objects.requireNonNull(visit.activity).guard();
    world.listen(new World.Listener(visit, wait.source(), key, guard, wait.answer(), true, deed));
  }

  private void race(Visit visit, Kind.Race race, Term.View view) {
    boolean any = false;
    for (var entry : race.waits().entrySet()) {
      Kind.Rival rival = entry.getValue();
      if (rival.when() != null && !rival.when().holds(view)) {
        continue;
      }
      any = true;
      String name = entry.getKey();
      switch (rival.waiting()) {
        case Kind.Wait wait ->
            await(
                visit,
                wait,
                String.valueOf(wait.key().in(view)),
                (answer, cause) -> won(visit, name, answer, cause));
        case Kind.Timer timer ->
            world.in(
                timer.seconds(),
                visit,
                () -> woken(visit, Map.of("winner", name, "answer", Map.of())));
      }
    }
    if (!any) {
      moves.fault(visit, "NO_MATCH", null);
    }
  }

  private void woken(Visit visit, Map<String, @Nullable Object> output) {
    visit.course.waited();
    moves.complete(visit, output, null);
  }

  private void won(
      Visit visit, String name, Map<String, @Nullable Object> answer, @Nullable Event cause) {
    moves.complete(visit, Map.of("winner", name, "answer", answer), cause);
  }

  private void startChild(Visit visit, Kind.SubWorkflow sub, Term.View view) {
    Map<String, @Nullable Object> input = Moves.evaluate(sub.input(), view);
    world.soon(() -> moves.start(sub.definition(), input, visit));
    if (!sub.await()) {
      moves.complete(visit, Map.of(), null);
    }
  }
}
