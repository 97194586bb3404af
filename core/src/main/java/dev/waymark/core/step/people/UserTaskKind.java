package dev.waymark.core.step.people;

import static dev.waymark.core.step.Decision.Rejection.Code.GUARD;

import dev.waymark.core.Json;
import dev.waymark.core.approval.Reminders;
import dev.waymark.core.approval.Rung;
import dev.waymark.core.definition.schema.InputSchema.Violation;
import dev.waymark.core.definition.schema.JsonInputSchema;
import dev.waymark.core.definition.schema.Shape;
import dev.waymark.core.definition.text.Faults;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Terms;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.TaskAction;
import dev.waymark.core.step.TimerPurpose;
import dev.waymark.core.step.Wait;
import dev.waymark.core.step.walk.Kind;
import dev.waymark.core.step.walk.Permissions;
import dev.waymark.core.step.walk.Walk;
import dev.waymark.core.step.walk.WithReader;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code user-task}: one piece of work for one of its candidates. The answer is its output. A claim
 * is a lease on its bookmark and no step; all other acts of people are steps.
 */
public final class UserTaskKind implements Kind {

  private static final Map<String, @Nullable Object> SCHEMA =
      TaskSchemas.common()
          .field("form", Shape.open().orNull().describe("JSON Schema of the answer.").constant())
          .field("assignee", TaskSchemas.USER.orNull().describe("Who alone does it."))
          .field(
              "candidates",
              TaskSchemas.PARTIES.describe("Users, and groups as group:name; one of."))
          .field(
              "assign",
              Shape.object()
                  .required("group", Shape.name())
                  .required("by", Shape.oneOf("round-robin", "least-loaded"))
                  .describe("Which member of a group gets it."))
          .field("due", TaskSchemas.MOMENT)
          .field("followUp", TaskSchemas.MOMENT)
          .field("escalate", TaskSchemas.ESCALATE)
          .field("remind", TaskSchemas.REMIND)
          .field(
              "autoComplete",
              Shape.object()
                  .required("after", TaskSchemas.MOMENT)
                  .field("outcome", Shape.word().orNull())
                  .field("answer", Shape.open().orNull())
                  .describe("When it ends by itself, and with which answer."))
          .document();

  private final FormCache forms = new FormCache();

  @Override
  public String name() {
    return "user-task";
  }

  @Override
  public boolean asksPeople() {
    return true;
  }

  @Override
  public boolean waits() {
    return true;
  }

  @Override
  public Map<String, @Nullable Object> schema() {
    return SCHEMA;
  }

  @Override
  public void check(Map<String, @Nullable Object> with, Faults faults) {
    if (with.get("form") instanceof Map<?, ?>) {
      refuseExpressions(with.get("form"), "form", faults);
      var unused =
          JsonInputSchema.compile(
              Json.object(with.get("form")),
              (path, expected, got) ->
                  faults.add(path.isEmpty() ? "form" : "form/" + path, expected, got));
    }
  }

  // The form is judged on deploy, as it stands: an expression in it would never be a value.
  private static void refuseExpressions(@Nullable Object form, String path, Faults faults) {
    switch (form) {
      case Map<?, ?> map ->
          map.forEach((key, each) -> refuseExpressions(each, path + "/" + key, faults));
      case List<?> list -> {
        for (int i = 0; i < list.size(); i++) {
          refuseExpressions(list.get(i), path + "/" + i, faults);
        }
      }
      case String text when text.contains("${") && !text.contains("$${") ->
          faults.add(path, "a form without expressions", Faults.shown(text));
      case null, default -> {}
    }
  }

  @Override
  public List<String> dues(Map<String, @Nullable Object> with) {
    return TaskSchemas.dues("", with);
  }

  @Override
  public void enter(Walk walk, ActivityInstance visit) {
    Map<String, @Nullable Object> input = walk.input(visit);
    Wait wait;
    List<Rung> ladder;
    Reminders reminders;
    Instant end;
    try {
      wait = wait(walk, input, visit.activity());
      ladder = Rung.ladder(input.get("escalate"));
      for (Rung rung : ladder) {
        var unused = rung.after().after(walk.at(), walk.calendars());
      }
      reminders = Reminders.of(input.get("remind"));
      end = moment(walk, WithReader.object(input, "autoComplete"), "after");
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
      walk.badInput(visit, e);
      return;
    }
    Bookmark bookmark = walk.await(visit, List.of(wait)).get(0);
    ActivityInstance waiting = visit.waiting();
    TaskTimers.climb(walk, waiting, ladder, 0, walk.at());
    TaskTimers.remind(walk, waiting, reminders, 0, walk.at());
    TaskTimers.set(walk, waiting, TimerPurpose.COMPLETE, 0, end);
    if (bookmark.payload().containsKey("assign")) {
      TaskHandover.wantAssignee(walk, waiting, 0);
    }
    if (input.get("notify") instanceof String text) {
      TaskTimers.tell(walk, bookmark, TaskHandover.parties(bookmark), text);
    }
  }

