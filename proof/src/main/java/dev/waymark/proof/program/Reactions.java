package dev.waymark.proof.program;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What happens because something else happened while an activity or a run was alive. */
final class Reactions {

  private final World world;
  private final Moves moves;
  private final Undoing undoing;

  Reactions(World world, Moves moves, Undoing undoing) {
    this.world = world;
    this.moves = moves;
    this.undoing = undoing;
  }

  static List<Reaction> of(Visit visit) {
    if (visit.activity != null) {
      return visit.activity.on();
    }
    return visit.parent == null ? visit.course.flow.on() : List.of();
  }

  void arm(Visit visit) {
    for (Reaction reaction : of(visit)) {
      switch (reaction.trigger()) {
        case Reaction.OnError error -> {}
        case Reaction.OnTimeout timeout ->
            world.in(
                timeout.seconds(),
                visit,
                () -> {
                  visit.course.waited();
                  react(visit, reaction, "TIMEOUT", Map.of(), null);
                });
        case Reaction.OnMessage on ->
            listen(visit, reaction, Kind.Source.MESSAGE, on.name(), on.payload());
        case Reaction.OnSignal on ->
            listen(visit, reaction, Kind.Source.SIGNAL, on.name(), on.payload());
      }
    }
  }

  private void listen(
      Visit visit, Reaction reaction, Kind.Source source, String name, Map<String, Object> sample) {
    world.listen(
        new World.Listener(
            visit,
            source,
            name,
            null,
            sample,
            reaction.interrupt(),
            (payload, cause) -> react(visit, reaction, null, payload, cause)));
  }

  /** Looks for who takes an error: the activity itself, then the scopes around it, then the run. */
  boolean toError(Visit failed, String code, @Nullable Event cause) {
    for (Visit visit = failed; visit != null; visit = visit.parent) {
      boolean asked =
          visit == failed
              || visit.isScope()
              || (visit.activity != null && visit.activity.kind() instanceof Kind.ForEach);
      for (Reaction reaction : asked && !visit.deaf ? of(visit) : List.<Reaction>of()) {
        if (reaction.takes(code)) {
          react(visit, reaction, code, Map.of(), world.event(failed.begun, cause));
          return true;
        }
      }
    }
    return false;
  }

  private void react(
      Visit visit,
      Reaction reaction,
      @Nullable String error,
      Map<String, @Nullable Object> payload,
      @Nullable Event cause) {
    String to = reaction.to();
    if (to == null) {
      moves.endCourse(visit.course, "FAILED", error, cause);
      return;
    }
    Visit place = visit.parent == null ? visit : visit.parent;
    Event happened = world.event(visit.begun, cause);
    put(visit, reaction, error, payload);
    if (!reaction.interrupt()) {
      moves.send(to, place, happened);
      return;
    }
    List<Visit.Undo> undos = reaction.compensate() ? undoing.allInside(visit) : List.of();
    moves.clear(visit, happened);
    world.deafen(visit);
    visit.undoing = true;
    undoing.run(
        visit,
        visit,
        undos,
        happened,
        end -> {
          visit.undoing = false;
          // A run that reacts does not end by it.
          moves.send(to, place, visit == place ? end : moves.end(visit, Visit.End.CANCELLED, end));
        });
  }

  private static void put(
      Visit visit,
      Reaction reaction,
      @Nullable String error,
      Map<String, @Nullable Object> payload) {
    Map<String, Term> output = reaction.output();
    if (output == null) {
      payload.forEach(visit.frame::set);
    } else {
      Moves.put(output, visit.frame, new Term.View(visit.frame, Map.of(), payload, error));
    }
  }
}
