package dev.waymark.proof.program;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Draws single activities. */
final class Leaves {

  private final Sketch sketch;
  private final Draw draw;
  private final Decorations decorations;

  Leaves(Sketch sketch, Decorations decorations) {
    this.sketch = sketch;
    this.draw = sketch.draw;
    this.decorations = decorations;
  }

  /** An activity that leads to another, or ends its branch. */
  String any(Strand strand, @Nullable String next) {
    List<Maker> makers = new ArrayList<>();
    add(makers, 8, this::probe);
    if (sketch.may(Feature.TIMER)) {
      add(makers, 2, this::timer);
    }
    if (sketch.may(Feature.EMIT)) {
      add(makers, 1, this::emit);
    }
    if (!strand.mute) {
      add(makers, 5, this::set);
      addWaits(makers);
    }
    if (sketch.may(Feature.COMPENSATE) && !strand.mute) {
      add(makers, 1, this::compensate);
    }
    return draw.one(makers).make(strand, next);
  }

  private void addWaits(List<Maker> makers) {
    if (sketch.may(Feature.WAIT)) {
      add(makers, 3, this::userWait);
    }
    if (sketch.may(Feature.MESSAGE) && !sketch.child) {
      add(makers, 2, this::messageWait);
    }
    if (sketch.may(Feature.SIGNAL)) {
      add(makers, 1, this::signalWait);
      add(makers, 1, this::signal);
    }
    if (sketch.may(Feature.SEND)) {
      add(makers, 1, this::sendAndReceive);
    }
  }

  private interface Maker {
    String make(Strand strand, @Nullable String next);
  }

  private static void add(List<Maker> makers, int weight, Maker maker) {
    for (int i = 0; i < weight; i++) {
      makers.add(maker);
    }
  }

  // ---- work

  String probe(Strand strand, @Nullable String next) {
    String id = sketch.newId("a");
    Map<String, Term> result = new LinkedHashMap<>();
    Map<String, Term> output = null;
    if (!strand.mute && draw.chance(50)) {
      if (draw.chance(50)) {
        result.put("r", strand.number());
        output = Map.of(strand.writable(), new Term.Output("r"));
      } else {
        result.put(strand.writable(), strand.number());
      }
    }
    boolean weak = !strand.mute && sketch.happens(Feature.RETRY, 20);
    int failures = weak ? draw.between(1, 3) : 0;
    Activity activity =
        Activity.of(id, new Kind.Probe(strand.label(id), failures, null, result, holds()), next);
    if (output != null) {
      activity = activity.output(output);
    }
    if (result.containsKey("r") && sketch.happens(Feature.GUARD, 15)) {
      activity = guarded(activity, strand, next);
    }
    if (weak) {
      int attempts =
          sketch.may(Feature.FAULT) && draw.chance(15) ? failures : failures + draw.between(1, 2);
      activity =
          activity.retry(new Activity.Retry(attempts, draw.between(1, 7), draw.between(8, 20)));
      if (failures >= attempts) {
        activity = decorations.catching(activity, strand, next, 80);
      }
      activity = decorations.reacting(activity, strand, next, 10);
    }
    return decorations.finished(activity, strand);
  }

  /** Whether the run is suspended while a body runs; only the main run, which scripts let go. */
  private boolean holds() {
    return !sketch.child && sketch.happens(Feature.HOLD, 3);
  }

  /** A body whose result may be refused. */
  private Activity guarded(Activity activity, Strand strand, @Nullable String next) {
    Condition guard = new Condition.OutputAtLeast("r", draw.small());
    return decorations.catching(activity.guard(guard), strand, next, 80);
  }

  /** A body that fails for good, or an activity that is a fault by itself. */
  Activity failing(Strand strand, @Nullable String next, String code) {
    String id = sketch.newId("f");
    if (sketch.happens(Feature.RAISE, 50)) {
      return Activity.of(id, new Kind.Raise(code), null);
    }
    return draw.chance(15)
        ? Activity.of(id, new Kind.Misfit(draw.one(sketch.fixed)), next)
        : Activity.of(id, new Kind.Probe(strand.label(id), 0, code, Map.of(), holds()), next);
  }

  private String set(Strand strand, @Nullable String next) {
    Map<String, Term> values = new LinkedHashMap<>();
    for (int i = draw.between(1, 2); i > 0; i--) {
      values.put(strand.writable(), strand.number());
    }
    return decorations.finished(Activity.of(sketch.newId("s"), new Kind.Set(values), next), strand);
  }

  private String timer(Strand strand, @Nullable String next) {
    Activity timer = Activity.of(sketch.newId("t"), new Kind.Timer(draw.between(5, 3000)), next);
    return strand.add(decorations.reacting(timer, strand, next, 15));
  }

