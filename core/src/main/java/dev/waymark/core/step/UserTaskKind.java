package dev.waymark.core.step;

import static dev.waymark.core.step.Decision.Rejection.Code.GUARD;

import dev.waymark.core.Json;
import dev.waymark.core.approval.Reminders;
import dev.waymark.core.approval.Rung;
import dev.waymark.core.definition.Faults;
import dev.waymark.core.definition.InputSchema.Violation;
import dev.waymark.core.definition.JsonInputSchema;
import dev.waymark.core.definition.Shape;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Terms;
import dev.waymark.core.step.Decision.Rejection;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code user-task}: one piece of work for one person, or for whoever of several does it. The
 * answer is its output. A claim is a lease on its bookmark and no step; all else that people do is.
 */
final class UserTaskKind implements Kind {

  private static final Map<String, @Nullable Object> SCHEMA =
      PeopleShapes.common()
          .field("form", Shape.open().orNull().describe("JSON Schema of the answer.").constant())
          .field("assignee", PeopleShapes.USER.orNull().describe("Who alone does it."))
          .field(
              "candidates",
              PeopleShapes.PARTIES.describe("Users, and groups as group:name; one of."))
          .field(
              "assign",
              Shape.object()
                  .required("group", Shape.name())
                  .required("by", Shape.oneOf("round-robin", "least-loaded"))
                  .describe("Which member of a group gets it."))
          .field("due", PeopleShapes.MOMENT)
          .field("followUp", PeopleShapes.MOMENT)
          .field("escalate", PeopleShapes.ESCALATE)
          .field("remind", PeopleShapes.REMIND)
          .field(
              "autoComplete",
              Shape.object()
                  .required("after", PeopleShapes.MOMENT)
                  .field("outcome", Shape.word().orNull())
                  .field("answer", Shape.open().orNull())
                  .describe("When it ends by itself, and with which answer."))
          .document();

  private final Forms forms = new Forms();

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
    return PeopleShapes.dues("", with);
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
      end = moment(walk, With.object(input, "autoComplete"), "after");
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
      walk.badInput(visit, e);
      return;
    }
    Bookmark bookmark = walk.await(visit, List.of(wait)).get(0);
    ActivityInstance waiting = visit.waiting();
    Watch.climb(walk, waiting, ladder, 0, walk.at());
    Watch.remind(walk, waiting, reminders, 0, walk.at());
    Watch.set(walk, waiting, TimerPurpose.COMPLETE, 0, end);
    if (bookmark.payload().containsKey("assign")) {
      Tasks.wantAssignee(walk, waiting, 0);
    }
    if (input.get("notify") instanceof String text) {
      Watch.tell(walk, bookmark, Tasks.parties(bookmark), text);
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
        With.text(input, "key", activity),
        payload,
        moment(walk, input, "due"),
        new Terms(
            PeopleShapes.priority(input.get("priority")),
            Tasks.candidates(input),
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
        : With.instant(given);
  }

  @Override
  public @Nullable Rejection refusal(
      Walk walk, ActivityInstance visit, Bookmark bookmark, Command.Resume answer) {
    if (!bookmark.terms().candidates().allow(answer.meta().actor(), answer.standsFor())) {
      return Rejection.notYours(bookmark, answer.meta().actor());
    }
    String owner = Tasks.owner(visit);
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
    int number = Watch.number(bookmark);
    switch (TimerPurpose.of(bookmark)) {
      case ESCALATE -> Tasks.escalate(walk, visit, number);
      case REMIND -> Tasks.remind(walk, visit, number);
      case COMPLETE -> completeAlone(walk, visit);
      case ASSIGN -> Tasks.wantAssignee(walk, visit, number + 1);
      case SUBSTITUTE ->
          throw new IllegalStateException("Expected no substitutes in a task, but got one");
    }
  }

  private static void completeAlone(Walk walk, ActivityInstance visit) {
    Map<String, @Nullable Object> auto = With.object(walk.input(visit), "autoComplete");
    Map<String, @Nullable Object> answer = new LinkedHashMap<>(With.object(auto, "answer"));
    if (auto.get("outcome") != null) {
      answer.put("outcome", auto.get("outcome"));
    }
    walk.note(HistoryEntry.Type.TASK_CHANGED, visit, Map.of("act", "auto-complete"));
    walk.bookmarks().withdrawAll(visit.visit());
    walk.complete(visit, answer);
  }

  @Override
  public @Nullable Rejection attend(Walk walk, ActivityInstance visit, Bookmark bookmark, Act act) {
    Rejection notYours = Permissions.mayAct(walk, bookmark);
    if (notYours != null) {
      return notYours;
    }
    return switch (act) {
      case Act.Assign assign -> Tasks.assign(walk, visit, bookmark, assign);
      case Act.Return back -> Tasks.giveBack(walk, visit, bookmark, back);
      case Act.Delegate delegate -> Tasks.delegate(walk, visit, bookmark, delegate);
      case Act.Resolve resolve -> Tasks.resolve(walk, visit, bookmark, resolve);
      case Act.HandOver handOver -> Tasks.handOver(walk, visit, bookmark, handOver);
      case Act.Reschedule change -> Watch.reschedule(walk, visit, bookmark, change);
      case Act.Comment comment -> Remarks.add(walk, visit, comment);
      case Act.Attach attachment -> Remarks.add(walk, visit, attachment);
    };
  }
}
