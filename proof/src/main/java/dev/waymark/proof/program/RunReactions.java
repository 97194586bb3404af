package dev.waymark.proof.program;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Draws what a whole run reacts to. What it does then waits for nothing, and so is soon over. */
final class RunReactions {

  private final Sketch sketch;
  private final Draw draw;
  private final Fragments fragments;

  RunReactions(Sketch sketch, Fragments fragments) {
    this.sketch = sketch;
    this.draw = sketch.draw;
    this.fragments = fragments;
  }

  List<Reaction> draw(Strand strand) {
    List<Reaction> reactions = new ArrayList<>();
    if (!sketch.happens(Feature.ON_RUN, 25)) {
      return reactions;
    }
    if (sketch.happens(Feature.ON_ERROR, 60)) {
      reactions.add(reaction(new Reaction.OnError(null), strand));
    }
    if (sketch.happens(Feature.ON_TIMEOUT, 40)) {
      reactions.add(reaction(new Reaction.OnTimeout(draw.between(100, 5000)), strand));
    }
    if (sketch.happens(Feature.ON_MESSAGE, 30) && !sketch.child) {
      reactions.add(reaction(new Reaction.OnMessage("rr", Map.of("x", 1L)), strand));
    }
    if (sketch.happens(Feature.ON_SIGNAL, 30)) {
      Decorations decorations = new Decorations(sketch, fragments);
      reactions.add(
          reaction(
              new Reaction.OnSignal(decorations.signalName(), decorations.signalPayload()),
              strand));
    }
    return List.copyOf(reactions);
  }

  private Reaction reaction(Reaction.Trigger trigger, Strand strand) {
    boolean canFail = trigger instanceof Reaction.OnError || trigger instanceof Reaction.OnTimeout;
    if (canFail && draw.chance(40)) {
      return new Reaction(trigger, null, true, false, null);
    }
    boolean interrupt = trigger instanceof Reaction.OnError || draw.chance(60);
    boolean compensate = interrupt && sketch.happens(Feature.COMPENSATE, 40);
    return new Reaction(trigger, fragments.quick(strand.muted()), interrupt, compensate, Map.of());
  }
}
