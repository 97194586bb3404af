package dev.waymark.core.step;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import dev.waymark.core.definition.Definition;
import dev.waymark.core.expression.ExpressionException;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Candidates;
import dev.waymark.core.instance.ChildEnd;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Hold;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.Locals;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.NodeId;
import dev.waymark.core.instance.Status;
import dev.waymark.core.instance.Terms;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The instance as it is becoming during one decision, with every row that will differ. */
final class Draft {

  final Instance before;
  final Command command;
  final SortedMap<Long, ActivityInstance> activities;
  final List<Message.Key> received = new ArrayList<>();
  Map<String, Integer> loops;
  Instance.Origin origin;
  @Nullable Hold hold;
  @Nullable Duration bodyDuration;
  @Nullable NodeId bodyNode;

  private final SortedMap<BookmarkId, Bookmark> bookmarks;
  private final List<Step.Spend> spends = new ArrayList<>();
  private final List<Bookmark> created = new ArrayList<>();
  private final Map<BookmarkId, Step.Amend> amended = new LinkedHashMap<>();
  private final List<Message> sent = new ArrayList<>();
  private final List<Note> notes = new ArrayList<>();
  private Map<String, @Nullable Object> variables;
  private long visits;
  private @Nullable Status terminal;
  private @Nullable Fault fault;

  /** An entry before the step is known whole. */
  private record Note(
      HistoryEntry.Type type,
      @Nullable String activity,
      long visit,
      int attempt,
      @Nullable NodeId node,
      @Nullable BookmarkId bookmark,
      @Nullable Duration duration,
      Map<String, @Nullable Object> detail) {}