  private String emit(Strand strand, @Nullable String next) {
    return strand.add(Activity.of(sketch.newId("e"), new Kind.Emit("sign"), next));
  }

  String compensate(Strand strand, @Nullable String next) {
    List<String> undoable =
        strand.activities().values().stream()
            .filter(a -> a.compensate() != null)
            .map(Activity::id)
            .toList();
    String only = undoable.isEmpty() || draw.chance(70) ? null : draw.one(undoable);
    return strand.add(Activity.of(sketch.newId("u"), new Kind.Compensate(only), next));
  }

  // ---- waits

  private String userWait(Strand strand, @Nullable String next) {
    String id = sketch.newId("w");
    Kind.Source source = draw.chance(70) ? Kind.Source.USER_ACTION : Kind.Source.APPROVAL;
    long answer = draw.small();
    boolean mapped = draw.chance(50);
    String variable = strand.writable();
    Map<String, Object> payload = new HashMap<>(Map.of(mapped ? "x" : variable, answer));
    Map<String, Term> output = new HashMap<>(Map.of(variable, new Term.Output("x")));
    if (sketch.happens(Feature.ODD_VALUE, 8)) {
      String odd = strand.fresh("none");
      payload.put(mapped ? "y" : odd, sketch.oddities.value());
      output.put(odd, new Term.Output("y"));
    }
    Kind.Wait wait = new Kind.Wait(source, strand.label(id), Collections.unmodifiableMap(payload));
    Activity activity = Activity.of(id, wait, next);
    if (mapped) {
      activity = activity.output(Collections.unmodifiableMap(output));
    }
    if (sketch.happens(Feature.GUARD, 30)) {
      activity = activity.guard(new Condition.OutputIs(mapped ? "x" : variable, answer));
    }
    return strand.add(decorations.reacting(activity, strand, next, 25));
  }

  private String messageWait(Strand strand, @Nullable String next) {
    String id = sketch.newId("m");
    String variable = strand.writable();
    long answer = draw.small();
    Map<String, Object> payload =
        sketch.happens(Feature.ODD_VALUE, 8)
            ? Map.of(variable, answer, strand.fresh("none"), sketch.oddities.value())
            : Map.of(variable, answer);
    Term key = strand.label(id);
    if (strand.marks.isEmpty()) {
      sketch.messages.put(id, payload);
    }
    Activity activity = Activity.of(id, new Kind.Wait(Kind.Source.MESSAGE, key, payload), next);
    if (sketch.happens(Feature.GUARD, 20)) {
      activity = activity.guard(new Condition.OutputIs(variable, answer));
    }
    return strand.add(decorations.reacting(activity, strand, next, 15));
  }

  private String signalWait(Strand strand, @Nullable String next) {
    String id = sketch.newId("g");
    Map<String, Object> payload = Map.of("x", draw.small());
    Kind.Wait wait =
        new Kind.Wait(Kind.Source.SIGNAL, new Term.Const(decorations.signalName()), payload);
    Activity activity =
        Activity.of(id, wait, next).output(Map.of(strand.writable(), new Term.Output("x")));
    return strand.add(decorations.reacting(activity, strand, next, 15));
  }

  private String signal(Strand strand, @Nullable String next) {
    Kind.Signal signal =
        new Kind.Signal(decorations.signalName(), Map.of("x", new Term.Const(draw.small())));
    return strand.add(Activity.of(sketch.newId("g"), signal, next));
  }

  /** A message to the run itself, sent some time before it is waited for. */
  private String sendAndReceive(Strand strand, @Nullable String next) {
    String wait = sketch.newId("m");
    Term key = strand.label(wait);
    if (!strand.marks.isEmpty()) {
      return probe(strand, next);
    }
    strand.add(
        Activity.of(wait, new Kind.Wait(Kind.Source.MESSAGE, key, Map.of("x", 0L)), next)
            .output(Map.of(strand.writable(), new Term.Output("x"))));
    String between = draw.chance(50) ? probe(strand, wait) : wait;
    Map<String, Term> payload = new HashMap<>();
    payload.put("x", strand.number());
    return strand.add(Activity.of(sketch.newId("s"), new Kind.Send(wait, payload), between));
  }

  /** A wait that takes its time, so that others come first. */
  String slow(Strand strand, String next) {
    return sketch.may(Feature.WAIT) ? userWait(strand, next) : timer(strand, next);
  }

  /** A wait that nobody ever answers. */
  String never(Strand strand, @Nullable String next) {
    String id = sketch.newId("n");
    return strand.add(
        Activity.of(id, new Kind.Wait(Kind.Source.USER_ACTION, strand.label(id), null), next));
  }
}
