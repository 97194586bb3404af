package dev.waymark.engine.internal.request;

import static dev.waymark.core.step.Decision.Rejection.Code.NOT_FOUND;

import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.EngineException;
import dev.waymark.engine.Overloaded;
import dev.waymark.engine.internal.node.StoreCalls;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.node.TimedQuestions;
import dev.waymark.engine.internal.step.Committer;
import dev.waymark.engine.internal.step.EngineCommands;
import dev.waymark.engine.internal.step.InstanceLoader;
import dev.waymark.engine.internal.step.PendingCommand;
import dev.waymark.engine.store.Waits.WaitRow;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Takes in the requests of callers, and answers each when it is committed. */
public final class CommandGateway {

  private final ThisNode node;
  private final EngineCommands commands;
  private final Committer committer;
  private final InstanceLoader loader;
  private final StoreCalls calls;
  private final Requests requests;
  private final EngineBookmarkQueries lookup;
  private final Admission admission;
  private final Set<CompletableFuture<Answer>> outstanding = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  public CommandGateway(
      ThisNode node,
      EngineCommands commands,
      Committer committer,
      InstanceLoader loader,
      StoreCalls calls,
      EngineBookmarkQueries lookup,
      Requests requests) {
    this.node = node;
    this.commands = commands;
    this.committer = committer;
    this.loader = loader;
    this.calls = calls;
    this.requests = requests;
    this.lookup = lookup;
    this.admission = new Admission(node.settings().maxQueued());
  }

  /** No command is taken any more, and those that wait for an answer are told so. */
  public void close() {
    closed = true;
    outstanding.forEach(answer -> answer.completeExceptionally(EngineException.closed()));
  }

  public void refuseIfClosed() {
    if (closed) {
      throw EngineException.closed();
    }
  }

  public Requests requests() {
    return requests;
  }

  /** Waits for the answer, as long as the caller does. */
  public Answer ask(Requests.Prepared prepared, Caller caller) {
    node.store().refuseToWaitHere();
    Instant begun = node.now();
    Rejection refusal = requests.payloads().refusal(prepared.data(), caller);
    if (refusal != null) {
      return new Answer.Refused(prepared.instance(), refusal);
    }
    Caller patient = TimedQuestions.left(caller, begun, node.now());
    Answer answer = node.scheduler().await(submit(prepared), requests.timeout(patient));
    return told(prepared, answer, TimedQuestions.left(caller, begun, node.now()));
  }

  /** The same for a command on an instance. */
  Answer ask(
      InstanceId instance,
      Caller caller,
      Function<Command.Meta, Command> command,
      Requests.RequestDocument body) {
    return ask(requests.plain(instance, caller, command, body), caller);
  }

  // The caller's follow-up of the answer runs in a task of its own, not in front of the bodies.
  public CompletableFuture<Answer> askAsync(Requests.Prepared prepared, Caller caller) {
    Rejection refusal = requests.payloads().refusal(prepared.data(), caller);
    if (refusal != null) {
      return CompletableFuture.completedFuture(new Answer.Refused(prepared.instance(), refusal));
    }
    return calls.endsWithEngine(
        submit(prepared)
            .thenApplyAsync(
                // No thread of a caller waits here.
                answer -> told(prepared, answer, Caller.of(caller.actor())),
                // After close() nothing runs tasks any more; then the engine's end is the answer.
                node.scheduler()::executeUserCode));
  }

  /**
   * A wait may have left the table that steps look at: the archive still knows the actor who closed
   * it.
   */
  private Answer told(Requests.Prepared prepared, Answer answer, Caller caller) {
    BookmarkId bookmark = prepared.bookmark();
    if (bookmark == null
        || !(answer instanceof Answer.Refused refused)
        || refused.rejection().code() != NOT_FOUND) {
      return answer;
    }
    return calls.patience(caller).read(() -> closed(prepared, bookmark, answer, caller));
  }

  private Answer closed(
      Requests.Prepared prepared, BookmarkId bookmark, Answer otherwise, Caller caller) {
    WaitRow row = lookup.row(bookmark, caller);
    Bookmark seen = row == null ? null : lookup.bookmark(row);
    return seen == null || seen.closing() == null
        ? otherwise
        : new Answer.Refused(prepared.instance(), Rejection.alreadyClosed(seen));
  }

  @SuppressWarnings("CollectionUndefinedEquality") // An answer is itself alone, as is meant here.
  private CompletableFuture<Answer> submit(Requests.Prepared prepared) {
    refuseIfClosed();
    int queued = committer.queued() + loader.queued();
    if (queued > node.settings().maxQueued()) {
      throw new Overloaded(
          "Expected at most %d commands to be read for or written, but there are %d: try again later"
              .formatted(node.settings().maxQueued(), queued));
    }
    String tenant = prepared.command().meta().actor().tenant();
    admission.enter(tenant);
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    outstanding.add(answer);
    PendingCommand pending =
        prepared.pending(
            outcome -> {
              outstanding.remove(answer);
              admission.leave(tenant);
              if (outcome.decision() != null) {
                answer.complete(Requests.answer(prepared.instance(), outcome.decision()));
              } else {
                answer.completeExceptionally(EngineException.unwrap(outcome.fault()));
              }
            });
    commands.post(prepared.instance(), pending);
    if (closed) {
      answer.completeExceptionally(EngineException.closed());
    }
    return answer;
  }
}
