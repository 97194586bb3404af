package dev.waymark.engine;

import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Unit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** Tells who waits for it that an instance, or one visit of it, has come to its end. */
final class Endings {

  private final Node node;
  private final Archive archive;
  private final ConcurrentMap<Awaited, CompletableFuture<Instance>> awaited =
      new ConcurrentHashMap<>();
  private final ConcurrentMap<InstanceId, Visit> visits = new ConcurrentHashMap<>();

  /** Whoever asks as another tenant asks for another instance: one that is not there. */
  private record Awaited(InstanceId instance, String tenant) {}

  private record Visit(long number, CompletableFuture<Boolean> ended) {}

  Endings(Node node, Archive archive) {
    this.node = node;
    this.archive = archive;
    node.aftermath().watch(this::committed);
  }

  CompletableFuture<Instance> of(InstanceId instance, String tenant) {
    Awaited key = new Awaited(instance, tenant);
    CompletableFuture<Instance> future =
        awaited.computeIfAbsent(key, id -> new CompletableFuture<>());
    if (node.mailboxes().isUnderWay(instance, tenant)) {
      // Its end is still to come and most likely comes here, where this is told of it.
      lookLater(key, future);
    } else {
      look(key, future);
    }
    return future;
  }

  private void lookLater(Awaited key, CompletableFuture<Instance> future) {
    node.scheduler().after(node.settings().pollEvery(), () -> look(key, future));
  }

  // The end may be behind us already, or happen on another node, where this one is not told.
  private void look(Awaited key, CompletableFuture<Instance> future) {
    if (future.isDone()) {
      return;
    }
    @Nullable Instance found = archive.find(key.tenant(), key.instance());
    if (found == null || found.status().isTerminal()) {
      awaited.remove(key, future);
      if (found == null) {
        future.completeExceptionally(
            new EngineException(
                "Expected instance " + key.instance() + ", but there is none", null));
      } else {
        future.complete(found);
      }
      return;
    }
    lookLater(key, future);
  }

  /** Completes when the visit no longer runs: it ended, waits, is parked, or is to be retried. */
  CompletableFuture<Boolean> ofVisit(InstanceId instance, long visit) {
    Visit awaitedVisit = new Visit(visit, new CompletableFuture<>());
    visits.put(instance, awaitedVisit);
    return awaitedVisit.ended();
  }

  private void committed(Unit unit) {
    if (!awaited.isEmpty() && unit.after().status().isTerminal()) {
      CompletableFuture<Instance> future =
          awaited.remove(new Awaited(unit.instance(), unit.after().tenant()));
      if (future != null) {
        future.complete(unit.after());
      }
    }
    if (!visits.isEmpty()) {
      Visit visit = visits.get(unit.instance());
      var now = visit == null ? null : unit.after().activity(visit.number());
      if (visit != null && (now == null || now.state() != State.RUNNING)) {
        visits.remove(unit.instance(), visit);
        visit.ended().complete(true);
      }
    }
  }
}
