package dev.waymark.core.step.people;

import static dev.waymark.core.step.Decision.Rejection.Code.BAD_INPUT;
import static dev.waymark.core.step.Decision.Rejection.Code.NOT_YOURS;
import static dev.waymark.core.step.Decision.Rejection.Code.WRONG_STATE;
import static java.util.Objects.requireNonNull;

import dev.waymark.core.Ids;
import dev.waymark.core.Json;
import dev.waymark.core.approval.ApprovalPlan;
import dev.waymark.core.approval.Ballot;
import dev.waymark.core.approval.Ballot.Right;
import dev.waymark.core.approval.Outcome;
import dev.waymark.core.approval.Party;
import dev.waymark.core.approval.Rung;
import dev.waymark.core.approval.Substitution;
import dev.waymark.core.approval.Vote;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Candidates;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Terms;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.Step;
import dev.waymark.core.step.TaskAction;
import dev.waymark.core.step.TimerPurpose;
import dev.waymark.core.step.Wait;
import dev.waymark.core.step.walk.Guards;
import dev.waymark.core.step.walk.Permissions;
import dev.waymark.core.step.walk.Walk;
import dev.waymark.core.step.walk.WithReader;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One approval while a step decides on it: the state that its visit keeps, and the moves on it. */
final class ApprovalRound {

  private final Walk walk;
  private final ApprovalPlan plan;
  private ActivityInstance visit;
  private ApprovalState state;

  private ApprovalRound(Walk walk, ActivityInstance visit, ApprovalPlan plan) {
    this.walk = walk;
    this.visit = visit;
    this.plan = plan;
    this.state = ApprovalState.of(visit);
  }

  static ApprovalRound of(Walk walk, ActivityInstance visit, ApprovalPlan plan) {
    return new ApprovalRound(walk, visit, plan);
  }

  static ActivityInstance restarted(ActivityInstance visit) {
    return ApprovalState.of(visit).restarted().in(visit);
  }

  private void put(ApprovalState changed) {
    state = changed;
    visit = changed.in(visit);
    walk.put(visit);
  }

  private ApprovalPlan.Stage stage() {
    return plan.stages().get(state.level() - 1);
  }

  /** Throws if no person is left who could decide. */
  private Ballot ballot() {
    return state.ballot(plan);
  }

  // ---- a level begins

  void open() {
    if (state.level() > plan.stages().size()) {
      finish(Outcome.APPROVED, null);
      return;
    }
    Ballot ballot;
    Wait wait;
    try {
      ballot = ballot();
      wait =
          new Wait(
              BookmarkKind.APPROVAL,
              WithReader.text(walk.input(visit), "key", visit.activity()),
              payload(ballot),
              stage().dueAt(walk.at(), walk.calendars()),
              terms(ballot));
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
      walk.fault(visit, Fault.permanent(Fault.NO_APPROVER, String.valueOf(e.getMessage())));
      return;
    }
    Bookmark bookmark = walk.await(visit, List.of(wait)).get(0);
    visit = requireNonNull(walk.activity(visit.visit()), "visit");
    TaskTimers.climb(walk, visit, stage().ladder(), 0, walk.at());
    TaskTimers.remind(walk, visit, stage().reminders(), 0, walk.at());
    TaskTimers.set(walk, visit, TimerPurpose.SUBSTITUTE, 0, state.nextChange(plan, walk.at()));
    if (walk.input(visit).get("notify") instanceof String text) {
      TaskTimers.tell(walk, bookmark, ballot.waitsFor(), text);
    }
  }

  /** The payload for the people who decide. */
  private Map<String, @Nullable Object> payload(Ballot ballot) {
    Map<String, @Nullable Object> input = walk.input(visit);
    Map<String, @Nullable Object> payload = new LinkedHashMap<>();
    for (String name : List.of("title", "description", "data")) {
      if (input.get(name) != null) {
        payload.put(name, input.get(name));
      }
    }
    payload.put("level", (long) state.level());
    payload.put("levels", (long) plan.stages().size());
    payload.put("name", ballot.tally().level().name());
    payload.put("required", (long) ballot.tally().level().required());
    payload.put(
        "approvers",
        ballot.tally().level().parties().stream().map(party -> (Object) party.toString()).toList());
    return payload;
  }