  private static Wait wait(Walk walk, Map<String, @Nullable Object> input, String activity) {
    Map<String, @Nullable Object> payload = new LinkedHashMap<>();
    for (String name : List.of("title", "description", "form", "data", "assign")) {
      if (input.get(name) != null) {
        payload.put(name, input.get(name));
      }
    }
    return new Wait(
        BookmarkKind.USER_ACTION,
        WithReader.text(input, "key", activity),
        payload,
        moment(walk, input, "due"),
        new Terms(
            TaskSchemas.priority(input.get("priority")),
            TaskHandover.candidates(input),
            null,
            null,
            moment(walk, input, "followUp")));
  }

  private static @Nullable Instant moment(
      Walk walk, Map<String, @Nullable Object> input, String name) {
    Object given = input.get(name);
    if (given == null) {
      return null;
    }
    return given instanceof Map || String.valueOf(given).startsWith("P")
        ? walk.due(given)
        : WithReader.instant(given);
  }

  @Override
  public @Nullable Rejection refusal(
      Walk walk, ActivityInstance visit, Bookmark bookmark, Command.Resume answer) {
    if (!bookmark.terms().candidates().allow(answer.meta().actor(), answer.standsFor())) {
      return Rejection.notYours(bookmark, answer.meta().actor());
    }
    String owner = TaskHandover.owner(visit);
    if (owner != null) {
      return Rejection.of(
          GUARD,
          "Expected %s to resolve what %s delegated, but got an answer: %s completes it then"
              .formatted(answer.meta().actor().id(), owner, owner));
    }
    return misfit(bookmark, answer.payload());
  }

  private @Nullable Rejection misfit(Bookmark bookmark, Map<String, @Nullable Object> answer) {
    if (!(bookmark.payload().get("form") instanceof Map<?, ?> form)) {
      return null;
    }
    List<Violation> violations = forms.violations(form, answer);
    return violations.isEmpty()
        ? null
        : new Rejection(
            GUARD,
            "Expected an answer that fits the form of '%s', but at %s: %s"
                .formatted(
                    bookmark.key(),
                    violations.get(0).pointer().isEmpty() ? "/" : violations.get(0).pointer(),
                    violations.get(0).message()),
            violations);
  }

  @Override
  public void resumed(
      Walk walk, ActivityInstance visit, Bookmark bookmark, Map<String, @Nullable Object> payload) {
    if (bookmark.kind() != BookmarkKind.TIMER) {
      walk.bookmarks().withdrawAll(visit.visit());
      walk.complete(visit, payload);
      return;
    }
    int number = TaskTimers.number(bookmark);
    switch (TimerPurpose.of(bookmark)) {
      case ESCALATE -> TaskHandover.escalate(walk, visit, number);
      case REMIND -> TaskHandover.remind(walk, visit, number);
      case COMPLETE -> completeAlone(walk, visit);
      case ASSIGN -> TaskHandover.wantAssignee(walk, visit, number + 1);
      case SUBSTITUTE ->
          throw new IllegalStateException("Expected no substitutes in a task, but got one");
    }
  }

  private static void completeAlone(Walk walk, ActivityInstance visit) {
    Map<String, @Nullable Object> auto = WithReader.object(walk.input(visit), "autoComplete");
    Map<String, @Nullable Object> answer = new LinkedHashMap<>(WithReader.object(auto, "answer"));
    if (auto.get("outcome") != null) {
      answer.put("outcome", auto.get("outcome"));
    }
    walk.note(HistoryEntry.Type.TASK_CHANGED, visit, Map.of("act", "auto-complete"));
    walk.bookmarks().withdrawAll(visit.visit());
    walk.complete(visit, answer);
  }

  @Override
  public @Nullable Rejection attend(
      Walk walk, ActivityInstance visit, Bookmark bookmark, TaskAction act) {
    Rejection notYours = Permissions.mayAct(walk, bookmark);
    if (notYours != null) {
      return notYours;
    }
    return switch (act) {
      case TaskAction.Assign assign -> TaskHandover.assign(walk, visit, bookmark, assign);
      case TaskAction.Return back -> TaskHandover.giveBack(walk, visit, bookmark, back);
      case TaskAction.Delegate delegate -> TaskHandover.delegate(walk, visit, bookmark, delegate);
      case TaskAction.Resolve resolve -> TaskHandover.resolve(walk, visit, bookmark, resolve);
      case TaskAction.HandOver handOver -> TaskHandover.handOver(walk, visit, bookmark, handOver);
      case TaskAction.Reschedule change -> TaskTimers.reschedule(walk, visit, bookmark, change);
      case TaskAction.Comment comment -> TaskComments.add(walk, visit, comment);
      case TaskAction.Attach attachment -> TaskComments.add(walk, visit, attachment);
    };
  }
}
