package dev.waymark.engine;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Command;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Where callers hand in what they ask for, and get their answer when it is committed. */
final class FrontDesk {

  private final Node node;
  private final Requests requests;

  FrontDesk(Node node, Requests requests) {
    this.node = node;
    this.requests = requests;
  }

  Requests requests() {
    return requests;
  }

  /** Waits for the answer, as long as the caller does. */
  Answer ask(Requests.Prepared prepared, Caller caller) {
    return node.scheduler().await(submit(prepared), requests.timeout(caller));
  }

  /** The same for a command on an instance whose body is nothing but a few words. */
  Answer ask(
      InstanceId instance,
      Caller caller,
      Function<Command.Meta, Command> command,
      String... words) {
    return ask(requests.plain(instance, caller, command, words), caller);
  }

  // Whatever a caller hangs on the answer runs in a task of its own, not in front of the bodies.
  CompletableFuture<Answer> askAsync(Requests.Prepared prepared) {
    return submit(prepared).thenApplyAsync(told -> told, node.scheduler()::execute);
  }

  private CompletableFuture<Answer> submit(Requests.Prepared prepared) {
    if (node.committer().queued() > node.settings().maxQueued()) {
      throw new Overloaded(
          "Expected at most %d queued commands, but there are more: try again later"
              .formatted(node.settings().maxQueued()));
    }
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    Stimulus stimulus =
        prepared.stimulus(
            outcome -> {
              if (outcome.decision() != null) {
                answer.complete(Requests.answer(prepared.instance(), outcome.decision()));
              } else {
                answer.completeExceptionally(EngineException.unwrap(outcome.fault()));
              }
            });
    node.post(prepared.instance(), stimulus);
    return answer;
  }
}
