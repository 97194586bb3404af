package dev.waymark.testkit;

import dev.waymark.core.Limits;
import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.InterventionAction;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.AssertProvider;
import org.jspecify.annotations.Nullable;

/** One instance under test. {@code assertThat(run)} gives assertions that print its timeline. */
public final class Run implements AssertProvider<RunAssert> {

  private final WorkflowTestKit kit;
  private final InstanceId id;
  private final Caller caller;

  Run(WorkflowTestKit kit, InstanceId id, Caller caller) {
    this.kit = kit;
    this.id = id;
    this.caller = caller;
  }

  /** The same instance, with another caller. */
  public Run as(String actor) {
    return new Run(kit, id, Caller.of(actor));
  }

  public InstanceId id() {
    return id;
  }

  public Instance instance() {
    return kit.engine().instances().find(id, caller).orElseThrow(this::unknown);
  }

  /** The definition in the version that it runs on. */
  public Definition definition() {
    return kit.engine().definitions().of(id, caller).orElseThrow(this::unknown);
  }

  private AssertionError unknown() {
    return new AssertionError(
        "Expected a run of tenant '%s' with id %s, but there is none"
            .formatted(caller.actor().tenant(), id));
  }

  public Status status() {
    return instance().status();
  }

  public Map<String, @Nullable Object> variables() {
    return instance().variables();
  }

  /** The activities at which the run stands, in the order in which it came there. */
  public List<String> waitsAt() {
    return instance().activities().values().stream()
        .filter(ActivityInstance::isLive)
        .map(ActivityInstance::activity)
        .filter(activity -> !activity.equals(Definition.ROOT))
        .toList();
  }

  public List<HistoryEntry> history() {
    List<HistoryEntry> all = new ArrayList<>();
    List<HistoryEntry> page = kit.engine().instances().history(id, 1, Limits.HISTORY_PAGE, caller);
    while (!page.isEmpty()) {
      all.addAll(page);
      page = kit.engine().instances().history(id, page.getLast(), Limits.HISTORY_PAGE, caller);
    }
    return all;
  }

  /** The open bookmark of that key; an error that names those there are if it is not among them. */
  public Bookmark bookmark(String key) {
    return instance().bookmarks().values().stream()
        .filter(b -> b.key().equals(key))
        .findFirst()
        .orElseThrow(
            () ->
                new AssertionError(
                    "Expected an open bookmark '%s', but there are only %s%n%s"
                        .formatted(key, openKeys(), Timeline.of(this))));
  }

  private List<String> openKeys() {
    return instance().bookmarks().values().stream().map(Bookmark::key).toList();
  }

  /** Answers an open bookmark and runs on until nothing moves. */
  public Answer resume(String key, Map<String, ? extends @Nullable Object> payload) {
    Answer answer = kit.engine().bookmarks().resume(bookmark(key).id(), payload, caller);
    kit.runUntilIdle();
    return answer;
  }

  /** Sends a message to the instance and runs on until nothing moves. */
  public void send(String name, Map<String, ? extends @Nullable Object> payload) {
    String id = "m" + history().size();
    kit.engine().messages().send(this.id, name, payload, "test", id, caller);
    kit.runUntilIdle();
  }

  /** The activities that it has completed, in their order. */
  public List<String> completed() {
    return history().stream()
        .filter(entry -> entry.type() == HistoryEntry.Type.ACTIVITY_COMPLETED)
        .map(entry -> String.valueOf(entry.activity()))
        .toList();
  }

  public Answer cancel(String reason) {
    Answer answer = kit.engine().operations().cancel(id, reason, caller);
    kit.runUntilIdle();
    return answer;
  }

  public Answer suspend(String reason) {
    Answer answer = kit.engine().operations().suspend(id, reason, caller);
    kit.runUntilIdle();
    return answer;
  }

  public Answer continueRun(String reason) {
    Answer answer = kit.engine().operations().continueInstance(id, reason, caller);
    kit.runUntilIdle();
    return answer;
  }

  /** Resolves the one open intervention, with the role that it asks for. */
  public Answer intervene(InterventionAction action, String reason) {
    Bookmark intervention =
        instance().bookmarks().values().stream()
            .filter(b -> b.kind() == BookmarkKind.MANUAL_INTERVENTION)
            .findFirst()
            .orElseThrow(
                () -> new AssertionError("Expected an intervention\n" + Timeline.of(this)));
    Actor actor = caller.actor();
    Actor admin =
        new Actor(
            actor.id(), actor.tenant(), actor.groups(), intervention.terms().candidates().groups());
    Answer answer =
        kit.engine().operations().intervene(intervention.id(), action, reason, Caller.of(admin));
    kit.runUntilIdle();
    return answer;
  }

  @Override
  @Deprecated
  public RunAssert assertThat() {
    return new RunAssert(this);
  }
}
