package dev.waymark.core.step;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import dev.waymark.core.definition.Activity;
import dev.waymark.core.definition.Activity.Transition;
import dev.waymark.core.definition.Definition;
import dev.waymark.core.definition.WithSchema;
import dev.waymark.core.expression.ExpressionException;
import dev.waymark.core.expression.Scope;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Hold;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.Locals;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.Status;
import dev.waymark.core.time.Calendar;
import dev.waymark.core.time.Due;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  Definition definition() {
    return definition;
  }

  Activity activityOf(ActivityInstance visit) {
    return definition.activity(visit.activity());
  }

  Kind kindOf(ActivityInstance visit) {
    return Kinds.of(activityOf(visit).type());
  }

  Draft draft() {
    return draft;
  }

  Instant at() {
    return meta.at();
  }

  /** The moment that a due value of an evaluated {@code with} means. */
  Instant due(@Nullable Object value) {
    return Due.after(value, meta.at(), definition.calendars());
  }

  Map<String, Calendar> calendars() {
    return definition.calendars();
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

  /** The live visits directly below one. */
  List<ActivityInstance> children(long parent) {
    return draft.activities.values().stream()
        .filter(a -> a.parent() == parent && a.isLive())
        .toList();
  }

  boolean hasChildren(long parent) {
    for (ActivityInstance visit : draft.activities.values()) {
      if (visit.parent() == parent && visit.isLive()) {
        return true;
      }
    }
    return false;
  }

  @Nullable ActivityInstance childAt(long parent, String activity) {
    return draft.activities.values().stream()
        .filter(a -> a.parent() == parent && a.isLive() && a.activity().equals(activity))
        .findFirst()
        .orElse(null);
  }

  /** The innermost visit with an inside that encloses the given one's place; 0 is the whole run. */
  long containerOf(ActivityInstance visit) {
    long parent = visit.parent();
    ActivityInstance enclosing = draft.activities.get(parent);
    while (enclosing != null && activityOf(enclosing).block() == null) {
      parent = enclosing.parent();
      enclosing = draft.activities.get(parent);
    }
    return parent;
  }

  /** Whether this step has gone through so much that the rest had better be another's. */
  boolean isLong() {
    return passed > Limits.ACTIVITIES_PER_STEP / 2;
  }

  Scope before(ActivityInstance visit) {
    return Scopes.before(definition, draft, visit);
  }

  Scope inside(ActivityInstance visit) {
    return Scopes.inside(definition, draft, visit);
  }

  Scope after(ActivityInstance visit, Map<String, @Nullable Object> output) {
    return Scopes.after(definition, draft, visit, output);
  }

  // ---- what kinds may do

  /** Sends a token to an activity; it moves when its turn comes. */
  void enter(String activity, long parent) {
    tokens.add(new Token(activity, parent));
  }

  void put(ActivityInstance visit) {
    draft.put(visit);
  }

  /** Ends a visit, with all that is remembered below it. */
  void remove(ActivityInstance visit) {
    draft.withdrawBookmarks(visit.visit());
    draft.remove(visit);
    if (activityOf(visit).block() != null) {
      draft.forgetLoops("@" + visit.visit());
      for (ActivityInstance below : List.copyOf(draft.activities.values())) {
        if (below.parent() == visit.visit() && !below.isLive()) {
          remove(below);
        }
      }
    }
  }

  void note(HistoryEntry.Type type, ActivityInstance visit) {
    draft.note(type, visit, Map.of());
  }

  void note(HistoryEntry.Type type, ActivityInstance visit, Map<String, @Nullable Object> detail) {
    draft.note(type, visit, detail);
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

  List<Bookmark> await(ActivityInstance visit, List<Command.Wait> waits) {
    ActivityInstance waiting = visit.waiting();
    put(waiting);
    List<Bookmark> created = draft.createBookmarks(waiting, waits);
    List<String> keys = waits.stream().map(Command.Wait::key).toList();
    draft.note(HistoryEntry.Type.ACTIVITY_WAITING, waiting, Map.of("for", keys));
    return created;
  }

  /** The same for a result that the activity's guard must let pass. */
  void completeGuarded(ActivityInstance visit, Map<String, @Nullable Object> output) {
    String refusal = Guards.refusal(this, visit, output);
    if (refusal == null) {
      complete(visit, output);
    } else {
      fault(visit, Fault.permanent(Fault.GUARD, refusal));
    }
  }

  /** The visit's work is done: its output goes into the variables, its token goes on. */
  void complete(ActivityInstance visit, Map<String, @Nullable Object> output) {
    complete(visit, output, null);
  }

  /**
   * @param to where the token goes; absent, where the activity's transitions lead it
   */
  void complete(ActivityInstance visit, Map<String, @Nullable Object> output, @Nullable String to) {
    Activity activity = activityOf(visit);
    try {
      if (activity.output() != null) {
        merge(visit, Scopes.object(activity.output().evaluate(after(visit, output))));
      } else if (kindOf(visit).merges()) {
        merge(visit, output);
      }
    } catch (ExpressionException e) {
      fault(
          visit.with(Scopes.OUTPUT, output).with(Scopes.TO, to),
          Fault.permanent(Fault.EXPRESSION, String.valueOf(e.getMessage())));
      return;
    }
    leave(visit, output, to);
  }

  private void leave(
      ActivityInstance visit, Map<String, @Nullable Object> output, @Nullable String to) {
    String next = to;
    if (next == null && !activityOf(visit).next().isEmpty()) {
      try {
        next = transition(visit, output);
      } catch (ExpressionException e) {
        stuck(visit, output, Fault.EXPRESSION, String.valueOf(e.getMessage()));
        return;
      }
      if (next == null) {
        stuck(
            visit,
            output,
            Fault.NO_MATCH,
            "Expected one of the conditions after '%s' to hold, but none did: %s"
                .formatted(visit.activity(), Scopes.conditions(activityOf(visit))));
        return;
      }
    }
    note(HistoryEntry.Type.ACTIVITY_COMPLETED, visit);
    Compensation.keepOrRemove(this, visit, output);
    if (next != null) {
      enter(next, visit.parent());
    }
  }

  /** The result is in the variables, but there is no way on. */
  private void stuck(
      ActivityInstance visit, Map<String, @Nullable Object> output, String code, String message) {
    ActivityInstance merged = visit.with(Scopes.OUTPUT, output).with(Scopes.MERGED, true);
    fault(merged, Fault.permanent(code, message));
  }

  private @Nullable String transition(
      ActivityInstance visit, Map<String, @Nullable Object> output) {
    for (Transition transition : activityOf(visit).next()) {
      if (transition.when() == null || transition.when().holds(after(visit, output))) {
        return transition.to();
      }
    }
    return null;
  }

  /** A value that an activity was given makes no sense to its kind. */
  void badInput(ActivityInstance visit, Exception why) {
    fault(visit, Fault.permanent(Fault.BAD_INPUT, String.valueOf(why.getMessage())));
  }

  /** Something went wrong for good: whoever reacts to it takes over; else a person must look. */
  void fault(ActivityInstance visit, Fault fault) {
    if (!Reactions.take(this, visit, fault)) {
      park(visit, fault);
    }
  }

  /** What the definition cannot handle waits for a person: nothing is lost, nothing spins. */
  void park(ActivityInstance visit, Fault fault) {
    draft.bookmarksOf(visit.visit()).stream()
        .filter(bookmark -> !Reactions.isArmed(visit, bookmark))
        .forEach(draft::withdraw);
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

  /** Ends what is alive below a visit, except for one. */
  void cancelChildren(long parent, long except) {
    for (ActivityInstance child : children(parent)) {
      if (child.visit() != except && activity(child.visit()) != null) {
        cancelChildren(child.visit(), except);
        cancel(child);
      }
    }
  }

  /** Ends a visit below which nothing is alive. */
  void cancel(ActivityInstance visit) {
    if (!visit.activity().equals(Definition.ROOT)) {
      note(HistoryEntry.Type.ACTIVITY_CANCELLED, visit);
    }
    discard(visit);
  }

  /** Ends a visit of which history has already told that it did not do its work. */
  void discard(ActivityInstance visit) {
    kindOf(visit).cancelled(this, visit);
    remove(visit);
  }

  // ---- what the Decider does

  void start(Command.Start start) {
    draft.merge(0, definition.variables());
    draft.merge(0, start.input());
    draft.noteInstance(HistoryEntry.Type.INSTANCE_STARTED, begunBy(start.request()));
    enter(definition.root().reactions().isEmpty() ? definition.start() : Definition.ROOT, 0);
  }

  private static Map<String, @Nullable Object> begunBy(Command.Start.@Nullable Request request) {
    if (request == null || request.parent() != null) {
      return Map.of();
    }
    Message message = request.message();
    return Map.of(
        "message", message.name(), "source", message.key().source(), "id", message.key().id());
  }

  /** A body came back: its attempt's end is an entry, whatever becomes of the visit then. */
  void bodyEnded(ActivityInstance visit, Duration duration, Command.Effects effects) {
    draft.bodyDuration = duration;
    draft.bodyNode = visit.node();
    effects.events().forEach(draft::emit);
    effects.messages().forEach(draft::send);
  }

  void merge(ActivityInstance visit, Map<String, @Nullable Object> output) {
    draft.merge(Locals.placeOf(visit), output);
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
    if (Reactions.isArmed(visit, bookmark)) {
      Reactions.triggered(this, visit, bookmark, payload);
    } else {
      kindOf(visit).resumed(this, visit, bookmark, payload);
    }
  }

  void received(Message message) {
    draft.received.add(message.key());
  }

  /** Starts a visit again that a person has looked at, from where it stopped. */
  void retry(ActivityInstance parked) {
    ActivityInstance visit = parked.forgiven().waiting();
    Object output = visit.data().get(Scopes.OUTPUT);
    if (output instanceof Map<?, ?>) {
      String to = visit.data().get(Scopes.TO) instanceof String id ? id : null;
      ActivityInstance clean =
          visit.with(Scopes.OUTPUT, null).with(Scopes.MERGED, null).with(Scopes.TO, null);
      put(clean);
      if (Boolean.TRUE.equals(visit.data().get(Scopes.MERGED))) {
        leave(clean, Scopes.object(output), to);
      } else {
        complete(clean, Scopes.object(output), to);
      }
    } else {
      put(visit);
      draft.loops = Map.of();
      kindOf(visit).retried(this, visit);
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

  /** Ends the whole run: what is alive is cancelled with it. */
  void end(Status status, @Nullable Fault fault, Map<String, @Nullable Object> detail) {
    tokens.clear();
    for (ActivityInstance visit : List.copyOf(draft.activities.values())) {
      if (visit.isLive()) {
        cancel(visit);
      }
    }
    draft.activities.clear();
    draft.end(definition, status, fault, detail);
  }

  /** Moves every token until it rests, and gives the step that comes of it. */
  Step finish() {
    do {
      moveTokens();
    } while (settle());
    if (!draft.isEnded() && draft.activities.values().stream().noneMatch(a -> a.isLive())) {
      draft.activities.clear();
      draft.end(definition, Status.COMPLETED, null, Map.of());
    }
    return draft.toStep(definition);
  }

  private void moveTokens() {
    Token token;
    while ((token = tokens.poll()) != null) {
      if (token.parent() != 0 && !isAlive(token.parent())) {
        // What it came from was cancelled in this very step.
        continue;
      }
      Activity activity = definition.activity(token.activity());
      if (!Kinds.of(activity.type()).absorbs(this, activity, token.parent())) {
        begin(draft.newVisit(activity.id(), token.parent()));
      }
    }
  }

  private boolean isAlive(long visit) {
    ActivityInstance found = draft.activities.get(visit);
    return found != null && found.isLive();
  }

  void begin(ActivityInstance visit) {
    put(visit);
    Activity activity = activityOf(visit);
    String overrun = overrun(visit, activity);
    if (overrun != null) {
      park(visit, Fault.permanent(Fault.TOO_MANY_VISITS, overrun));
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
    String violation = WithSchema.violation(activity, input(entered));
    if (violation != null) {
      fault(entered, Fault.permanent(Fault.BAD_INPUT, violation));
      return;
    }
    Kinds.of(activity.type()).enter(this, entered);
    if (!activity.reactions().isEmpty()) {
      Reactions.arm(this, visit.visit());
    }
  }

  /** Why this visit would be one too many, or absent if it is not. */
  private @Nullable String overrun(ActivityInstance visit, Activity activity) {
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
    // Items count separately, and so does every other visit that the activity stands inside of.
    long container = activity.scope() == null ? 0 : containerOf(visit);
    int count = draft.countLoop(container == 0 ? activity.id() : activity.id() + "@" + container);
    return count <= definition.maxVisits()
        ? null
        : "Expected at most %d visits to '%s' without a wait, but this is number %d"
            .formatted(definition.maxVisits(), activity.id(), count);
  }

  /** Lets visits that depend on others look at them; stops as soon as a token is to be moved. */
  private boolean settle() {
    boolean moved = false;
    for (ActivityInstance visit : List.copyOf(draft.activities.values())) {
      if (draft.isEnded()) {
        return false;
      }
      ActivityInstance current = draft.activities.get(visit.visit());
      if (current != null && current.isLive() && kindOf(current).settles()) {
        moved |= kindOf(current).settle(this, current);
        if (!tokens.isEmpty()) {
          return true;
        }
      }
    }
    return moved;
  }
}
