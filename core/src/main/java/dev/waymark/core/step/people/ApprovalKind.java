package dev.waymark.core.step.people;

import static dev.waymark.core.step.Decision.Rejection.Code.WRONG_STATE;

import dev.waymark.core.Limits;
import dev.waymark.core.approval.ApprovalPlan;
import dev.waymark.core.approval.ApprovalPlan.Demand;
import dev.waymark.core.definition.schema.Shape;
import dev.waymark.core.definition.text.Faults;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.TaskAction;
import dev.waymark.core.step.TimerPurpose;
import dev.waymark.core.step.walk.Kind;
import dev.waymark.core.step.walk.Walk;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code approval}: several people decide, level by level. Each level is one bookmark for all its
 * approvers; their votes are counted in the visit, so in the compare-and-set of the instance, and
 * only the vote that decides consumes it: no "all" is lost and no "any" comes twice.
 */
public final class ApprovalKind implements Kind {

  private static final Shape APPROVER =
      Shape.anyOf(
          "a user, group:name, or an object with 'user' or 'group'",
          TaskSchemas.PARTY,
          Shape.object()
              .field("user", TaskSchemas.USER)
              .field("group", Shape.name())
              .field("seats", Shape.integer(1, Limits.SEATS).describe("How many of a group."))
              .field("weight", Shape.integer(1, Limits.SEAT_WEIGHT))
              .field("veto", Shape.truth().describe("Whether its rejection ends the approval."))
              .exactlyOne("user", "group"));

  private static final Shape MODE =
      Shape.anyOf(
          "any, all, { atLeast: n } or { weight: n }",
          Shape.oneOf("any", "all"),
          Shape.object()
              .field("atLeast", Shape.integer(1, Limits.SEATS))
              .field("weight", Shape.integer(1, Integer.MAX_VALUE))
              .exactlyOne("atLeast", "weight"));

  private static final Shape NUMBER = Shape.anything().with("type", "number");

  private static final Map<String, @Nullable Object> SCHEMA =
      stage(TaskSchemas.common())
          .field(
              "levels",
              Shape.list(
                      stage(Shape.object())
                          .field("name", Shape.word())
                          .field("when", Shape.truth().describe("If false, it is left out."))
                          .with("required", List.of("approvers")))
                  .size(1, Limits.LEVELS)
                  .describe("Decided one after another."))
          .field(
              "bands",
              Shape.object()
                  .required("of", NUMBER)
                  .required(
                      "table",
                      Shape.list(
                              Shape.object()
                                  .required("above", NUMBER)
                                  .required("levels", Shape.integer(0, Limits.LEVELS)))
                          .size(1, Limits.LEVELS))
                  .describe("How many of the levels a value needs; none means approved by rule."))
          .field(
              "substitutes",
              Shape.list(
                      Shape.object()
                          .required("for", TaskSchemas.USER)
                          .required("by", TaskSchemas.USER)
                          .field("from", Shape.instant().orNull())
                          .field("until", Shape.instant().orNull()))
                  .size(0, Limits.CANDIDATES)
                  .describe("Who speaks for whom, and when."))
          .exactlyOne("approvers", "levels")
          .document();

  /** Adds the fields of one level, which an approval of a single level has itself. */
  private static Shape stage(Shape shape) {
    return shape
        .field("approvers", Shape.anyOf("approvers", APPROVER, Shape.list(APPROVER)))
        .field("mode", MODE.describe("How much approval is enough; default any."))
        .field("due", TaskSchemas.MOMENT)
        .field("escalate", TaskSchemas.ESCALATE)
        .field("remind", TaskSchemas.REMIND);
  }