  private Terms terms(Ballot ballot) {
    return Terms.of(
        TaskSchemas.priority(walk.input(visit).get("priority")),
        state.candidates(ballot, walk.at()));
  }

  // ---- a vote

  static Decision vote(
      Walk walk, ActivityInstance visit, Bookmark bookmark, Command.Resume resume) {
    ApprovalRound poll = of(walk, visit, ApprovalPlan.of(walk.input(visit)));
    Outcome outcome;
    Right right;
    String comment;
    try {
      Map<String, @Nullable Object> answer = resume.payload();
      outcome = Outcome.of(WithReader.text(answer, "outcome", ""));
      comment = WithReader.text(answer, "comment", "");
      Object onBehalfOf = answer.get("for");
      right =
          poll.ballot()
              .rightOf(
                  new Ballot.Voter(
                      resume.meta().actor(),
                      resume.standsFor(),
                      onBehalfOf == null ? null : String.valueOf(onBehalfOf),
                      resume.meta().at()));
    } catch (IllegalArgumentException e) {
      return Rejection.of(BAD_INPUT, String.valueOf(e.getMessage()));
    }
    if (right instanceof Right.Refused refused) {
      return Rejection.of(NOT_YOURS, refused.reason());
    }
    Rejection guarded = Guards.rejection(walk, visit, resume);
    if (guarded != null) {
      return guarded;
    }
    Right.Seats seats = (Right.Seats) right;
    try {
      poll.count(
          new Vote(
              outcome,
              resume.meta().actor().id(),
              seats.onBehalfOf(),
              poll.state.level(),
              seats.seats(),
              walk.at(),
              Ids.fingerprint(Json.write(bookmark.payload().get("data"))).substring(0, 16),
              comment),
          bookmark,
          resume.payload());
    } catch (IllegalArgumentException e) {
      return Rejection.of(BAD_INPUT, String.valueOf(e.getMessage()));
    }
    return walk.finish();
  }

  private void count(Vote vote, Bookmark bookmark, Map<String, @Nullable Object> answer) {
    Outcome outcome = ballot().tally().plus(vote).outcome();
    walk.note(HistoryEntry.Type.VOTE_CAST, visit, vote.toDocument());
    put(state.plus(vote));
    if (outcome == null) {
      refresh(bookmark);
      return;
    }
    walk.consume(bookmark, Step.Spend.Guard.ANY, 0, answer);
    TaskTimers.stop(walk, visit);
    if (outcome == Outcome.APPROVED && state.level() < plan.stages().size()) {
      put(state.next());
      open();
    } else {
      finish(outcome, vote);
    }
  }

  /**
   * Updates the candidates: people who have decided no longer see the approval, people who were
   * asked since do.
   */
  private void refresh(Bookmark bookmark) {
    Candidates now = state.candidates(ballot(), walk.at());
    if (!now.equals(bookmark.terms().candidates())) {
      walk.bookmarks()
          .amend(
              bookmark.with(bookmark.payload(), bookmark.due(), bookmark.terms().with(now)), false);
    }
  }

  private void finish(Outcome outcome, @Nullable Vote last) {
    Map<String, @Nullable Object> output = new LinkedHashMap<>();
    output.put("outcome", outcome.word());
    output.put("level", (long) Math.min(state.level(), plan.stages().size()));
    output.put("levels", (long) plan.stages().size());
    if (last != null) {
      output.put("by", last.by());
    }
    List<@Nullable Object> decisions = new ArrayList<>();
    state.votes().forEach(vote -> decisions.add(ApprovalState.shown(vote)));
    output.put("decisions", decisions);
    walk.complete(visit, output);
  }

  // ---- time passes

  void escalate(int number) {
    Bookmark bookmark = TaskTimers.main(walk, visit);
    List<Rung> ladder = stage().ladder();
    if (bookmark == null || number >= ladder.size()) {
      return;
    }
    Rung rung = ladder.get(number);
    put(state.escalatedTo(rung.to()));
    TaskTimers.noteEscalated(walk, visit, number, rung.to());
    refresh(bookmark);
    TaskTimers.tell(walk, bookmark, rung.to(), "Escalated: " + title(bookmark));
    TaskTimers.climb(walk, visit, ladder, number + 1, bookmark.created());
  }

