package dev.waymark.core.step.walk;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Json;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.step.Effects;
import dev.waymark.core.step.Resumption;
import dev.waymark.core.step.Wait;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The way in which a visit goes on. It does so at once, or, while an operator holds the run, the
 * outcome is kept with the visit and takes effect in the step that lets the run go on.
 *
 * <p>This is the one rule of a hold: a held run begins nothing new, so whatever would make one of
 * its visits go on is an outcome, and {@link #reach} decides between the two.
 */
public sealed interface Outcome {

  /** Makes the visit go on. */
  void take(Walk walk, ActivityInstance visit);

  /** A token has come to the activity: the visit has not begun. */
  record Entered() implements Outcome {

    @Override
    public void take(Walk walk, ActivityInstance visit) {
      walk.remove(visit);
      walk.enter(visit.activity(), visit.parent());
    }
  }

  /** A person wants the parked visit to be tried again, from where it stopped. */
  record Retried() implements Outcome {

    @Override
    public void take(Walk walk, ActivityInstance visit) {
      PutOff.restore(walk, visit);
      ActivityInstance restored = requireNonNull(walk.activity(visit.visit()), "visit");
      ActivityInstance waiting = restored.forgiven().waiting();
      if (!Completion.again(walk, waiting)) {
        walk.put(waiting);
        walk.draft().loops = Map.of();
        walk.kindOf(waiting).retried(walk, waiting);
      }
    }
  }

  /** A person has done the parked visit's work, or says that it need not be done. */
  record Skipped(Map<String, @Nullable Object> result) implements Outcome {

    @Override
    public void take(Walk walk, ActivityInstance visit) {
      ActivityInstance waiting = visit.forgiven().waiting().with(Resumption.DATA, null);
      walk.cancelChildren(waiting.visit(), 0);
      walk.kindOf(waiting).cancelled(walk, waiting);
      walk.complete(waiting, result);
    }
  }

  /** The body has done its work. */
  record Completed(Map<String, @Nullable Object> output, Effects effects) implements Outcome {

    @Override
    public void take(Walk walk, ActivityInstance visit) {
      walk.publish(effects);
      Completion.guarded(walk, visit.waiting().with(Resumption.DATA, null), output);
    }
  }

  /** The body asks to wait. */
  record Awaited(List<Wait> waits, Map<String, @Nullable Object> output, Effects effects)
      implements Outcome {

    @Override
    public void take(Walk walk, ActivityInstance visit) {
      walk.publish(effects);
      walk.merge(visit, output);
      List<?> resumptions = Resumption.documentsOf(visit);
      List<?> left =
          resumptions.isEmpty() ? resumptions : resumptions.subList(1, resumptions.size());
      ActivityInstance waiting = visit.with(Resumption.DATA, left.isEmpty() ? null : left);
      walk.await(waiting, waits);
      if (!left.isEmpty()) {
        walk.run(waiting.waiting());
      }
    }
  }

  /** The visit has failed, and will not be tried again by itself. */
  record Failed(Fault fault) implements Outcome {

    @Override
    public void take(Walk walk, ActivityInstance visit) {
      walk.fault(visit, fault);
    }
  }

  /** Makes the visit go on now, or keeps how it will if the run is held. */
  default void reach(Walk walk, ActivityInstance visit) {
    if (walk.isHeld()) {
      walk.keep(visit.ready(null).with(DATA, OutcomeDocument.of(this)));
    } else {
      take(walk, visit);
    }
  }

  /** In the data of a visit whose outcome is kept. */
  String DATA = "held";

  static boolean isKept(ActivityInstance visit) {
    return visit.data().containsKey(DATA);
  }

  /** Makes a visit go on that had to wait for the hold to be off. */
  static void release(Walk walk, ActivityInstance visit) {
    Map<String, @Nullable Object> kept = new LinkedHashMap<>(Json.object(visit.data().get(DATA)));
    ActivityInstance free = visit.with(DATA, null);
    walk.put(free);
    OutcomeDocument.read(kept).take(walk, free);
  }
}