  @Override
  public String name() {
    return "approval";
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
  public List<String> dues(Map<String, @Nullable Object> with) {
    List<String> dues = new ArrayList<>(TaskSchemas.dues("", with));
    if (with.get("levels") instanceof List<?> levels) {
      for (int i = 0; i < levels.size(); i++) {
        dues.addAll(TaskSchemas.dues("levels/" + i + "/", levels.get(i)));
      }
    }
    return dues;
  }

  @Override
  public void check(Map<String, @Nullable Object> with, Faults faults) {
    if (with.get("levels") instanceof List<?> levels) {
      for (int i = 0; i < levels.size(); i++) {
        if (levels.get(i) instanceof Map<?, ?> level) {
          checkDemand("levels/" + i + "/", level, faults);
        }
      }
      checkBands(with.get("bands"), levels.size(), faults);
    } else {
      checkDemand("", with, faults);
    }
  }

  /** An approval without a possible voice would park every run. */
  private static void checkDemand(String path, Map<?, ?> level, Faults faults) {
    Object approvers = level.get("approvers");
    Object mode = level.get("mode");
    if (approvers == null || !isConstant(approvers) || !isConstant(mode)) {
      return;
    }
    Demand demand;
    try {
      demand = Demand.of(approvers, mode);
    } catch (IllegalArgumentException e) {
      return; // Values of a wrong shape, which the schema tells.
    }
    if (demand.voices() == 0) {
      faults.add(path + "approvers", "one approver or more", Faults.shown(approvers));
    } else if (demand.wanted() > demand.there()) {
      faults.add(
          path + "mode",
          "at most %d, which is all that the approvers have".formatted(demand.there()),
          Faults.shown(mode));
    }
  }

  private static void checkBands(@Nullable Object bands, int levels, Faults faults) {
    if (bands instanceof Map<?, ?> given && given.get("table") instanceof List<?> table) {
      for (int i = 0; i < table.size(); i++) {
        if (table.get(i) instanceof Map<?, ?> band
            && band.get("levels") instanceof Number needed
            && needed.doubleValue() > levels) {
          faults.add(
              "bands/table/" + i + "/levels",
              "at most %d, the number of 'levels'".formatted(levels),
              Faults.shown(needed));
        }
      }
    }
  }

  private static boolean isConstant(@Nullable Object value) {
    return switch (value) {
      case String text -> !text.contains("${");
      case List<?> list -> list.stream().allMatch(ApprovalKind::isConstant);
      case Map<?, ?> map -> map.values().stream().allMatch(ApprovalKind::isConstant);
      case null, default -> true;
    };
  }

  @Override
  public void enter(Walk walk, ActivityInstance visit) {
    ApprovalRound poll;
    try {
      poll =
          ApprovalRound.of(
              walk, visit, ApprovalPlan.of(walk.input(visit)).checked(walk.at(), walk.calendars()));
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
      walk.badInput(visit, e);
      return;
    }
    poll.open();
  }

  /** Levels that are decided stay so; the one where it stopped begins anew. */
  @Override
  public void retried(Walk walk, ActivityInstance visit) {
    walk.begin(ApprovalRound.restarted(visit));
  }

  @Override
  public void resumed(
      Walk walk, ActivityInstance visit, Bookmark timer, Map<String, @Nullable Object> payload) {
    ApprovalRound poll = ApprovalRound.of(walk, visit, ApprovalPlan.of(walk.input(visit)));
    int number = TaskTimers.number(timer);
    switch (TimerPurpose.of(timer)) {
      case ESCALATE -> poll.escalate(number);
      case REMIND -> poll.remind(number);
      case SUBSTITUTE -> poll.substitute();
      case COMPLETE, ASSIGN ->
          throw new IllegalStateException(
              "Expected what an approval does, but got " + TimerPurpose.of(timer));
    }
  }

  /** Counts it as a vote: an approval may need more than one. */
  @Override
  public Decision answer(
      Walk walk, ActivityInstance visit, Bookmark bookmark, Command.Resume answer) {
    return ApprovalRound.vote(walk, visit, bookmark, answer);
  }

  @Override
  public @Nullable Rejection attend(
      Walk walk, ActivityInstance visit, Bookmark bookmark, TaskAction act) {
    ApprovalRound poll = ApprovalRound.of(walk, visit, ApprovalPlan.of(walk.input(visit)));
    return switch (act) {
      case TaskAction.Delegate delegate -> poll.delegate(delegate);
      case TaskAction.HandOver handOver -> poll.handOver(handOver);
      case TaskAction.Reschedule change -> TaskTimers.reschedule(walk, visit, bookmark, change);
      case TaskAction.Comment comment -> poll.remark(comment);
      case TaskAction.Attach attachment -> poll.remark(attachment);
      case TaskAction.Assign assign -> notHere(assign);
      case TaskAction.Return back -> notHere(back);
      case TaskAction.Resolve resolve -> notHere(resolve);
    };
  }

  private static Rejection notHere(TaskAction act) {
    return Rejection.of(
        WRONG_STATE,
        "Expected what can be done about an approval, but got '%s': it is for all who may decide"
            .formatted(act.word()));
  }
}
