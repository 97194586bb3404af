package dev.waymark.core.step.kind;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import dev.waymark.core.definition.schema.Shape;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.ChildEnd;
import dev.waymark.core.instance.ChildStart;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Send;
import dev.waymark.core.step.Wait;
import dev.waymark.core.step.walk.Completion;
import dev.waymark.core.step.walk.Kind;
import dev.waymark.core.step.walk.Walk;
import dev.waymark.core.step.walk.WithReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code sub-workflow}: runs another definition as a child. Parent and child send messages to each
 * other: a step changes one instance only.
 */
final class SubWorkflowKind implements Kind {

  private static final Map<String, @Nullable Object> SCHEMA =
      Shape.object()
          .required("definition", Shape.name().told("the key of a definition"))
          .field("version", Shape.integer(1, Integer.MAX_VALUE).orNull())
          .field("input", Shape.open().orNull().describe("What the child is started with."))
          .field("businessKey", Shape.word().orNull())
          .field("wait", Shape.truth().describe("false: goes on as soon as the child is wanted."))
          .field("whenChildFails", Shape.oneOf("fault", "continue"))
          .field("whenParentEnds", Shape.oneOf("cancel", "leave"))
          .document();

  /**
   * The number of times that the visit has asked for a child: an operator's retry asks for another
   * one.
   */
  private static final String ROUND = "round";

  private static final String CHILD = "child";

  @Override
  public String name() {
    return "sub-workflow";
  }

  @Override
  public boolean waits() {
    return true;
  }

  @Override
  public Map<String, @Nullable Object> schema() {
    return SCHEMA;
  }

  // An end of a child cannot be sent back, so no guard is asked before the visit has it.
  @Override
  public boolean takesEveryMessage() {
    return true;
  }

  @Override
  public void enter(Walk walk, ActivityInstance visit) {
    long round = visit.data().get(ROUND) instanceof Long n ? n + 1 : 1;
    Instance parent = walk.draft().before;
    boolean waits = waits(walk, visit);
    int depth = parent.origin().depth() + 1;
    if (depth > Limits.CHILD_DEPTH) {
      walk.fault(visit, Fault.permanent(Fault.TOO_DEEP, tooDeep(visit)));
      return;
    }
    InstanceId child;
    Send start;
    Wait end;
    try {
      ChildStart wish =
          wish(walk, visit, new Instance.Origin.Parent(parent.id(), visit.visit(), waits, depth));
      child =
          InstanceId.child(parent.id(), visit.visit(), round)
              .routedBy(parent.tenant(), wish.businessKey());
      start = new Send(child, Message.START, wish.toDocument());
      end = new Wait(BookmarkKind.EXTERNAL_MESSAGE, Message.ended(child), Map.of(), null);
    } catch (IllegalArgumentException | ArithmeticException e) {
      walk.badInput(visit, e);
      return;
    }
    walk.draft().send(start);
    walk.note(HistoryEntry.Type.CHILD_STARTED, visit, Map.of("child", child.toString()));
    ActivityInstance asked = visit.with(ROUND, round).with(CHILD, child.toString());
    if (waits) {
      // The entry about the child says that the visit waits; a second entry would repeat it.
      ActivityInstance waiting = asked.waiting();
      walk.put(waiting);
      var unused = walk.bookmarks().create(waiting, end);
    } else {
      walk.complete(asked, Map.of("instance", child.toString()));
    }
  }

  private static String tooDeep(ActivityInstance visit) {
    return ("Expected at most %d runs above a child, but that of '%s' would have more:"
            + " does a definition start itself?")
        .formatted(Limits.CHILD_DEPTH, visit.activity());
  }

  private static boolean waits(Walk walk, ActivityInstance visit) {
    return !Boolean.FALSE.equals(walk.input(visit).get("wait"));
  }

  private static ChildStart wish(Walk walk, ActivityInstance visit, Instance.Origin.Parent parent) {
    Map<String, @Nullable Object> input = walk.input(visit);
    Object businessKey = input.get("businessKey");
    Instance.Origin origin = walk.draft().before.origin();
    return new ChildStart(
        WithReader.text(input, "definition", ""),
        input.get("version") instanceof Long version ? Math.toIntExact(version) : null,
        WithReader.object(input, "input"),
        businessKey == null ? null : String.valueOf(businessKey),
        origin.correlationId(),
        origin.traceParent(),
        parent);
  }

  // A child that was asked for has not been told to stop: the visit waits for its end again.
  @Override
  public void retried(Walk walk, ActivityInstance visit) {
    if (visit.data().get(CHILD) instanceof String child && waits(walk, visit)) {
      String key = Message.ended(InstanceId.parse(child));
      var unused =
          walk.await(visit, List.of(new Wait(BookmarkKind.EXTERNAL_MESSAGE, key, Map.of(), null)));
    } else {
      walk.begin(visit);
    }
  }

  @Override
  public void resumed(
      Walk walk, ActivityInstance visit, Bookmark bookmark, Map<String, @Nullable Object> payload) {
    ActivityInstance told = visit.with(CHILD, null);
    walk.put(told);
    ChildEnd end = ChildEnd.fromDocument(payload);
    if ("continue".equals(walk.input(visit).get("whenChildFails"))) {
      Completion.guarded(walk, told, report(end));
    } else if (end.status() == Status.COMPLETED) {
      Completion.guarded(walk, told, Json.object(end.output()));
    } else {
      walk.fault(told, faultOf(visit, end));
    }
  }

  private static Map<String, @Nullable Object> report(ChildEnd end) {
    Map<String, @Nullable Object> report = new LinkedHashMap<>();
    report.put("status", end.status().name().toLowerCase(Locale.ROOT));
    report.put("output", end.output());
    report.put("error", end.error() == null ? null : end.error().toDocument());
    return report;
  }

  private static Fault faultOf(ActivityInstance visit, ChildEnd end) {
    return end.error() != null
        ? new Fault(end.error().type(), end.error().code(), end.error().message(), false)
        : Fault.permanent(
            Fault.CHILD_CANCELLED,
            "Expected the child %s to complete, but it was cancelled"
                .formatted(String.valueOf(visit.data().get(CHILD))));
  }

  @Override
  public void cancelled(Walk walk, ActivityInstance visit) {
    boolean leave = "leave".equals(walk.input(visit).get("whenParentEnds"));
    if (!leave && visit.data().get(CHILD) instanceof String child) {
      walk.draft()
          .send(
              new Send(
                  InstanceId.parse(child),
                  Message.CANCEL,
                  Map.of("reason", "Its parent no longer waits for it")));
    }
  }
}
