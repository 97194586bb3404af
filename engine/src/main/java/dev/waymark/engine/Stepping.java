package dev.waymark.engine;

import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Attempt;
import dev.waymark.core.step.Command;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Runs bodies one at a time, when it is told to: for engines built {@code stepByStep}. */
final class Stepping {

  private static final int MAX_STEPS = 100_000;

  private final Node node;
  private final EngineCommands commands;
  private final Archive archive;
  private final Endings endings;

  Stepping(Node node, EngineCommands commands, Archive archive, Endings endings) {
    this.node = node;
    this.commands = commands;
    this.archive = archive;
    this.endings = endings;
  }

  /** Runs the next ready body; false if nothing is ready. */
  boolean runOne(InstanceId instance, String tenant, Duration timeout) {
    Instance found = archive.find(tenant, instance);
    Optional<ActivityInstance> ready =
        found == null
            ? Optional.empty()
            : found.activities().values().stream()
                .filter(a -> a.state() == ActivityInstance.State.READY)
                .filter(a -> a.due() != null && !a.due().isAfter(node.now()))
                .findFirst();
    if (ready.isEmpty()) {
      return false;
    }
    long visit = ready.get().visit();
    CompletableFuture<Boolean> ended = endings.ofVisit(instance, visit);
    CompletableFuture<Boolean> taken = new CompletableFuture<>();
    Command.Meta meta = commands.meta("take:" + visit);
    commands.post(
        instance,
        Stimulus.internal(new Attempt.Take(meta, visit), outcome -> taken.complete(true)));
    node.scheduler().await(taken, timeout);
    return node.scheduler().await(ended, timeout);
  }

  void runUntilWaiting(InstanceId instance, String tenant, Duration timeout) {
    for (int i = 0; i < MAX_STEPS; i++) {
      if (!runOne(instance, tenant, timeout)) {
        return;
      }
    }
    throw new EngineException(
        "Expected instance %s to wait or end within %d steps, but it did not"
            .formatted(instance, MAX_STEPS),
        null);
  }
}
