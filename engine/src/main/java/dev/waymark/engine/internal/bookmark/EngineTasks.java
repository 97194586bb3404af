package dev.waymark.engine.internal.bookmark;

import static dev.waymark.core.Arguments.given;
import static dev.waymark.core.step.Decision.Rejection.Code.NOT_YOURS;
import static dev.waymark.core.step.Decision.Rejection.Code.WRONG_STATE;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Candidates;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.Operators;
import dev.waymark.core.step.TaskAction;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.bookmark.ClaimResult;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.request.CommandGateway;
import dev.waymark.engine.internal.request.Requests;
import dev.waymark.engine.internal.request.StandIns;
import dev.waymark.engine.query.InboxPlace;
import dev.waymark.engine.task.HandOverReport;
import dev.waymark.engine.task.Task;
import dev.waymark.engine.task.TaskPage;
import dev.waymark.engine.task.Tasks;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Carries out what people do with their tasks, as commands. */
public final class EngineTasks implements Tasks {

  private final ThisNode node;
  private final Operators operators;
  private final CommandGateway gateway;
  private final Requests requests;
  private final EngineBookmarks bookmarks;
  private final TaskReader tasks;
  private final StandIns standIns;

  public EngineTasks(
      ThisNode node,
      Operators operators,
      CommandGateway gateway,
      EngineBookmarks bookmarks,
      TaskReader tasks,
      StandIns standIns) {
    this.node = node;
    this.operators = operators;
    this.gateway = gateway;
    this.requests = gateway.requests();
    this.bookmarks = bookmarks;
    this.tasks = tasks;
    this.standIns = standIns;
  }

  // ---- what there is

  @Override
  public Optional<Task> find(BookmarkId id, Caller caller) {
    given("id, caller", id, caller);
    Actor actor = caller.actor();
    return tasks.find(id, candidates -> candidates.allow(actor, standsFor(actor)), caller);
  }

  @Override
  public TaskPage inbox(int limit, Caller caller) {
    return inbox(InboxPlace.START, limit, caller);
  }

  @Override
  public TaskPage inbox(InboxPlace from, int limit, Caller caller) {
    given("from, caller", from, caller);
    Actor actor = caller.actor();
    Set<String> standsFor = standsFor(actor);
    return tasks.page(
        names(actor, standsFor),
        candidates -> candidates.allow(actor, standsFor),
        new TaskReader.TaskRange(from, limit),
        caller);
  }

  @Override
  public TaskPage of(String user, InboxPlace from, int limit, Caller caller) {
    given("user, from, caller", user, from, caller);
    if (!caller.actor().id().equals(Limits.name("a user", user))) {
      requireOperator(caller);
    }
    Set<String> who = Set.of(Candidates.user(user));
    return tasks.page(who, candidates -> true, new TaskReader.TaskRange(from, limit), caller);
  }

  private void requireOperator(Caller caller) {
    if (!operators.include(caller.actor())) {
      throw new CommandRefused(
          new Rejection(
              NOT_YOURS,
              "Expected an operator (role %s), but %s is none"
                  .formatted(String.join(" or ", operators.roles()), caller.actor().id()),
              List.of()));
    }
  }

  private Set<String> names(Actor actor, Set<String> standsFor) {
    Set<String> who = Candidates.namesOf(actor);
    standsFor.forEach(user -> who.add(Candidates.user(user)));
    return who;
  }

  private Set<String> standsFor(Actor actor) {
    return standIns.standsFor(actor);
  }

  // ---- acts on a task

  @Override
  public ClaimResult claim(BookmarkId id, Caller caller) {
    return claim(id, Limits.TASK_CLAIM, caller);
  }

  @Override
  public ClaimResult claim(BookmarkId id, Duration lease, Caller caller) {
    given("id, lease, caller", id, lease, caller);
    BookmarkKind kind =
        bookmarks.look().find(id, caller).map(seen -> seen.bookmark().kind()).orElse(null);
    return kind == null || kind == BookmarkKind.USER_ACTION || kind == BookmarkKind.APPROVAL
        ? bookmarks.claim(id, lease, standsFor(caller.actor()), caller)
        : ClaimResult.refused(
            WRONG_STATE, "Expected a task or an approval, but %s is a %s".formatted(id, kind));
  }

