package dev.waymark.core.step;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import dev.waymark.core.definition.Activity;
import dev.waymark.core.definition.Activity.Transition;
import dev.waymark.core.definition.Definition;
import dev.waymark.core.expression.ExpressionException;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Hold;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One decision while it is being made: tokens move through the graph until each stands at a body, a
 * wait or its end. Kinds tell it what happens; {@link Draft} keeps what comes of it.
 *
 * <p>It lives for one call of {@link Decider#decide} and is seen by nobody else, which is why it
 * may be mutable in a pure core.
 */
final class Walk {

  private record Token(String activity, long parent) {}

  private final Definition definition;
  private final Command.Meta meta;
  private final Draft draft;
  private final Deque<Token> tokens = new ArrayDeque<>();
  private int passed;

  Walk(Definition definition, Instance before, Command command) {
    this.definition = definition;
    this.meta = command.meta();
    this.draft = new Draft(before, command);
  }

  // ---- what kinds may ask

  Instant at() {
    return meta.at();
  }

  String actor() {
    return meta.actor().id();
  }

  @Nullable ActivityInstance activity(long visit) {
    return draft.activities.get(visit);
  }

  /** A visit's evaluated {@code with}. */
  Map<String, @Nullable Object> input(ActivityInstance visit) {
    return Scopes.input(visit);
  }

  boolean hasChildren(long parent) {
    return draft.activities.values().stream().anyMatch(a -> a.parent() == parent);
  }

  @Nullable ActivityInstance childAt(long parent, String activity) {
    return draft.activities.values().stream()
        .filter(a -> a.parent() == parent && a.activity().equals(activity))
        .findFirst()
        .orElse(null);
  }

  /** Whether anything alive in the join's group can still come to it. */
  boolean canStillArrive(ActivityInstance join) {
    for (ActivityInstance other : draft.activities.values()) {
      if (other.visit() != join.visit() && !isFork(other)) {
        Set<String> taken = joinsOnTheWayUp(other, join.parent());
        if (taken != null && definition.graph().reaches(other.activity(), join.activity(), taken)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean isFork(ActivityInstance visit) {
    return kindOf(visit) instanceof ForkKind;
  }

  /** The fired joins between a visit and a group above it; absent if it is not in that group. */
  private @Nullable Set<String> joinsOnTheWayUp(ActivityInstance visit, long group) {
    Set<String> joins = new HashSet<>();
    long parent = visit.parent();
    while (true) {
      ActivityInstance enclosing = draft.activities.get(parent);
      if (enclosing != null) {
        joins.addAll(ForkKind.joined(enclosing));
      }
      if (parent == group) {
        return joins;
      }
      if (enclosing == null) {
        return null;
      }
      parent = enclosing.parent();
    }
  }

  // ---- what kinds may do

  /** Sends a token to an activity; it moves when its turn comes. */
  void enter(String activity, long parent) {
    tokens.add(new Token(activity, parent));
  }

  void put(ActivityInstance visit) {
    draft.put(visit);
  }

  void remove(ActivityInstance visit) {
    draft.withdrawBookmarks(visit.visit());
    draft.remove(visit);
  }

  void note(HistoryEntry.Type type, ActivityInstance visit) {
    draft.note(type, visit, Map.of());
  }

  /**
   * Lets the visit's body run: here, or wherever a node takes it, or not before the hold is off.
   */
  void run(ActivityInstance visit) {
    put(runnable(visit));
  }

  private ActivityInstance runnable(ActivityInstance visit) {
    if (draft.hold != null) {
      return visit.ready(null);
    }
    return meta.runner() == null ? visit.ready(meta.at()) : visit.running(meta.runner());
  }

  void await(ActivityInstance visit, List<Command.Wait> waits) {
    ActivityInstance waiting = visit.waiting();
    put(waiting);
    draft.createBookmarks(waiting, waits);
    draft.note(HistoryEntry.Type.ACTIVITY_WAITING, waiting, Map.of("for", keysOf(waits)));
  }

  private static List<String> keysOf(List<Command.Wait> waits) {
    return waits.stream().map(Command.Wait::key).toList();
  }

  /** The visit's work is done: its output goes into the variables, its token goes on. */
  void complete(ActivityInstance visit, Map<String, @Nullable Object> output) {
    Activity activity = definition.activity(visit.activity());
    try {
      draft.merge(
          activity.output() == null
              ? output
              : Scopes.evaluate(activity.output(), definition, draft, visit, output));
    } catch (ExpressionException e) {
      fault(
          visit.with(Scopes.OUTPUT, output),
          Fault.permanent(Fault.EXPRESSION, String.valueOf(e.getMessage())));
      return;
    }
    leave(visit, output);
  }

  private void leave(ActivityInstance visit, Map<String, @Nullable Object> output) {
    Activity activity = definition.activity(visit.activity());
    Transition taken;
    try {
      taken = transition(activity, visit, output);
    } catch (ExpressionException e) {
      fault(
          visit.with(Scopes.OUTPUT, output).with(Scopes.MERGED, true),
          Fault.permanent(Fault.EXPRESSION, String.valueOf(e.getMessage())));
      return;
    }
    if (taken == null && !activity.next().isEmpty()) {
      fault(
          visit.with(Scopes.OUTPUT, output).with(Scopes.MERGED, true),
          Fault.permanent(
              Fault.NO_MATCH,
              "Expected one of the conditions after '%s' to hold, but none did: %s"
                  .formatted(activity.id(), Scopes.conditions(activity))));
      return;
    }
    note(HistoryEntry.Type.ACTIVITY_COMPLETED, visit);
    remove(visit);
    if (taken != null) {
      enter(taken.to(), visit.parent());
    }
  }

  private @Nullable Transition transition(
      Activity activity, ActivityInstance visit, Map<String, @Nullable Object> output) {
    for (Transition transition : activity.next()) {
      if (transition.when() == null
          || Scopes.holds(transition.when(), definition, draft, visit, output)) {
        return transition;
      }
    }
    return null;
  }

  /** A value that an activity was given makes no sense to its kind. */
  void badInput(ActivityInstance visit, Exception why) {
    fault(visit, Fault.permanent("BAD_INPUT", String.valueOf(why.getMessage())));
  }

  /** What the definition cannot handle waits for a person: nothing is lost, nothing spins. */
  void fault(ActivityInstance visit, Fault fault) {
    draft.withdrawBookmarks(visit.visit());
    ActivityInstance parked = visit.parked(fault);
    put(parked);
    draft.note(HistoryEntry.Type.ACTIVITY_PARKED, parked, fault.toDocument());
    draft.createIntervention(parked, fault);
  }

  void terminate(ActivityInstance visit, Status status, @Nullable Fault fault) {
    note(HistoryEntry.Type.ACTIVITY_COMPLETED, visit);
    remove(visit);
    end(status, fault, Map.of());
  }

  void cancelChildren(long parent, long except) {
    for (ActivityInstance child : List.copyOf(draft.activities.values())) {
      if (child.parent() == parent && child.visit() != except) {
        cancelChildren(child.visit(), except);
        note(HistoryEntry.Type.ACTIVITY_CANCELLED, child);
        remove(child);
      }
    }
  }

  // ---- what the Decider does

  void start(Command.Start start) {
    draft.merge(definition.variables());
    draft.merge(start.input());
    draft.noteInstance(HistoryEntry.Type.INSTANCE_STARTED, Map.of());
    enter(definition.start(), 0);
  }

  /** A body came back: its attempt's end is an entry, whatever becomes of the visit then. */
  void bodyEnded(ActivityInstance visit, Duration duration, Command.Effects effects) {
    draft.bodyDuration = duration;
    draft.bodyNode = visit.node();
    effects.events().forEach(draft::emit);
    effects.messages().forEach(draft::send);
  }

  void merge(Map<String, @Nullable Object> output) {
    draft.merge(output);
  }

  void retryLater(ActivityInstance visit, Fault fault, Instant due) {
    ActivityInstance ready = visit.ready(draft.hold == null ? due : null);
    put(ready);
    Map<String, @Nullable Object> detail = new LinkedHashMap<>(fault.toDocument());
    detail.put("due", due.toString());
    draft.note(HistoryEntry.Type.ACTIVITY_RETRY_SCHEDULED, ready, detail);
  }

  void consume(
      Bookmark bookmark,
      Step.Spend.Guard guard,
      long fence,
      Map<String, @Nullable Object> payload) {
    ActivityInstance visit = requireNonNull(draft.activities.get(bookmark.visit()), "visit");
    draft.close(bookmark, Bookmark.End.CONSUMED, guard, fence);
    draft.noteConsumed(bookmark, visit, payload);
    // A wait lies between: whatever loop this is, it does not spin.
    draft.loops = Map.of();
  }

  void resumed(Bookmark bookmark, Map<String, @Nullable Object> payload) {
    ActivityInstance visit = requireNonNull(draft.activities.get(bookmark.visit()), "visit");
    kindOf(visit).resumed(this, visit, bookmark, payload);
  }

  void received(Message message) {
    draft.received.add(message.key());
  }

  /** Starts a visit again that a person has looked at, from where it stopped. */
  void retry(ActivityInstance parked) {
    ActivityInstance visit = parked.forgiven().waiting();
    Object output = visit.data().get(Scopes.OUTPUT);
    if (output instanceof Map<?, ?>) {
      ActivityInstance clean = visit.with(Scopes.OUTPUT, null).with(Scopes.MERGED, null);
      put(clean);
      if (Boolean.TRUE.equals(visit.data().get(Scopes.MERGED))) {
        leave(clean, Scopes.object(output));
      } else {
        complete(clean, Scopes.object(output));
      }
    } else if (Resumption.documentsOf(visit).isEmpty()) {
      draft.loops = Map.of();
      begin(visit);
    } else {
      run(visit);
    }
  }

  void hold(Hold hold) {
    draft.hold = hold;
    for (ActivityInstance visit : List.copyOf(draft.activities.values())) {
      if (visit.state() == State.READY) {
        put(visit.ready(null));
      }
    }
  }

  void letGo() {
    draft.hold = null;
    for (ActivityInstance visit : List.copyOf(draft.activities.values())) {
      if (visit.state() == State.READY) {
        put(runnable(visit));
      }
    }
  }

  void noteInstance(HistoryEntry.Type type, Map<String, @Nullable Object> detail) {
    draft.noteInstance(type, detail);
  }

  void note(HistoryEntry.Type type, ActivityInstance visit, Map<String, @Nullable Object> detail) {
    draft.note(type, visit, detail);
  }

  /** Ends the whole run: what is alive is cancelled with it. */
  void end(Status status, @Nullable Fault fault, Map<String, @Nullable Object> detail) {
    tokens.clear();
    for (ActivityInstance visit : List.copyOf(draft.activities.values())) {
      note(HistoryEntry.Type.ACTIVITY_CANCELLED, visit);
      remove(visit);
    }
    draft.end(status, fault, detail);
  }

  /** Moves every token until it rests, and gives the step that comes of it. */
  Step finish() {
    do {
      moveTokens();
    } while (settle());
    if (draft.activities.isEmpty() && !draft.isEnded()) {
      draft.end(Status.COMPLETED, null, Map.of());
    }
    return draft.toStep(definition);
  }

  private void moveTokens() {
    Token token;
    while ((token = tokens.poll()) != null) {
      Activity activity = definition.activity(token.activity());
      if (!Kinds.of(activity.type()).absorbs(this, activity, token.parent())) {
        begin(draft.newVisit(activity.id(), token.parent()));
      }
    }
  }

  private void begin(ActivityInstance visit) {
    put(visit);
    Activity activity = definition.activity(visit.activity());
    String overrun = overrun(activity);
    if (overrun != null) {
      fault(visit, Fault.permanent(Fault.TOO_MANY_VISITS, overrun));
      return;
    }
    ActivityInstance entered;
    try {
      entered = Scopes.withInput(activity, definition, draft, visit);
    } catch (ExpressionException e) {
      fault(visit, Fault.permanent(Fault.EXPRESSION, String.valueOf(e.getMessage())));
      return;
    }
    put(entered);
    Kinds.of(activity.type()).enter(this, entered);
  }

  /** Why this visit would be one too many, or absent if it is not. */
  private @Nullable String overrun(Activity activity) {
    if (++passed > Limits.ACTIVITIES_PER_STEP) {
      return "Expected a step to rest within %d activities, but it went on at '%s'"
          .formatted(Limits.ACTIVITIES_PER_STEP, activity.id());
    }
    if (draft.activities.size() > Limits.LIVE_ACTIVITIES) {
      return "Expected at most %d live activities, but '%s' would be one more"
          .formatted(Limits.LIVE_ACTIVITIES, activity.id());
    }
    if (!definition.graph().onCycle(activity.id())) {
      return null;
    }
    int count = draft.countLoop(activity.id());
    return count <= definition.maxVisits()
        ? null
        : "Expected at most %d visits to '%s' without a wait, but this is number %d"
            .formatted(definition.maxVisits(), activity.id(), count);
  }

  private boolean settle() {
    if (draft.isEnded() || !anySettles()) {
      return false;
    }
    for (ActivityInstance visit : List.copyOf(draft.activities.values())) {
      Kind kind = kindOf(visit);
      ActivityInstance current = draft.activities.get(visit.visit());
      if (kind.settles() && current != null && kind.settle(this, current)) {
        return true;
      }
    }
    return false;
  }

  private boolean anySettles() {
    for (ActivityInstance visit : draft.activities.values()) {
      if (kindOf(visit).settles()) {
        return true;
      }
    }
    return false;
  }

  private Kind kindOf(ActivityInstance visit) {
    return Kinds.of(definition.activity(visit.activity()).type());
  }
}
