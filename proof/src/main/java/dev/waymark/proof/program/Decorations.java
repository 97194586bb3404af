package dev.waymark.proof.program;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Draws what an activity has besides its kind: reactions, and what undoes it. */
final class Decorations {

  private static final int SIGNALS = 3;

  private final Sketch sketch;
  private final Draw draw;
  private final Fragments fragments;

  Decorations(Sketch sketch, Fragments fragments) {
    this.sketch = sketch;
    this.draw = sketch.draw;
    this.fragments = fragments;
  }

  /** A signal of this program; few, so that throwers and catchers meet. */
  String signalName() {
    return "sig" + draw.between(1, SIGNALS) + "-" + sketch.key.replaceFirst("-.*", "");
  }

  Map<String, Object> signalPayload() {
    return Map.of("x", draw.small());
  }

  /** An activity that takes its own errors, as a rule. */
  Activity catching(Activity activity, Strand strand, @Nullable String next, int percent) {
    return sketch.happens(Feature.ON_ERROR, percent)
        ? activity.on(onError(strand, next, null, false))
        : activity;
  }

  Reaction onError(
      Strand strand, @Nullable String next, @Nullable String code, boolean compensate) {
    if (draw.chance(5)) {
      return new Reaction(new Reaction.OnError(code), null, true, false, null);
    }
    Map<String, Term> output = null;
    if (!strand.mute && draw.chance(40)) {
      output = Map.of(strand.fresh("none"), new Term.ErrorCode());
    }
    String to = fragments.sequence(strand.deeper(), next, draw.between(1, 2));
    return new Reaction(new Reaction.OnError(code), to, true, compensate, output);
  }

  /** An activity that reacts to time, messages and signals, now and then. */
  Activity reacting(Activity activity, Strand strand, @Nullable String next, int percent) {
    Activity done = activity;
    if (sketch.hasRoom() && sketch.happens(Feature.ON_TIMEOUT, percent)) {
      done =
          done.on(reaction(new Reaction.OnTimeout(draw.between(5, 3000)), activity, strand, next));
    }
    if (sketch.hasRoom() && !sketch.child && sketch.happens(Feature.ON_MESSAGE, percent / 2)) {
      String name = "r" + activity.id();
      String field = strand.mute || draw.chance(50) ? "x" : strand.writable();
      Map<String, Object> payload = Map.of(field, draw.small());
      done = done.on(reaction(new Reaction.OnMessage(name, payload), activity, strand, next));
    }
    if (sketch.hasRoom() && sketch.happens(Feature.ON_SIGNAL, percent / 2)) {
      done =
          done.on(
              reaction(
                  new Reaction.OnSignal(signalName(), signalPayload()), activity, strand, next));
    }
    return done;
  }

  private Reaction reaction(
      Reaction.Trigger trigger, Activity activity, Strand strand, @Nullable String next) {
    boolean interrupt = draw.chance(60);
    if (!interrupt) {
      String to = fragments.sequence(strand.muted(), null, draw.between(1, 2));
      return new Reaction(trigger, to, false, false, Map.of());
    }
    if (trigger instanceof Reaction.OnTimeout && draw.chance(10)) {
      return new Reaction(trigger, null, true, false, Map.of());
    }
    Map<String, Term> output = Map.of();
    if (trigger instanceof Reaction.OnMessage message && !message.payload().containsKey("x")) {
      output = null;
    } else if (!strand.mute && !(trigger instanceof Reaction.OnTimeout) && draw.chance(50)) {
      output = Map.of(strand.writable(), new Term.Output("x"));
    }
    String to = fragments.sequence(strand.deeper(), next, draw.between(1, 2));
    boolean undoes = activity.block() != null && sketch.happens(Feature.COMPENSATE, 50);
    return new Reaction(trigger, to, true, undoes, output);
  }

  /** Puts an activity into its scope, with what undoes it now and then. */
  String finished(Activity activity, Strand strand) {
    if (strand.mute || !sketch.happens(Feature.COMPENSATE, sketch.undoable)) {
      return strand.add(activity);
    }
    String handler = handler(activity, strand);
    return strand.add(activity.compensate(handler));
  }

  private String handler(Activity undone, Strand strand) {
    String id = sketch.newId("h");
    List<Term> parts = new ArrayList<>(strand.marks);
    if (undone.kind() instanceof Kind.Probe probe) {
      parts.add(new Term.Input("label"));
      if (probe.result().containsKey("r")) {
        parts.add(new Term.Output("r"));
      }
    }
    Activity work =
        Activity.of(id, new Kind.Probe(new Term.Label(id, parts), 0, null, Map.of()), null);
    int lot = draw.between(1, 10);
    if (lot <= 2 && sketch.may(Feature.RETRY)) {
      Kind.Probe weak = new Kind.Probe(new Term.Label(id, parts), 1, null, Map.of());
      work = work.kind(weak).retry(new Activity.Retry(3, draw.between(1, 7), 20));
    } else if (lot <= 4 && sketch.may(Feature.SCOPE)) {
      work = work.kind(handlerScope(strand));
    }
    strand.addApart(work);
    return id;
  }

  private Kind.Scope handlerScope(Strand strand) {
    Map<String, Term> variables = new LinkedHashMap<>();
    Strand inside = strand.muted().inside(variables);
    String start = fragments.quick(inside);
    return new Kind.Scope(variables, Block.of(start, List.of(), inside.activities()));
  }
}
