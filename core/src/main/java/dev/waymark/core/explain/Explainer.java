package dev.waymark.core.explain;

import dev.waymark.core.definition.Definition;
import dev.waymark.core.explain.Explanation.Kind;
import dev.waymark.core.explain.Explanation.Move;
import dev.waymark.core.explain.Explanation.Reason;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.Hold;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.step.Operators;
import dev.waymark.core.step.kind.Kinds;
import dev.waymark.core.step.walk.Outcome;
import dev.waymark.core.step.walk.Reactions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Gives the reasons why a run stands where it stands. Pure: it reads the state at one moment and
 * nothing else.
 */
public final class Explainer {

  private final Definition definition;
  private final Instance instance;
  private final SuggestedMoves moves;
  private final WaitExplainer one;
  private final List<Reason> reasons = new ArrayList<>();

  private Explainer(
      Definition definition,
      Instance instance,
      Instant now,
      Operators operators,
      SuggestedMoves moves) {
    this.definition = definition;
    this.instance = instance;
    this.moves = moves;
    this.one = new WaitExplainer(definition, instance, now, operators, moves);
  }

  /**
   * Explains one instance, without the reasons of its children.
   *
   * @param rendering puts a suggestion into words that the reader can use
   */
  public static Explanation explain(
      Definition definition,
      Instance instance,
      Instant now,
      Operators operators,
      Function<Suggestion, Move> rendering) {
    Explainer explainer =
        new Explainer(
            definition, instance, now, operators, new SuggestedMoves(instance.id(), rendering));
    explainer.look();
    return new Explanation(
        instance.id(),
        instance.status(),
        explainer.summary(),
        List.copyOf(explainer.reasons),
        List.of(),
        List.of());
  }

  private void look() {
    if (instance.hold() != null) {
      held(instance.hold());
    }
    for (ActivityInstance visit : instance.activities().values()) {
      if (visit.isLive()) {
        look(visit);
      }
    }
  }

  private String summary() {
    String run = "Run %s of %s".formatted(instance.id(), definition);
    if (instance.status().isTerminal()) {
      return "%s waits for nothing: it ended as %s at %s"
          .formatted(run, instance.status(), String.valueOf(instance.ended()));
    }
    long things = reasons.stream().filter(Explainer::isAwaited).count();
    return "%s is %s and waits for %s"
        .formatted(run, instance.status(), things == 1 ? "one thing" : things + " things");
  }

  /** False for what stands beside the run or only around it: that does not keep it waiting. */
  private static boolean isAwaited(Reason reason) {
    return !reason.reaction() && reason.kind() != Kind.INSIDE;
  }

  private void held(Hold hold) {
    add(
        Kind.HELD,
        null,
        false,
        "the run is suspended by %s: %s".formatted(hold.by(), hold.reason()),
        hold.since(),
        List.of("operators"),
        List.of(moves.goOn()));
  }

  private void look(ActivityInstance visit) {
    List<Bookmark> waits =
        instance.bookmarks().values().stream().filter(b -> b.visit() == visit.visit()).toList();
    for (Bookmark wait : waits) {
      if (Reactions.isArmed(visit, wait)) {
        reasons.add(one.of(visit, wait, true));
      }
    }
    switch (visit.state()) {
      case READY -> ready(visit);
      case RUNNING -> running(visit);
      case PARKED -> parked(visit, waits);
      case WAITING -> waiting(visit, waits);
      case KEPT -> {}
    }
  }

  private void ready(ActivityInstance visit) {
    Fault fault = visit.fault();
    String again =
        fault == null ? "" : " again, after %s: %s".formatted(fault.code(), fault.message());
    String turn =
        visit.crashes() == 0
            ? ""
            : "; as %d nodes died while they ran it, it may have to wait until it can run alone"
                .formatted(visit.crashes());
    reasons.add(
        new Reason(
            Kind.READY,
            visit.activity(),
            visit.visit(),
            false,
            visit.due() == null
                ? (Outcome.isKept(visit)
                        ? "%s goes on with what is kept for it once the run goes on"
                        : "%s is held back until the run goes on")
                    .formatted(shown(visit))
                : "%s is to run%s%s".formatted(shown(visit), again, turn),
            visit.entered(),
            visit.due(),
            null,
            List.of("any node that knows its type"),
            null,
            null,
            List.of(moves.cancel())));
  }

  private void running(ActivityInstance visit) {
    add(
        Kind.RUNNING,
        visit,
        false,
        "%s runs, attempt %d".formatted(shown(visit), visit.attempt()),
        visit.entered(),
        List.of("node " + visit.node()),
        List.of(moves.cancel()));
  }

  private void parked(ActivityInstance visit, List<Bookmark> waits) {
    for (Bookmark wait : waits) {
      if (!Reactions.isArmed(visit, wait)) {
        reasons.add(one.of(visit, wait, false));
      }
    }
  }

  private void waiting(ActivityInstance visit, List<Bookmark> waits) {
    boolean own = false;
    for (Bookmark wait : waits) {
      if (!Reactions.isArmed(visit, wait)) {
        own = true;
        reasons.add(one.of(visit, wait, false));
      }
    }
    if (own || visit.activity().equals(Definition.ROOT)) {
      return;
    }
    boolean joins = Kinds.of(definition.activity(visit.activity()).type()).joins();
    long inside =
        instance.activities().values().stream()
            .filter(a -> a.parent() == visit.visit() && a.isLive())
            .count();
    add(
        joins ? Kind.JOIN : Kind.INSIDE,
        visit,
        false,
        joins
            ? "%s waits for branches that can still come to it".formatted(shown(visit))
            : "%s waits for what is inside it: %d alive".formatted(shown(visit), inside),
        visit.entered(),
        List.of(),
        List.of(moves.elsewhere(visit.visit())));
  }

  static String shown(ActivityInstance visit) {
    return visit.activity().equals(Definition.ROOT) ? "the run" : "'" + visit.activity() + "'";
  }

  private void add(
      Kind kind,
      @Nullable ActivityInstance visit,
      boolean reaction,
      String why,
      Instant since,
      List<String> who,
      List<Move> moves) {
    reasons.add(
        new Reason(
            kind,
            visit == null ? null : visit.activity(),
            visit == null ? 0 : visit.visit(),
            reaction,
            why,
            since,
            null,
            null,
            who,
            null,
            null,
            moves));
  }
}
