package dev.waymark.core.explain;

import dev.waymark.core.definition.Definition;
import dev.waymark.core.definition.Guard;
import dev.waymark.core.explain.Explanation.Kind;
import dev.waymark.core.explain.Explanation.Move;
import dev.waymark.core.explain.Explanation.Reason;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Candidates;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Lease;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Operators;
import dev.waymark.core.step.TimerPurpose;
import dev.waymark.core.step.decide.ProgressReports;
import dev.waymark.core.step.kind.Kinds;
import dev.waymark.core.step.people.ApprovalState;
import dev.waymark.core.step.people.TaskHandover;
import dev.waymark.core.step.walk.PutOff;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Says of one open wait why it is there, until when, who can move it, and with which command. */
final class WaitExplainer {

  private final Definition definition;
  private final Instance instance;
  private final Instant now;
  private final Operators operators;
  private final SuggestedMoves moves;

  WaitExplainer(
      Definition definition,
      Instance instance,
      Instant now,
      Operators operators,
      SuggestedMoves moves) {
    this.definition = definition;
    this.instance = instance;
    this.now = now;
    this.operators = operators;
    this.moves = moves;
  }

  /** The explanation of one wait. */
  private record Said(Kind kind, String why, List<Move> moves) {}

  Reason of(ActivityInstance visit, Bookmark stored, boolean reaction) {
    Bookmark wait = PutOff.asBefore(visit, stored);
    boolean watch = !reaction && isWatch(visit, wait);
    String at =
        reaction
            ? "beside %s, a reaction waits".formatted(Explainer.shown(visit))
            : Explainer.shown(visit) + " waits";
    Said said =
        switch (wait.kind()) {
          case TIMER -> watch ? watch(visit, wait) : timer(visit, wait, reaction, at);
          case EXTERNAL_MESSAGE -> message(visit, wait, reaction, at);
          case USER_ACTION -> task(visit, wait, at);
          case APPROVAL -> approval(visit, wait, at);
          case MANUAL_INTERVENTION -> parked(visit, wait);
        };
    return new Reason(
        said.kind(),
        visit.activity(),
        visit.visit(),
        reaction || watch,
        said.why(),
        wait.created(),
        wait.due(),
        wait.terms().expires(),
        who(said.kind(), visit, wait, reaction),
        live(wait),
        said.kind() == Kind.CHILD ? Message.child(wait.key()) : null,
        said.moves());
  }

  private @Nullable Lease live(Bookmark wait) {
    Lease lease = wait.lease();
    return lease != null && lease.isLiveAt(now) ? lease : null;
  }

  // ---- time

  private Said timer(ActivityInstance visit, Bookmark wait, boolean reaction, String at) {
    List<Move> all = new ArrayList<>(moves.timer(wait));
    if (!reaction) {
      all.add(moves.elsewhere(visit.visit()));
    }
    return new Said(Kind.TIMER, "%s for a moment: it goes on by itself".formatted(at), all);
  }

  private Said watch(ActivityInstance visit, Bookmark wait) {
    return new Said(
        Kind.TIMER,
        "beside %s: %s".formatted(Explainer.shown(visit), purpose(TimerPurpose.of(wait))),
        moves.timer(wait));
  }

  private static String purpose(TimerPurpose does) {
    return switch (does) {
      case ESCALATE -> "others are asked too then";
      case REMIND -> "who is asked is reminded then";
      case COMPLETE -> "it ends by itself then";
      case SUBSTITUTE -> "who stands for whom changes then";
      case ASSIGN -> "somebody is looked for again then";
    };
  }

  // ---- people

  private Said task(ActivityInstance visit, Bookmark wait, String at) {
    String why = "%s for somebody to act on '%s'".formatted(at, wait.key());
    if (!asksPeople(visit)) {
      return new Said(Kind.USER_ACTION, why + condition(visit), moves.answer(wait, live(wait)));
    }
    String owner = TaskHandover.owner(visit);
    return owner == null
        ? new Said(Kind.USER_ACTION, why + condition(visit), moves.complete(wait, live(wait)))
        : new Said(
            Kind.USER_ACTION,
            "%s; %s delegated it and completes it once it is resolved".formatted(why, owner),
            List.of(moves.resolve(wait)));
  }

  private Said approval(ActivityInstance visit, Bookmark wait, String at) {
    String why = "%s for an approval of '%s'".formatted(at, wait.key());
    return asksPeople(visit)
        ? new Said(Kind.APPROVAL, why + count(visit, wait) + condition(visit), moves.vote(wait))
        : new Said(Kind.APPROVAL, why + condition(visit), moves.answer(wait, live(wait)));
  }