  Draft(Instance before, Command command) {
    this.before = before;
    this.command = command;
    this.activities = new TreeMap<>(before.activities());
    this.bookmarks = new TreeMap<>(before.bookmarks());
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

  ActivityInstance newVisit(String activity, long parent) {
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

  /** Writes values from inside a container: each goes to who has that name, or to the run. */
  void merge(long container, Map<String, @Nullable Object> output) {
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

  List<Bookmark> createBookmarks(ActivityInstance visit, List<Command.Wait> waits) {
    return waits.stream().map(wait -> create(visit, wait)).toList();
  }

  boolean isOpen(Bookmark bookmark) {
    return bookmarks.containsKey(bookmark.id());
  }

  /** The open waits of a visit. */
  List<Bookmark> bookmarksOf(long visit) {
    return bookmarks.values().stream().filter(b -> b.visit() == visit).toList();
  }

  void removeVariables(List<String> names) {
    Map<String, @Nullable Object> left = new LinkedHashMap<>(variables);
    left.keySet().removeAll(names);
    variables = Json.objectOf(left);
  }

  void createIntervention(ActivityInstance parked, Fault because) {
    Map<String, @Nullable Object> payload = new LinkedHashMap<>();
    payload.put("error", because.toDocument());
    payload.put("activity", parked.activity());
    payload.put("visit", parked.visit());
    payload.put(
        "actions",
        Arrays.stream(Command.Intervene.Action.values())
            .map(Command.Intervene.Action::word)
            .toList());
    payload.put(OutOfTime.LEVEL, 1L);
    payload.put(OutOfTime.REQUIRED_ROLE, OutOfTime.FIRST_LEVEL);
    create(
        parked,
        BookmarkKind.MANUAL_INTERVENTION,
        parked.activity(),
        payload,
        at().plus(Limits.INTERVENTION_TIME),
        Terms.of(0, new Candidates(null, Set.of(), Set.of(OutOfTime.FIRST_LEVEL), Set.of())));
  }

  private Bookmark create(ActivityInstance visit, Command.Wait wait) {
    return create(visit, wait.kind(), wait.key(), wait.payload(), wait.due(), wait.terms());
  }

  private Bookmark create(
      ActivityInstance visit,
      BookmarkKind kind,
      String key,
      Map<String, @Nullable Object> payload,
      @Nullable Instant due,
      Terms terms) {
    BookmarkId id = BookmarkId.derived(before.id(), version(), created.size(), command.meta().id());
    Bookmark bookmark =
        new Bookmark(id, visit.visit(), kind, key, payload, due, null, at(), null, terms);
    created.add(bookmark);
    bookmarks.put(id, bookmark);
    return bookmark;
  }

  /**
   * Changes an open wait without closing it: it keeps its id, and its lease unless that is taken.
   *
   * @param released whether whoever holds it loses it, because it is another's now
   */
  void amend(Bookmark after, boolean released) {
    Bookmark stood = bookmarks.put(after.id(), after);
    if (stood == null) {
      throw new IllegalStateException("Expected an open bookmark to change, but got " + after);
    }
    int own = indexOfCreated(after.id());
    if (own >= 0) {
      created.set(own, after);
      return;
    }
    Step.Amend earlier = amended.get(after.id());
    amended.put(
        after.id(),
        earlier == null
            ? new Step.Amend(stood, after, released)
            : new Step.Amend(earlier.before(), after, released || earlier.released()));
  }

  void withdrawBookmarks(long visit) {
    bookmarksOf(visit).forEach(this::withdraw);
  }

  void withdraw(Bookmark bookmark) {
    close(bookmark, Bookmark.End.WITHDRAWN, Step.Spend.Guard.ANY, 0);
  }

  void close(Bookmark bookmark, Bookmark.End end, Step.Spend.Guard guard, long fence) {
    Step.Amend amend = amended.remove(bookmark.id());
    Bookmark stored = amend == null ? bookmark : amend.before();
    Bookmark closed = stored.closed(end, command.meta().actor().id(), at());
    bookmarks.remove(bookmark.id());
    int own = indexOfCreated(bookmark.id());
    if (own >= 0) {
      created.set(own, closed);
    } else {
      spends.add(new Step.Spend(closed, guard, fence));
    }
  }

  private int indexOfCreated(BookmarkId id) {
    for (int i = 0; i < created.size(); i++) {
      if (created.get(i).id().equals(id)) {
        return i;
      }
    }
    return -1;
  }

  void note(HistoryEntry.Type type, ActivityInstance visit, Map<String, @Nullable Object> detail) {
    notes.add(
        new Note(
            type,
            visit.activity(),
            visit.visit(),
            visit.attempt(),
            bodyNode,
            null,
            bodyDuration,
            detail));
    bodyNode = null;
    bodyDuration = null;
  }

  void noteConsumed(
      Bookmark bookmark, ActivityInstance visit, Map<String, @Nullable Object> payload) {
    Map<String, @Nullable Object> detail = new LinkedHashMap<>();
    detail.put("kind", bookmark.kind().name());
    detail.put("key", bookmark.key());
    if (!payload.isEmpty()) {
      detail.put("payload", payload);
    }
    notes.add(
        new Note(
            HistoryEntry.Type.BOOKMARK_CONSUMED,
            visit.activity(),
            visit.visit(),
            visit.attempt(),
            null,
            bookmark.id(),
            null,
            detail));
  }

  void noteInstance(HistoryEntry.Type type, Map<String, @Nullable Object> detail) {
    notes.add(new Note(type, null, 0, 0, null, null, null, detail));
  }

  void emit(Command.Emission event) {
    Map<String, @Nullable Object> detail = new LinkedHashMap<>();
    detail.put("type", event.type());
    detail.put("data", event.data());
    notes.add(new Note(HistoryEntry.Type.EVENT_EMITTED, null, 0, 0, null, null, null, detail));
  }

  /**
   * A message's id derives from the step that sends it: sent again after a crash, it is the same.
   */
  void send(Command.Send send) {
    sent.add(
        new Message(
            nextMessage(), send.to(), send.name(), send.payload(), before.id().toString(), at()));
  }

  private Message.Key nextMessage() {
    String id = before.id() + ":" + version() + ":" + sent.size();
    return new Message.Key(before.tenant(), "instance", id);
  }

  /** A message to whoever waits for it, in whatever instance. */
  void broadcast(String name, Map<String, @Nullable Object> payload) {
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
    noteInstance(entry(end.status()), fault == null ? detail : fault.toDocument());
    Instance.Origin.Parent parent = before.origin().parent();
    if (parent != null && parent.reports()) {
      send(new Command.Send(parent.instance(), Message.ended(before.id()), end.toDocument()));
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
            Collections.unmodifiableSortedMap(bookmarks),
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
      } else if (!was.equals(visit)) {
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
        !variables.equals(before.variables()),
        !after.labels().equals(before.labels()),
        spends,
        received,
        begun,
        changed,
        ended,
        started,
        created,
        List.copyOf(amended.values()),
        entries(after),
        sent);
  }

  /** The labels before the definition's own are computed: those it has, or was started with. */
  Map<String, String> givenLabels() {
    return command instanceof Command.Start start ? start.labels() : before.labels();
  }

  private Map<String, String> labels(Definition definition) {
    boolean same =
        before.version() > 0
            && variables.equals(before.variables())
            && origin.equals(before.origin());
    return same ? before.labels() : Scopes.labels(definition, this);
  }

  private List<HistoryEntry> entries(Instance after) {
    Command.Meta meta = command.meta();
    List<HistoryEntry> entries = new ArrayList<>(notes.size());
    for (Note note : notes) {
      boolean first = entries.isEmpty();
      entries.add(
          new HistoryEntry(
              version(),
              entries.size(),
              note.type(),
              note.activity(),
              note.visit(),
              note.attempt(),
              note.node(),
              note.bookmark(),
              meta.actor().id(),
              meta.id(),
              meta.at(),
              note.duration(),
              first ? StateDocument.changes(before, after) : List.of(),
              note.detail(),
              first && version() % Limits.SNAPSHOT_EVERY == 0 ? StateDocument.of(after) : null));
    }
    return entries;
  }
}