  void remind(int number) {
    Bookmark bookmark = TaskTimers.main(walk, visit);
    if (bookmark != null) {
      TaskTimers.noteReminded(walk, visit, number, ballot().waitsFor());
      TaskTimers.tell(walk, bookmark, ballot().waitsFor(), "Reminder: " + title(bookmark));
      TaskTimers.remind(walk, visit, stage().reminders(), number + 1, bookmark.created());
    }
  }

  /** A person begins or ceases to stand for another. */
  void substitute() {
    Bookmark bookmark = TaskTimers.main(walk, visit);
    if (bookmark != null) {
      walk.note(HistoryEntry.Type.TASK_CHANGED, visit, Map.of("act", "substitute"));
      refresh(bookmark);
      TaskTimers.set(walk, visit, TimerPurpose.SUBSTITUTE, 0, state.nextChange(plan, walk.at()));
    }
  }

  private static String title(Bookmark bookmark) {
    return bookmark.payload().get("title") instanceof String title ? title : bookmark.key();
  }

  // ---- and people do other things

  @Nullable Rejection delegate(TaskAction.Delegate delegate) {
    String actor = walk.actor();
    Ballot ballot = ballot();
    boolean asked =
        ballot.tally().openSeats().stream()
            .anyMatch(seat -> !seat.party().group() && seat.party().name().equals(actor));
    if (!asked) {
      return Rejection.of(
          NOT_YOURS, "Expected %s to have a voice to hand over, but has none".formatted(actor));
    }
    if (ballot.excluded().contains(delegate.to())) {
      return Rejection.of(
          NOT_YOURS,
          "Expected somebody who may decide, but %s is excluded".formatted(delegate.to()));
    }
    Instant from = delegate.from();
    Substitution rule;
    try {
      rule = new Substitution(actor, delegate.to(), from, delegate.until());
    } catch (IllegalArgumentException e) {
      return Rejection.of(BAD_INPUT, String.valueOf(e.getMessage()));
    }
    put(state.plus(rule));
    walk.note(visit, delegate);
    refresh(requireNonNull(TaskTimers.main(walk, visit), "bookmark"));
    TaskTimers.set(walk, visit, TimerPurpose.SUBSTITUTE, 0, rule.nextAfter(walk.at()));
    return null;
  }

  /**
   * Gives an unused voice to another person, here and at the levels to come. An excluded person
   * gets none, and a person who has a voice or has decided gets no second one: else one person
   * would count for two.
   */
  @Nullable Rejection handOver(TaskAction.HandOver handOver) {
    Rejection notYours = Permissions.operatorsOnly(walk, handOver);
    if (notYours != null) {
      return notYours;
    }
    Ballot ballot = ballot();
    String to = handOver.to();
    boolean asked = ballot.waitsFor().contains(Party.user(handOver.from()));
    boolean decided = state.votes().stream().anyMatch(vote -> vote.by().equals(to));
    if (!asked || ballot.excluded().contains(to) || decided) {
      return Rejection.of(
          NOT_YOURS,
          !asked
              ? "Expected %s to have a voice to hand over, but has none".formatted(handOver.from())
              : "Expected somebody who may decide, but %s %s"
                  .formatted(to, decided ? "has decided already" : "is excluded"));
    }
    if (ballot.waitsFor().contains(Party.user(to))) {
      return Rejection.of(
          WRONG_STATE,
          "Expected somebody without a voice at level '%s', but %s has one"
              .formatted(ballot.tally().level().name(), to));
    }
    put(state.plus(new ApprovalState.HandedOver(handOver.from(), to)));
    walk.note(visit, handOver);
    Bookmark bookmark = requireNonNull(TaskTimers.main(walk, visit), "bookmark");
    Ballot changed = ballot();
    walk.bookmarks()
        .amend(
            bookmark.with(
                payload(changed),
                bookmark.due(),
                bookmark.terms().with(state.candidates(changed, walk.at()))),
            false);
    return null;
  }

  @Nullable Rejection remark(TaskAction act) {
    Bookmark bookmark = requireNonNull(TaskTimers.main(walk, visit), "bookmark");
    boolean voted = state.votes().stream().anyMatch(vote -> vote.by().equals(walk.actor()));
    Rejection notYours = voted ? null : Permissions.mayAct(walk, bookmark);
    return notYours == null ? TaskComments.add(walk, visit, act) : notYours;
  }
}
