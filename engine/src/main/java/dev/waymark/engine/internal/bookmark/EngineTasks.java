package dev.waymark.engine.internal.bookmark;

import static dev.waymark.core.Arguments.given;
import static dev.waymark.core.step.Decision.Rejection.Code.NOT_YOURS;
import static dev.waymark.core.step.Decision.Rejection.Code.WRONG_STATE;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Candidates;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.Operators;
import dev.waymark.core.step.TaskAction;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.bookmark.ClaimResult;
import dev.waymark.engine.internal.node.StoreCalls;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.request.CommandGateway;
import dev.waymark.engine.internal.request.InstanceQueries;
import dev.waymark.engine.internal.request.Requests;
import dev.waymark.engine.internal.row.RowKind;
import dev.waymark.engine.internal.row.RowReader;
import dev.waymark.engine.internal.step.UnreadableRows;
import dev.waymark.engine.spi.PeopleDirectory;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.Waits;
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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Carries out what people do with their tasks, as commands. */
public final class EngineTasks implements Tasks {

  private static final int MAX_PAGE = 1_000;

  private final ThisNode node;
  private final StoreCalls calls;
  private final Operators operators;
  private final RowReader reader;
  private final UnreadableRows unreadable;
  private final CommandGateway desk;
  private final Requests requests;
  private final EngineBookmarks bookmarks;
  private final InstanceQueries archive;
  private final PeopleDirectory directory;

  public EngineTasks(
      ThisNode node,
      StoreCalls calls,
      Operators operators,
      RowReader reader,
      UnreadableRows unreadable,
      CommandGateway desk,
      EngineBookmarks bookmarks,
      InstanceQueries archive,
      PeopleDirectory directory) {
    this.node = node;
    this.calls = calls;
    this.operators = operators;
    this.reader = reader;
    this.unreadable = unreadable;
    this.desk = desk;
    this.requests = desk.requests();
    this.bookmarks = bookmarks;
    this.archive = archive;
    this.directory = directory;
  }

  // ---- what there is

  @Override
  public Optional<Task> find(BookmarkId id, Caller caller) {
    given("id, caller", id, caller);
    Instance instance = instance(id, caller);
    Bookmark bookmark = instance == null ? null : instance.bookmarks().get(id);
    if (instance == null
        || bookmark == null
        || !bookmark.terms().candidates().allow(caller.actor(), standsFor(caller.actor()))) {
      return Optional.empty();
    }
    ActivityInstance visit = instance.activity(bookmark.visit());
    return Optional.of(
        visit == null ? Task.of(bookmark, node.now()) : Task.of(bookmark, visit, node.now()));
  }

  private @Nullable Instance instance(BookmarkId id, Caller caller) {
    String tenant = caller.actor().tenant();
    return calls
        .patience(caller)
        .read(() -> Optional.ofNullable(archive.find(tenant, id.instance())))
        .orElse(null);
  }

  @Override
  public TaskPage inbox(int limit, Caller caller) {
    return inbox(Waits.Place.START, limit, caller);
  }

  @Override
  public TaskPage inbox(Waits.Place from, int limit, Caller caller) {
    given("from, caller", from, caller);
    Actor actor = caller.actor();
    Set<String> standsFor = standsFor(actor);
    return calls
        .patience(caller)
        .read(
            () ->
                page(
                    actor.tenant(),
                    names(actor, standsFor),
                    candidates -> candidates.allow(actor, standsFor),
                    from,
                    limit));
  }

  @Override
  public TaskPage of(String user, Waits.Place from, int limit, Caller caller) {
    given("user, from, caller", user, from, caller);
    if (!caller.actor().id().equals(Limits.name("a user", user))) {
      requireOperator(caller);
    }
    String tenant = caller.actor().tenant();
    Set<String> who = Set.of(Candidates.user(user));
    return calls.patience(caller).read(() -> page(tenant, who, candidates -> true, from, limit));
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

  private TaskPage page(
      String tenant, Set<String> who, Predicate<Candidates> shown, Waits.Place from, int limit) {
    if (limit < 1 || limit > MAX_PAGE) {
      throw new IllegalArgumentException(
          "Expected a page of 1 to %,d tasks, but got %d".formatted(MAX_PAGE, limit));
    }
    Instant now = node.now();
    List<Task> tasks = new ArrayList<>();
    Waits.Place place = from;
    long bytes = 0;
    // What a group may do its excluded member may not: such rows are left out, and others read.
    for (int round = 0; round < Limits.INBOX_ROUNDS; round++) {
      Page<Waits.WaitRow> rows = node.store().waits().inbox(tenant, who, place, limit);
      for (Waits.WaitRow row : rows) {
        Task task = unreadable.readOne(RowKind.WAIT, row, wait -> task(wait, now));
        if (task != null && shown.test(task.candidates())) {
          tasks.add(task);
          bytes += row.size();
        }
        place = Waits.Place.of(row);
        if (tasks.size() == limit) {
          return new TaskPage(tasks, place);
        }
      }
      if (!rows.more()) {
        return new TaskPage(tasks, null);
      }
      if (bytes >= Limits.BATCH_BYTES) {
        break;
      }
    }
    return new TaskPage(tasks, place);
  }

  private Task task(Waits.WaitRow row, Instant now) {
    return Task.of(reader.bookmark(row.instance(), row.bookmark()), now);
  }

  private Set<String> names(Actor actor, Set<String> standsFor) {
    Set<String> who = Candidates.namesOf(actor);
    standsFor.forEach(user -> who.add(Candidates.user(user)));
    return who;
  }

  private Set<String> standsFor(Actor actor) {
    return directory.standsFor(actor.tenant(), actor.id(), node.now());
  }

  // ---- what is done about it

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
    return desk.ask(requests.answer(id, fence, answer, standsFor(caller.actor()), caller), caller);
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
      String from, String to, String reason, Waits.Place after, int limit, Caller caller) {
    given("from, to, reason, after, caller", from, to, reason, after, caller);
    requireOperator(caller);
    node.store().refuseToWaitHere();
    TaskPage page = of(from, after, limit, caller);
    TaskAction act = new TaskAction.HandOver(from, to, reason);
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    for (Task task : page.tasks()) {
      answers.add(
          desk.askAsync(requests.attend(task.id(), act, Set.of(), of(task, caller)), caller));
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
    return desk.ask(requests.attend(id, act, standsFor(caller.actor()), caller), caller);
  }
}
