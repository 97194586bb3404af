package dev.waymark.core.step;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.Hold;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Lease;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.Terms;
import dev.waymark.core.step.Explanation.Kind;
import dev.waymark.core.step.Explanation.Move;
import dev.waymark.core.step.Explanation.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Says why a run stands where it stands. Pure: it tells what the state says at a moment. */
public final class Explainer {

  private final Definition definition;
  private final Instance instance;
  private final Instant now;
  private final Moves moves;
  private final List<Reason> reasons = new ArrayList<>();

  private Explainer(Definition definition, Instance instance, Instant now) {
    this.definition = definition;
    this.instance = instance;
    this.now = now;
    this.moves = new Moves(instance.id());
  }

  /** What it waits for, without what its children wait for. */
  public static Explanation explain(Definition definition, Instance instance, Instant now) {
    Explainer explainer = new Explainer(definition, instance, now);
    explainer.look();
    return new Explanation(
        instance.id(),
        instance.status(),
        explainer.summary(),
        List.copyOf(explainer.reasons),
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
    return "%s is %s and waits for %s"
        .formatted(
            run, instance.status(), reasons.size() == 1 ? "one thing" : reasons.size() + " things");
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
        waits(visit, wait, true);
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
    reasons.add(
        new Reason(
            Kind.READY,
            visit.activity(),
            visit.visit(),
            false,
            visit.due() == null
                ? "%s is held back until the run goes on".formatted(shown(visit))
                : "%s is to run%s".formatted(shown(visit), again),
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
    Fault fault = visit.fault();
    for (Bookmark wait : waits) {
      if (!Reactions.isArmed(visit, wait)) {
        add(
            Kind.INTERVENTION,
            visit,
            wait,
            false,
            "%s is parked because of %s: %s"
                .formatted(
                    shown(visit),
                    fault == null ? "a fault" : fault.code(),
                    fault == null ? "unknown" : fault.message()),
            null,
            List.of(
                Moves.intervene(wait, "RETRY_ACTIVITY"), Moves.intervene(wait, "SKIP_ACTIVITY")));
      }
    }
  }

  private void waiting(ActivityInstance visit, List<Bookmark> waits) {
    boolean own = false;
    for (Bookmark wait : waits) {
      if (!Reactions.isArmed(visit, wait)) {
        own = true;
        waits(visit, wait, false);
      }
    }
    if (own || visit.activity().equals(Definition.ROOT)) {
      return;
    }
    boolean joins = Kinds.of(definition.activity(visit.activity()).type()) instanceof JoinKind;
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
        List.of(moves.elsewhere(visit)));
  }

  // ---- one wait

  private void waits(ActivityInstance visit, Bookmark wait, boolean reaction) {
    String at = reaction ? "beside %s, a reaction waits".formatted(shown(visit)) : waitsAt(visit);
    switch (wait.kind()) {
      case TIMER ->
          add(
              Kind.TIMER,
              visit,
              wait,
              reaction,
              "%s for a moment: it goes on by itself".formatted(at),
              null,
              reaction ? List.of() : List.of(moves.elsewhere(visit)));
      case EXTERNAL_MESSAGE -> message(visit, wait, reaction, at);
      case USER_ACTION ->
          add(
              Kind.USER_ACTION,
              visit,
              wait,
              reaction,
              "%s for somebody to act on '%s'".formatted(at, wait.key()),
              null,
              Moves.answer(wait));
      case APPROVAL ->
          add(
              Kind.APPROVAL,
              visit,
              wait,
              reaction,
              "%s for an approval of '%s'".formatted(at, wait.key()),
              null,
              Moves.answer(wait));
      case MANUAL_INTERVENTION ->
          add(
              Kind.INTERVENTION,
              visit,
              wait,
              reaction,
              "%s for an operator".formatted(at),
              null,
              List.of(Moves.intervene(wait, "RETRY_ACTIVITY")));
    }
  }

  private void message(ActivityInstance visit, Bookmark wait, boolean reaction, String at) {
    if (Message.isEnded(wait.key())) {
      InstanceId child = Message.child(wait.key());
      add(
          Kind.CHILD,
          visit,
          wait,
          reaction,
          "%s for its child %s to end".formatted(at, child),
          child,
          List.of(Moves.explain(child)));
      return;
    }
    if (Message.isSignal(wait.key())) {
      String name = named(wait);
      add(
          Kind.SIGNAL,
          visit,
          wait,
          reaction,
          "%s for signal '%s'".formatted(at, name),
          null,
          List.of(Moves.signal(name)));
      return;
    }
    if (Message.isHook(wait.key())) {
      add(
          Kind.MESSAGE,
          visit,
          wait,
          reaction,
          "%s for callback '%s'%s".formatted(at, named(wait), Reports.shown(wait)),
          null,
          List.of(moves.callBack(instance.tenant(), named(wait))));
      return;
    }
    String correlation = wait.terms().correlation();
    add(
        Kind.MESSAGE,
        visit,
        wait,
        reaction,
        "%s for message '%s'%s"
            .formatted(
                at, wait.key(), correlation == null ? "" : " that names '" + correlation + "'"),
        null,
        List.of(moves.send(wait.key())));
  }

  /** The name that users gave, without what the engine put before it. */
  private static String named(Bookmark wait) {
    return wait.key().substring(wait.key().indexOf(':') + 1);
  }

  private static String waitsAt(ActivityInstance visit) {
    return shown(visit) + " waits";
  }

  private static String shown(ActivityInstance visit) {
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

  private void add(
      Kind kind,
      ActivityInstance visit,
      Bookmark wait,
      boolean reaction,
      String why,
      @Nullable InstanceId child,
      List<Move> moves) {
    Terms terms = requireNonNull(wait.terms(), "terms");
    Lease lease = wait.lease();
    reasons.add(
        new Reason(
            kind,
            visit.activity(),
            visit.visit(),
            reaction,
            why,
            wait.created(),
            wait.due(),
            terms.expires(),
            who(kind, terms),
            lease != null && lease.isLiveAt(now) ? lease : null,
            child,
            moves));
  }

  private static List<String> who(Kind kind, Terms terms) {
    if (kind == Kind.TIMER || kind == Kind.CHILD) {
      return List.of();
    }
    List<String> who = new ArrayList<>();
    if (terms.candidates().isOpen()) {
      who.add("anybody");
    } else {
      who.addAll(new TreeSet<>(terms.candidates().names()));
    }
    new TreeSet<>(terms.candidates().excluded()).forEach(user -> who.add("not:" + user));
    return who;
  }
}
