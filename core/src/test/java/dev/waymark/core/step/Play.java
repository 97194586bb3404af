package dev.waymark.core.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.Json;
import dev.waymark.core.definition.ActivityType;
import dev.waymark.core.definition.Definition;
import dev.waymark.core.definition.read.DefinitionParser;
import dev.waymark.core.expression.Expressions;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Change;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.NodeId;
import dev.waymark.core.step.decide.Decider;
import dev.waymark.core.step.decide.Transitions;
import dev.waymark.core.step.kind.Kinds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;

/** Plays a definition by deciding alone: no store, no engine, every step applied as it comes. */
public final class Play {

  /** Who may resolve what is parked. */
  public static final Actor ADMIN =
      new Actor("admin", "default", Set.of(), Set.of("workflow-admin"));

  public static final NodeId NODE = new NodeId(new UUID(0, 1));

  /** The moves that any play has made in this process. */
  public static final Set<Transitions.StateMove> VISITED = new ConcurrentSkipListSet<>();

  public static final InstanceId ID = new InstanceId(new UUID(7, 7));

  public Definition definition;
  public Instant now = Instant.parse("2026-01-12T09:00:00Z");
  public @Nullable NodeId runner = NODE;
  public @Nullable Instance instance;
  public final List<HistoryEntry> history = new ArrayList<>();
  private Object rebuilt = StateDocument.EMPTY;
  private List<Message> sent = List.of();
  private int commands;

  public Play(String yaml) {
    definition = parse(yaml).deployedAs(1, 1);
  }

  public static Definition parse(String yaml) {
    List<ActivityType> types = new ArrayList<>(Kinds.builtIn());
    types.add(() -> "work");
    types.add(() -> "work@2");
    return new DefinitionParser(types, new Expressions()).parse(yaml);
  }

  public static Definition second(String start, String activities) {
    return parse("waymark: 1\nkey: play\nstart: " + start + "\nactivities:\n" + activities)
        .deployedAs(2, 2);
  }

  /** Puts the run onto another version. */
  public Play migrate(Definition to, MigrationPlan plan) {
    step(new Command.Migrate(meta(), definition, to, plan));
    definition = to;
    return this;
  }

  public static Play of(String start, String activities) {
    return new Play("waymark: 1\nkey: play\nstart: " + start + "\nactivities:\n" + activities);
  }

  public Play start(Map<String, ? extends @Nullable Object> input) {
    step(new Command.Start(meta(), ID, Json.objectOf(input), null, null, Map.of()));
    return this;
  }

  public Command.Meta meta() {
    return meta(Actor.of("test"));
  }

  public Command.Meta meta(Actor actor) {
    return new Command.Meta("c" + ++commands, actor, now, runner, null, null);
  }

  /** Somebody's answer to the one wait for people that is open. */
  public Command.Resume answer(Actor actor, Map<String, ? extends @Nullable Object> payload) {
    return new Command.Resume(meta(actor), work().id(), null, Json.objectOf(payload));
  }

  /** The one open wait for people. */
  public Bookmark work() {
    return live().bookmarks().values().stream()
        .filter(b -> b.kind() == BookmarkKind.USER_ACTION || b.kind() == BookmarkKind.APPROVAL)
        .findFirst()
        .orElseThrow(() -> new AssertionError("Nobody is asked at " + standsAt()));
  }

  /** What is refused, and why. */
  public String refused(Command command) {
    Decision decision = decide(command);
    assertThat(decision).isInstanceOf(Decision.Rejection.class);
    return ((Decision.Rejection) decision).message();
  }

  public Decision decide(Command command) {
    return Decider.decide(definition, instance, StoredFacts.NONE, command);
  }

  /** Decides, applies, and checks that history alone leads to the same state. */
  public Step step(Command command) {
    Decision decision = decide(command);
    assertThat(decision).isInstanceOf(Step.class);
    Step step = (Step) decision;
    assertThat(decide(command)).as("deciding twice").isEqualTo(step);
    VISITED.addAll(Transitions.of(instance, step));
    instance = step.after();
    sent = step.sent();
    history.addAll(step.history());
    for (HistoryEntry entry : step.history()) {
      for (Change change : entry.changes()) {
        Change stored = Change.fromDocument(change.toDocument());
        rebuilt = stored.applyTo(rebuilt);
      }
    }
    assertThat(Json.valueOf(rebuilt))
        .as("the state that history leads to")
        .isEqualTo(Json.valueOf(StateDocument.of(step.after())));
    return step;
  }

  public Play complete(String activity, Map<String, ? extends @Nullable Object> output) {
    ActivityInstance visit = at(activity);
    step(
        new Attempt.Complete(
            meta(),
            visit.visit(),
            visit.attempt(),
            Json.objectOf(output),
            Effects.NONE,
            Duration.ofMillis(3)));
    return this;
  }

  public Play complete(String activity) {
    return complete(activity, Map.of());
  }

  public Play fail(String activity, String code) {
    ActivityInstance visit = at(activity);
    Fault fault = new Fault(Fault.Type.ACTIVITY, code, "it broke", true);
    step(new Attempt.Fail(meta(), visit.visit(), visit.attempt(), fault, Duration.ZERO));
    return this;
  }

  public Play resume(String key, Map<String, ? extends @Nullable Object> payload) {
    step(new Command.Resume(meta(), bookmark(key).id(), null, Json.objectOf(payload)));
    return this;
  }

  /** Lets time pass, and every timer fire that is due then, the earliest first. */
  public Play pass(Duration time) {
    now = now.plus(time);
    while (true) {
      Bookmark due =
          live().bookmarks().values().stream()
              .filter(b -> b.kind() == BookmarkKind.TIMER && b.due() != null)
              .filter(b -> !b.due().isAfter(now))
              .min(Comparator.comparing(b -> String.valueOf(b.due())))
              .orElse(null);
      if (due == null) {
        return this;
      }
      step(new Command.Fire(meta(), due.id()));
    }
  }

  public Play message(String name, Map<String, ? extends @Nullable Object> payload) {
    Command.Meta meta = meta();
    Message.Key key = new Message.Key("default", "test", meta.id());
    step(
        new Command.Deliver(meta, new Message(key, ID, name, Json.objectOf(payload), "test", now)));
    return this;
  }

  /** What the last step sent. */
  public List<Message> sent() {
    return sent;
  }

  public ActivityInstance at(String activity) {
    return live().activities().values().stream()
        .filter(a -> a.isLive() && a.activity().equals(activity))
        .findFirst()
        .orElseThrow(() -> new AssertionError("Not at " + activity + " but at " + standsAt()));
  }

  public Bookmark bookmark(String key) {
    return live().bookmarks().values().stream()
        .filter(b -> b.key().equals(key))
        .findFirst()
        .orElseThrow(() -> new AssertionError("No bookmark " + key + " at " + standsAt()));
  }

  public Instance live() {
    if (instance == null) {
      throw new AssertionError("Not started");
    }
    return instance;
  }

  public List<String> standsAt() {
    return live().activities().values().stream()
        .filter(ActivityInstance::isLive)
        .map(ActivityInstance::activity)
        .toList();
  }

  public List<String> completed() {
    return history.stream()
        .filter(e -> e.type() == HistoryEntry.Type.ACTIVITY_COMPLETED)
        .map(e -> String.valueOf(e.activity()))
        .toList();
  }
}
