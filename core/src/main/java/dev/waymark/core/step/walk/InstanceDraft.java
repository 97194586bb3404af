package dev.waymark.core.step.walk;

import dev.waymark.core.Json;
import dev.waymark.core.definition.Definition;
import dev.waymark.core.expression.ExpressionException;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.ChildEnd;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Hold;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.Locals;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Send;
import dev.waymark.core.step.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The instance as it is becoming during one decision, with every row that will differ. Its waits
 * are in {@link BookmarkDraft}, what history will say of it in {@link HistoryDraft}.
 */
public final class InstanceDraft {

  public final Instance before;
  public final Command command;
  public final SortedMap<Long, ActivityInstance> activities;
  final BookmarkDraft bookmarks;
  public final HistoryDraft notes = new HistoryDraft();
  final List<Message.Key> received = new ArrayList<>();
  public Map<String, Integer> loops;
  public Instance.Origin origin;
  public @Nullable Hold hold;

  private final List<Message> sent = new ArrayList<>();
  private Map<String, @Nullable Object> variables;
  private long visits;
  private @Nullable Status terminal;
  private @Nullable Fault fault;

  InstanceDraft(Instance before, Command command) {
    this.before = before;
    this.command = command;
    this.activities = new TreeMap<>(before.activities());
    this.bookmarks = new BookmarkDraft(before, command.meta());
    this.variables = before.variables();
    this.visits = before.visits();
    this.loops = before.loops();
    this.origin = before.origin();
    this.hold = before.hold();
  }

  Map<String, @Nullable Object> variables() {
    return variables;
  }

  long version() {
    return before.version() + 1;
  }

  Instant at() {
    return command.meta().at();
  }

  public ActivityInstance newVisit(String activity, long parent) {
    return ActivityInstance.entered(++visits, activity, parent, Map.of(), at());
  }

  void put(ActivityInstance visit) {
    activities.put(visit.visit(), visit);
  }

  void remove(ActivityInstance visit) {
    activities.remove(visit.visit());
  }

  /** Numbers are given out once: to visits, and to completions that may have to be undone. */
  long nextNumber() {
    return ++visits;
  }

  int countLoop(String place) {
    Map<String, Integer> counted = new HashMap<>(loops);
    int count = counted.merge(place, 1, Integer::sum);
    loops = Collections.unmodifiableMap(counted);
    return count;
  }

  void forgetLoops(String suffix) {
    if (loops.keySet().stream().anyMatch(place -> place.endsWith(suffix))) {
      Map<String, Integer> left = new HashMap<>(loops);
      left.keySet().removeIf(place -> place.endsWith(suffix));
      loops = Collections.unmodifiableMap(left);
    }
  }

  /** The variables as they are seen inside a container. */
  Map<String, @Nullable Object> seenFrom(long container) {
    return Locals.seenFrom(activities, variables, container);
  }

  /**
   * Writes values from inside a container: each goes to the container that has the variable, or to
   * the run.
   */
  public void merge(long container, Map<String, @Nullable Object> output) {
    if (output.isEmpty()) {
      return;
    }
    Map<String, @Nullable Object> outermost = new LinkedHashMap<>(variables);
    boolean changed = false;
    for (Map.Entry<String, @Nullable Object> entry : output.entrySet()) {
      ActivityInstance owner = Locals.owner(activities, container, entry.getKey());
      if (owner == null) {
        outermost.put(entry.getKey(), entry.getValue());
        changed = true;
      } else {
        Map<String, @Nullable Object> own = new LinkedHashMap<>(Locals.of(owner));
        own.put(entry.getKey(), entry.getValue());
        put(Locals.of(owner, own));
      }
    }
    if (changed) {
      variables = Json.objectOf(outermost);
    }
  }

  public void removeVariables(List<String> names) {
    Map<String, @Nullable Object> left = new LinkedHashMap<>(variables);
    left.keySet().removeAll(names);
    variables = Json.objectOf(left);
  }

  /**
   * A message's id derives from the step that sends it: sent again after a crash, it is the same.
   */
  public void send(Send send) {
    sent.add(
        new Message(
            nextMessage(), send.to(), send.name(), send.payload(), before.id().toString(), at()));
  }