  @Override
  public ClaimResult release(BookmarkId id, Caller caller) {
    given("id, caller", id, caller);
    return bookmarks.release(id, caller);
  }

  @Override
  public Answer complete(
      BookmarkId id, Map<String, ? extends @Nullable Object> answer, Caller caller) {
    return complete(id, null, answer, caller);
  }

  @Override
  public Answer complete(
      BookmarkId id, long fence, Map<String, ? extends @Nullable Object> answer, Caller caller) {
    return complete(id, (Long) fence, answer, caller);
  }

  private Answer complete(
      BookmarkId id,
      @Nullable Long fence,
      Map<String, ? extends @Nullable Object> answer,
      Caller caller) {
    given("id, answer, caller", id, answer, caller);
    return gateway.ask(
        requests.answer(id, fence, answer, standsFor(caller.actor()), caller), caller);
  }

  @Override
  public Answer assign(BookmarkId id, String to, Caller caller) {
    given("id, to, caller", id, to, caller);
    return attend(id, new TaskAction.Assign(to, false), caller);
  }

  @Override
  public Answer giveBack(BookmarkId id, Caller caller) {
    given("id, caller", id, caller);
    return attend(id, new TaskAction.Return(), caller);
  }

  @Override
  public Answer delegate(BookmarkId id, String to, Caller caller) {
    given("id, to, caller", id, to, caller);
    return attend(id, new TaskAction.Delegate(to, null, null), caller);
  }

  @Override
  public Answer resolve(BookmarkId id, String comment, Caller caller) {
    given("id, comment, caller", id, comment, caller);
    return attend(id, new TaskAction.Resolve(comment), caller);
  }

  @Override
  public Answer comment(BookmarkId id, String text, Caller caller) {
    given("id, text, caller", id, text, caller);
    return attend(id, new TaskAction.Comment(text), caller);
  }

  @Override
  public Answer attach(BookmarkId id, String name, String uri, long size, Caller caller) {
    given("id, name, uri, caller", id, name, uri, caller);
    return attend(id, new TaskAction.Attach(name, uri, size), caller);
  }

  // ---- what operators do about it

  @Override
  public Answer reschedule(BookmarkId id, @Nullable Instant due, String reason, Caller caller) {
    given("id, reason, caller", id, reason, caller);
    return attend(id, new TaskAction.Reschedule(due, reason), caller);
  }

  @Override
  public Answer handOver(BookmarkId id, String from, String to, String reason, Caller caller) {
    given("id, from, to, reason, caller", id, from, to, reason, caller);
    return attend(id, new TaskAction.HandOver(from, to, reason), caller);
  }

  @Override
  public HandOverReport handOverAll(
      String from, String to, String reason, InboxPlace after, int limit, Caller caller) {
    given("from, to, reason, after, caller", from, to, reason, after, caller);
    requireOperator(caller);
    node.store().refuseToWaitHere();
    TaskPage page = of(from, after, limit, caller);
    TaskAction act = new TaskAction.HandOver(from, to, reason);
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    for (Task task : page.tasks()) {
      answers.add(
          gateway.askAsync(requests.attend(task.id(), act, Set.of(), of(task, caller)), caller));
    }
    CompletableFuture<Void> all =
        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
    var unused = node.scheduler().await(all.thenApply(done -> true), requests.timeout(caller));
    List<BookmarkId> moved = new ArrayList<>();
    List<HandOverReport.Left> left = new ArrayList<>();
    for (int i = 0; i < answers.size(); i++) {
      BookmarkId id = page.tasks().get(i).id();
      if (answers.get(i).resultNow() instanceof Answer.Refused refused) {
        left.add(new HandOverReport.Left(id, refused.rejection()));
      } else {
        moved.add(id);
      }
    }
    return new HandOverReport(moved, left, page.next());
  }

  /** A caller's own name for a request of many is good for one step only. */
  private static Caller of(Task task, Caller caller) {
    return caller.commandId() == null
        ? caller
        : caller.withCommandId(caller.commandId() + "/" + task.id());
  }

  Answer attend(BookmarkId id, TaskAction act, Caller caller) {
    return gateway.ask(requests.attend(id, act, standsFor(caller.actor()), caller), caller);
  }
}