  /** The progress of the approval. */
  private static String count(ActivityInstance visit, Bookmark wait) {
    ApprovalState state = ApprovalState.of(visit);
    StringBuilder text = new StringBuilder();
    text.append(", level ").append(wait.payload().get("level"));
    text.append(" of ").append(wait.payload().get("levels"));
    text.append(", needs ").append(wait.payload().get("required"));
    state.votes().stream()
        .filter(vote -> vote.level() == state.level())
        .forEach(
            vote -> text.append("; ").append(vote.by()).append(": ").append(vote.outcome().word()));
    return text.toString();
  }

  private Said parked(ActivityInstance visit, Bookmark wait) {
    Fault fault = visit.fault();
    String why =
        "%s is parked because of %s: %s"
            .formatted(
                Explainer.shown(visit),
                fault == null ? "a fault" : fault.code(),
                fault == null ? "unknown" : fault.message());
    return new Said(
        Kind.INTERVENTION,
        wait.due() == null ? why : why + "; it goes to a higher level when it is due",
        moves.intervene(wait, live(wait)));
  }

  // ---- messages

  private Said message(ActivityInstance visit, Bookmark wait, boolean reaction, String at) {
    if (Message.isEnded(wait.key())) {
      InstanceId child = Message.child(wait.key());
      return new Said(
          Kind.CHILD,
          "%s for its child %s to end".formatted(at, child),
          List.of(moves.explain(child)));
    }
    String asked = reaction ? "" : condition(visit);
    if (Message.isSignal(wait.key())) {
      String name = named(wait);
      return new Said(
          Kind.SIGNAL,
          "%s for signal '%s'%s".formatted(at, name, asked),
          List.of(moves.signal(name)));
    }
    if (Message.isHook(wait.key())) {
      return new Said(
          Kind.MESSAGE,
          "%s for callback '%s'%s%s".formatted(at, named(wait), asked, ProgressReports.shown(wait)),
          List.of(moves.callBack(instance.tenant(), named(wait))));
    }
    String correlation = wait.terms().correlation();
    return new Said(
        Kind.MESSAGE,
        "%s for message '%s'%s%s"
            .formatted(
                at,
                wait.key(),
                correlation == null ? "" : " that names '" + correlation + "'",
                asked),
        correlation == null
            ? List.of(moves.send(wait.key()))
            : List.of(moves.correlate(wait.key(), correlation), moves.send(wait.key())));
  }

  /** The name that users gave, without the prefix of the engine. */
  private static String named(Bookmark wait) {
    return wait.key().substring(wait.key().indexOf(':') + 1);
  }

  // ---- who, and with what

  /** The condition on an answer, as the definition says it. */
  private String condition(ActivityInstance visit) {
    Guard guard = guard(visit);
    if (guard == null || guard.when() == null) {
      return "";
    }
    return ", if " + (guard.message() == null ? guard.when().source() : guard.message());
  }

  private List<String> who(Kind kind, ActivityInstance visit, Bookmark wait, boolean reaction) {
    if (kind == Kind.TIMER || kind == Kind.CHILD) {
      return List.of();
    }
    Candidates candidates = wait.terms().candidates();
    List<String> who = new ArrayList<>();
    if (kind == Kind.INTERVENTION) {
      who.addAll(interveners(candidates));
    } else if (candidates.isOpen()) {
      who.add("anybody");
    } else {
      who.addAll(new TreeSet<>(candidates.names()));
    }
    new TreeSet<>(candidates.excluded()).forEach(user -> who.add(Candidates.barred(user)));
    Guard guard = reaction ? null : guard(visit);
    // A message comes from no person, so there are no roles to ask for.
    if (guard != null && wait.kind() != BookmarkKind.EXTERNAL_MESSAGE) {
      only(who, "role", guard.roles());
      only(who, "group", guard.groups());
    }
    return who;
  }

  private static void only(List<String> who, String what, List<String> names) {
    if (!names.isEmpty()) {
      who.add("only with %s %s".formatted(what, String.join(" or ", names)));
    }
  }

  /**
   * The groups and roles that may resolve an intervention. A name in it may be either; the level
   * above may too.
   */
  private Set<String> interveners(Candidates candidates) {
    Set<String> names = new TreeSet<>(candidates.groups());
    names.add(operators.higherLevel() == null ? operators.firstLevel() : operators.higherLevel());
    Set<String> who = new LinkedHashSet<>(new TreeSet<>(candidates.names()));
    names.forEach(name -> who.add(Candidates.group(name)));
    names.forEach(name -> who.add("role:" + name));
    return who;
  }

  private @Nullable Guard guard(ActivityInstance visit) {
    return visit.activity().equals(Definition.ROOT)
        ? null
        : definition.activity(visit.activity()).guard();
  }

  private boolean asksPeople(ActivityInstance visit) {
    return !visit.activity().equals(Definition.ROOT)
        && Kinds.of(definition.activity(visit.activity()).type()).asksPeople();
  }

  /** True for a timer beside a wait for people: the activity does not wait for it. */
  private boolean isWatch(ActivityInstance visit, Bookmark wait) {
    return wait.kind() == BookmarkKind.TIMER && asksPeople(visit);
  }
}
