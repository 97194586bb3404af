package dev.waymark.engine.internal.request;

import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Attempt;
import dev.waymark.core.step.Command;
import dev.waymark.engine.Caller;
import dev.waymark.engine.EngineException;
import dev.waymark.engine.internal.node.Patience;
import dev.waymark.engine.internal.node.StoreCalls;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.step.EngineCommands;
import dev.waymark.engine.internal.step.PendingCommand;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Runs bodies one at a time, when it is told to: for engines built {@code stepByStep}. */
public final class StepByStep {

  private static final int MAX_STEPS = 100_000;

  private final ThisNode node;
  private final StoreCalls calls;
  private final EngineCommands commands;
  private final InstanceQueries queries;
  private final EndNotifier endNotifier;

  public StepByStep(
      ThisNode node,
      StoreCalls calls,
      EngineCommands commands,
      InstanceQueries queries,
      EndNotifier endNotifier) {
    this.node = node;
    this.calls = calls;
    this.commands = commands;
    this.queries = queries;
    this.endNotifier = endNotifier;
  }

  /** Runs the next ready body; false if nothing is ready. */
  boolean runOne(InstanceId instance, Caller caller) {
    return runOne(instance, caller.actor().tenant(), calls.patience(caller));
  }

  private boolean runOne(InstanceId instance, String tenant, Patience patience) {
    node.store().refuseToWaitHere();
    Optional<ActivityInstance> ready =
        patience
            .read(() -> Optional.ofNullable(queries.find(tenant, instance)))
            .flatMap(this::ready);
    if (ready.isEmpty()) {
      return false;
    }
    long visit = ready.get().visit();
    CompletableFuture<Boolean> ended = endNotifier.ofVisit(instance, visit);
    CompletableFuture<Boolean> taken = new CompletableFuture<>();
    Command.Meta meta = commands.meta("take:" + visit);
    commands.post(
        instance,
        PendingCommand.internal(new Attempt.Take(meta, visit), outcome -> taken.complete(true)));
    return patience.await(() -> taken.thenCompose(begun -> ended));
  }

  private Optional<ActivityInstance> ready(Instance instance) {
    return instance.activities().values().stream()
        .filter(a -> a.state() == ActivityInstance.State.READY)
        .filter(a -> a.due() != null && !a.due().isAfter(node.now()))
        .findFirst();
  }

  /** A caller that says how long it waits says so for all steps together. */
  void runUntilWaiting(InstanceId instance, Caller caller) {
    String tenant = caller.actor().tenant();
    Patience stated = calls.patience(caller);
    for (int i = 0; i < MAX_STEPS; i++) {
      Patience patience = caller.timeout() == null ? calls.patience(caller) : stated;
      if (!runOne(instance, tenant, patience)) {
        return;
      }
    }
    throw new EngineException(
        "Expected instance %s to wait or end within %d steps, but it did not"
            .formatted(instance, MAX_STEPS),
        null);
  }
}