  private Message.Key nextMessage() {
    String id = before.id() + ":" + version() + ":" + sent.size();
    return new Message.Key(before.tenant(), "instance", id);
  }

  /** Sends a signal: a message without an addressee. */
  public void broadcast(String name, Map<String, @Nullable Object> payload) {
    sent.add(new Message(nextMessage(), null, name, payload, before.id().toString(), at()));
  }

  void end(
      Definition definition,
      Status status,
      @Nullable Fault because,
      Map<String, @Nullable Object> detail) {
    ChildEnd end;
    try {
      end =
          switch (status) {
            case COMPLETED -> ChildEnd.completed(Scopes.result(definition, this));
            case FAILED -> ChildEnd.failed(because == null ? UNKNOWN : because);
            case CANCELLED -> ChildEnd.cancelled();
            case RUNNING, SUSPENDED ->
                throw new IllegalStateException("Expected a terminal status, but got " + status);
          };
    } catch (ExpressionException e) {
      end = ChildEnd.failed(Fault.permanent(Fault.EXPRESSION, String.valueOf(e.getMessage())));
    }
    terminal = end.status();
    fault = end.error();
    hold = null;
    loops = Map.of();
    notes.onInstance(entry(end.status()), fault == null ? detail : fault.toDocument());
    Instance.Origin.Parent parent = before.origin().parent();
    if (parent != null && parent.reports()) {
      send(new Send(parent.instance(), Message.ended(before.id()), end.toDocument()));
    }
  }

  private static final Fault UNKNOWN = Fault.permanent("FAILED", "The run ended as failed");

  private static HistoryEntry.Type entry(Status status) {
    return switch (status) {
      case COMPLETED -> HistoryEntry.Type.INSTANCE_COMPLETED;
      case FAILED -> HistoryEntry.Type.INSTANCE_FAILED;
      case CANCELLED -> HistoryEntry.Type.INSTANCE_CANCELLED;
      case RUNNING, SUSPENDED ->
          throw new IllegalStateException("Expected a terminal status, but got " + status);
    };
  }

  boolean isEnded() {
    return terminal != null;
  }

  private Status status() {
    if (terminal != null) {
      return terminal;
    }
    boolean parked = false;
    for (ActivityInstance visit : activities.values()) {
      parked |= visit.state() == ActivityInstance.State.PARKED;
    }
    return hold != null || parked ? Status.SUSPENDED : Status.RUNNING;
  }

  Step toStep(Definition definition) {
    Instance after =
        new Instance(
            before.id(),
            origin,
            version(),
            status(),
            variables,
            labels(definition),
            Collections.unmodifiableSortedMap(activities),
            bookmarks.open(),
            visits,
            loops,
            hold,
            fault,
            terminal == null ? null : at());
    List<ActivityInstance> begun = new ArrayList<>();
    List<ActivityInstance> changed = new ArrayList<>();
    List<ActivityInstance> started = new ArrayList<>();
    for (ActivityInstance visit : activities.values()) {
      ActivityInstance was = before.activities().get(visit.visit());
      if (was == null) {
        begun.add(visit);
      } else if (!visit.isSame(was)) {
        changed.add(visit);
      }
      boolean another = was == null || was.attempt() != visit.attempt();
      if (visit.state() == ActivityInstance.State.RUNNING && another) {
        started.add(visit);
      }
    }
    List<Long> ended = new ArrayList<>();
    for (Long visit : before.activities().keySet()) {
      if (!activities.containsKey(visit)) {
        ended.add(visit);
      }
    }
    return new Step(
        command,
        before.version(),
        after,
        !Json.isSame(variables, before.variables()),
        !after.labels().equals(before.labels()),
        bookmarks.spends(),
        received,
        begun,
        changed,
        ended,
        started,
        bookmarks.created(),
        bookmarks.amended(),
        notes.entries(before, after, command.meta()),
        sent);
  }

  /** The labels before the definition's own are computed: those it has, or was started with. */
  Map<String, String> givenLabels() {
    return command instanceof Command.Start start ? start.labels() : before.labels();
  }

  private Map<String, String> labels(Definition definition) {
    boolean same =
        before.version() > 0
            && Json.isSame(variables, before.variables())
            && origin.equals(before.origin());
    return same ? before.labels() : Scopes.labels(definition, this);
  }
}
