package dev.waymark.core.step.walk;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.definition.Activity;
import dev.waymark.core.definition.Definition;
import dev.waymark.core.definition.WithSchema;
import dev.waymark.core.expression.ExpressionException;
import dev.waymark.core.expression.value.EvaluationScope;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.Locals;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Effects;
import dev.waymark.core.step.Emission;
import dev.waymark.core.step.Step;
import dev.waymark.core.step.TaskAction;
import dev.waymark.core.step.Wait;
import dev.waymark.core.step.decide.Decider;
import dev.waymark.core.time.Calendar;
import dev.waymark.core.time.Due;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One decision while it is being made: tokens move through the graph until each stands at a body, a
 * wait or its end. Kinds say what happens; {@link InstanceDraft} keeps the results.
 *
 * <p>It lives for one call of {@link Decider#decide} and no other code sees it, so it may be
 * mutable in a pure core.
 */
public final class Walk {

  private record Token(String activity, long parent) {}

  private final Kind.Lookup kinds;
  private final Definition definition;
  private final Command.Meta meta;
  private final InstanceDraft draft;
  private final Deque<Token> tokens = new ArrayDeque<>();
  private int passed;

  public Walk(Kind.Lookup kinds, Definition definition, Instance before, Command command) {
    this.kinds = kinds;
    this.definition = definition;
    this.meta = command.meta();
    this.draft = new InstanceDraft(before, command);
  }

  // ---- what kinds may ask

  public Definition definition() {
    return definition;
  }

  public Activity activityOf(ActivityInstance visit) {
    return definition.activity(visit.activity());
  }

  public Kind kindOf(ActivityInstance visit) {
    return kinds.of(activityOf(visit).type());
  }

  public InstanceDraft draft() {
    return draft;
  }

  public BookmarkDraft bookmarks() {
    return draft.bookmarks;
  }

  public Instant at() {
    return meta.at();
  }

  /** The moment that a due value of an evaluated {@code with} means. */
  public Instant due(@Nullable Object value) {
    return Due.after(value, meta.at(), definition.calendars());
  }

  public Map<String, Calendar> calendars() {
    return definition.calendars();
  }

  public String actor() {
    return meta.actor().id();
  }

  public @Nullable ActivityInstance activity(long visit) {
    return draft.activities.get(visit);
  }

  /** A visit's evaluated {@code with}. */
  public Map<String, @Nullable Object> input(ActivityInstance visit) {
    return Scopes.input(visit);
  }

  /** The live visits directly below one. */
  public List<ActivityInstance> children(long parent) {
    return draft.activities.values().stream()
        .filter(a -> a.parent() == parent && a.isLive())
        .toList();
  }

  public boolean hasChildren(long parent) {
    for (ActivityInstance visit : draft.activities.values()) {
      if (visit.parent() == parent && visit.isLive()) {
        return true;
      }
    }
    return false;
  }

  public @Nullable ActivityInstance childAt(long parent, String activity) {
    return draft.activities.values().stream()
        .filter(a -> a.parent() == parent && a.isLive() && a.activity().equals(activity))
        .findFirst()
        .orElse(null);
  }

  /** The innermost visit with an inside that encloses the given one's place; 0 is the whole run. */
  public long containerOf(ActivityInstance visit) {
    long parent = visit.parent();
    ActivityInstance enclosing = draft.activities.get(parent);
    while (enclosing != null && activityOf(enclosing).block() == null) {
      parent = enclosing.parent();
      enclosing = draft.activities.get(parent);
    }
    return parent;
  }

  /** True if this step has begun so many visits that another step should do the rest. */
  public boolean isLong() {
    return VisitBudget.isLong(passed);
  }

  public EvaluationScope before(ActivityInstance visit) {
    return Scopes.before(definition, draft, visit);
  }

  public EvaluationScope inside(ActivityInstance visit) {
    return Scopes.inside(definition, draft, visit);
  }

  public EvaluationScope after(ActivityInstance visit, Map<String, @Nullable Object> output) {
    return Scopes.after(definition, draft, visit, output);
  }

  // ---- what kinds may do

  /** Sends a token to an activity; it moves when its turn comes. */
  public void enter(String activity, long parent) {
    tokens.add(new Token(activity, parent));
  }

  public void put(ActivityInstance visit) {
    draft.put(visit);
  }

  /** Ends a visit, with all that is remembered below it. */
  public void remove(ActivityInstance visit) {
    draft.bookmarks.withdrawAll(visit.visit());
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

  public void note(HistoryEntry.Type type, ActivityInstance visit) {
    draft.notes.onVisit(type, visit, Map.of());
  }

  public void note(
      HistoryEntry.Type type, ActivityInstance visit, Map<String, @Nullable Object> detail) {
    draft.notes.onVisit(type, visit, detail);
  }

  /** Notes an act of a person on a visit's wait that is no answer. */
  public void note(ActivityInstance visit, TaskAction act) {
    Map<String, @Nullable Object> detail = new LinkedHashMap<>();
    detail.put("act", act.word());
    detail.putAll(act.toDocument());
    note(HistoryEntry.Type.TASK_CHANGED, visit, detail);
  }

  public void noteInstance(HistoryEntry.Type type, Map<String, @Nullable Object> detail) {
    draft.notes.onInstance(type, detail);
  }

  /** True while an operator holds the run: nothing new may begin then. */
  public boolean isHeld() {
    return draft.hold != null;
  }

  /** Keeps with a visit how it goes on once the hold is off. */
  void keep(ActivityInstance visit) {
    put(visit);
    note(HistoryEntry.Type.ACTIVITY_HELD, visit);
  }

  /** Publishes the events and messages of a body's result. */
  void publish(Effects effects) {
    effects.events().forEach(this::emit);
    effects.messages().forEach(draft::send);
  }

  /** Publishes an event with the step. */
  public void emit(Emission event) {
    draft.notes.emitted(event);
  }

  public void merge(ActivityInstance visit, Map<String, @Nullable Object> output) {
    draft.merge(Locals.placeOf(visit), output);
  }

  /**
   * Lets the visit's body run: here, or wherever a node takes it, or not before the hold is off.
   */
  public void run(ActivityInstance visit) {
    if (isHeld()) {
      put(visit.ready(null));
    } else {
      put(meta.runner() == null ? visit.ready(meta.at()) : visit.running(meta.runner()));
    }
  }

  public List<Bookmark> await(ActivityInstance visit, List<Wait> waits) {
    ActivityInstance waiting = visit.waiting();
    put(waiting);
    List<Bookmark> created =
        waits.stream().map(wait -> draft.bookmarks.create(waiting, wait)).toList();
    List<String> keys = waits.stream().map(Wait::key).toList();
    note(HistoryEntry.Type.ACTIVITY_WAITING, waiting, Map.of("for", keys));
    return created;
  }

  /** The visit's work is done: its output goes into the variables, its token goes on. */
  public void complete(ActivityInstance visit, Map<String, @Nullable Object> output) {
    Completion.of(this, visit, output, null);
  }

  /** A value that an activity was given makes no sense to its kind. */
  public void badInput(ActivityInstance visit, Exception why) {
    fault(visit, Fault.permanent(Fault.BAD_INPUT, String.valueOf(why.getMessage())));
  }

  /**
   * A visit has failed for good: a reaction takes over; without one the visit is parked for an
   * operator.
   */
  public void fault(ActivityInstance visit, Fault fault) {
    if (!Reactions.take(this, visit, fault)) {
      park(visit, fault);
    }
  }

  /**
   * Parks a visit that the definition cannot handle: it waits for a person, so nothing is lost and
   * nothing spins.
   */
  public void park(ActivityInstance visit, Fault fault) {
    draft.bookmarks.of(visit.visit()).stream()
        .filter(bookmark -> !Reactions.isArmed(visit, bookmark))
        .forEach(draft.bookmarks::withdraw);
    ActivityInstance parked = visit.parked(fault);
    put(parked);
    note(HistoryEntry.Type.ACTIVITY_PARKED, parked, fault.toDocument());
    draft.bookmarks.createIntervention(parked, fault);
  }

  public void terminate(
      ActivityInstance visit,
      Status status,
      @Nullable Fault fault,
      Map<String, @Nullable Object> detail) {
    note(HistoryEntry.Type.ACTIVITY_COMPLETED, visit);
    remove(visit);
    end(status, fault, detail);
  }

  /** Ends the live visits below a visit, except for one. */
  public void cancelChildren(long parent, long except) {
    for (ActivityInstance child : children(parent)) {
      if (child.visit() != except && activity(child.visit()) != null) {
        cancelChildren(child.visit(), except);
        cancel(child);
      }
    }
  }

  /** Ends a visit below which nothing is alive. */
  public void cancel(ActivityInstance visit) {
    if (!visit.activity().equals(Definition.ROOT)) {
      note(HistoryEntry.Type.ACTIVITY_CANCELLED, visit);
    }
    discard(visit);
  }

  /** Ends a visit that did not do its work; history already says so. */
  void discard(ActivityInstance visit) {
    kindOf(visit).cancelled(this, visit);
    remove(visit);
  }

  // ---- what comes from outside

  public void consume(
      Bookmark bookmark,
      Step.Spend.Guard guard,
      long fence,
      Map<String, @Nullable Object> payload) {
    ActivityInstance visit = requireNonNull(draft.activities.get(bookmark.visit()), "visit");
    draft.bookmarks.close(bookmark, Bookmark.End.CONSUMED, guard, fence);
    draft.notes.consumed(bookmark, visit, payload);
    if (!bookmark.isOverAtOnce()) {
      draft.loops = Map.of();
    }
  }

  public void resumed(Bookmark bookmark, Map<String, @Nullable Object> payload) {
    ActivityInstance visit = requireNonNull(draft.activities.get(bookmark.visit()), "visit");
    if (Reactions.isArmed(visit, bookmark)) {
      Reactions.triggered(this, visit, bookmark, payload);
    } else {
      kindOf(visit).resumed(this, visit, bookmark, payload);
    }
  }

  public void received(Message message) {
    draft.received.add(message.key());
  }

  /** Ends the whole run: its live visits are cancelled with it. */
  public void end(Status status, @Nullable Fault fault, Map<String, @Nullable Object> detail) {
    tokens.clear();
    for (ActivityInstance visit : List.copyOf(draft.activities.values())) {
      if (visit.isLive()) {
        cancel(visit);
      }
    }
    draft.activities.clear();
    draft.end(definition, status, fault, detail);
  }

  // ---- the walk itself

  /**
   * Moves every token until it rests, and returns the resulting step. In a held run tokens stop
   * before their activities, no visit looks at others, and the run does not end by itself.
   */
  public Step finish() {
    do {
      moveTokens();
    } while (!isHeld() && settle());
    if (!draft.isEnded()
        && !isHeld()
        && draft.activities.values().stream().noneMatch(a -> a.isLive())) {
      draft.activities.clear();
      draft.end(definition, Status.COMPLETED, null, Map.of());
    }
    return draft.toStep(definition);
  }

  private void moveTokens() {
    Token token;
    while ((token = tokens.poll()) != null) {
      if (token.parent() != 0 && !isAlive(token.parent())) {
        // The visit that it came from was cancelled in this very step.
        continue;
      }
      Activity activity = definition.activity(token.activity());
      if (isHeld()) {
        new Outcome.Entered().reach(this, draft.newVisit(activity.id(), token.parent()));
      } else if (!kinds.of(activity.type()).absorbs(this, activity, token.parent())) {
        begin(draft.newVisit(activity.id(), token.parent()));
      }
    }
  }

  private boolean isAlive(long visit) {
    ActivityInstance found = draft.activities.get(visit);
    return found != null && found.isLive();
  }

  public void begin(ActivityInstance visit) {
    put(visit);
    Activity activity = activityOf(visit);
    String overrun = VisitBudget.overrun(this, visit, activity, ++passed);
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
    kinds.of(activity.type()).enter(this, entered);
    if (!activity.reactions().isEmpty()) {
      Reactions.arm(this, visit.visit());
    }
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
