package dev.waymark.engine.internal.request;

import static dev.waymark.core.Arguments.given;

import dev.waymark.core.Limits;
import dev.waymark.core.explain.Explanation;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.DeadlinePassed;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.Instances;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.StateAt;
import dev.waymark.engine.internal.node.StoreCalls;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.node.TimedQuestions;
import dev.waymark.engine.internal.row.EnumCodes;
import dev.waymark.engine.query.StateCount;
import dev.waymark.engine.store.StoredInstances.EntryPlace;
import dev.waymark.engine.store.StoredInstances.Filter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Starts and finds instances for callers. */
public final class EngineInstances implements Instances {

  private final ThisNode node;
  private final CommandGateway gateway;
  private final Requests requests;
  private final StoreCalls calls;
  private final InstanceQueries queries;
  private final Explanations explanations;
  private final EndNotifier endNotifier;
  private final StepByStep stepping;

  public EngineInstances(
      ThisNode node,
      CommandGateway gateway,
      StoreCalls calls,
      InstanceQueries queries,
      Explanations explanations,
      EndNotifier endNotifier,
      StepByStep stepping) {
    this.node = node;
    this.gateway = gateway;
    this.requests = gateway.requests();
    this.calls = calls;
    this.queries = queries;
    this.explanations = explanations;
    this.endNotifier = endNotifier;
    this.stepping = stepping;
  }

  @Override
  public Answer start(StartRequest request, Caller caller) {
    given("request, caller", request, caller);
    gateway.refuseIfClosed();
    Instant begun = node.now();
    return switch (prepared(request, caller)) {
      case Requests.StartOrRefusal.Of(Requests.Prepared prepared) ->
          gateway.ask(prepared, TimedQuestions.left(caller, begun, node.now()));
      case Requests.StartOrRefusal.Not(Answer.Refused refused) -> refused;
    };
  }

  @Override
  public CompletableFuture<Answer> startAsync(StartRequest request, Caller caller) {
    given("request, caller", request, caller);
    gateway.refuseIfClosed();
    return switch (prepared(request, caller)) {
      case Requests.StartOrRefusal.Of(Requests.Prepared prepared) ->
          gateway.askAsync(prepared, caller);
      case Requests.StartOrRefusal.Not(Answer.Refused refused) ->
          CompletableFuture.completedFuture(refused);
    };
  }

  /** A start of a definition that this node has just seen needs no look into the store. */
  private Requests.StartOrRefusal prepared(StartRequest request, Caller caller) {
    return requests.knows(request, caller)
        ? requests.startOrRefuse(request, caller)
        : asked(caller, () -> requests.startOrRefuse(request, caller));
  }

  @Override
  public Optional<Instance> find(InstanceId instance, Caller caller) {
    given("instance, caller", instance, caller);
    return asked(
        caller, () -> Optional.ofNullable(queries.find(caller.actor().tenant(), instance)));
  }

  @Override
  public List<Instance> list(InstanceQuery query, Caller caller) {
    given("query, caller", query, caller);
    Filter filter =
        new Filter(
            caller.actor().tenant(),
            query.status() == null ? null : EnumCodes.of(query.status()),
            query.definition(),
            query.businessKey(),
            query.correlationId(),
            query.labels(),
            query.suspended(),
            query.begun(),
            query.after(),
            query.limit());
    return asked(caller, () -> queries.list(filter));
  }

  @Override
  public List<StateCount> counts(Caller caller) {
    given("caller", caller);
    return asked(caller, () -> node.store().instances().count(caller.actor().tenant()));
  }

  @Override
  public List<Instance> longRunning(
      Duration age, @Nullable InstanceId after, int limit, Caller caller) {
    given("age, caller", age, caller);
    String tenant = caller.actor().tenant();
    return asked(
        caller, () -> queries.begunBefore(tenant, Limits.before(node.now(), age), after, limit));
  }

  @Override
  public List<Instance> children(InstanceId instance, Caller caller) {
    given("instance, caller", instance, caller);
    return asked(caller, () -> queries.children(caller.actor().tenant(), instance, null));
  }

  @Override
  public List<Instance> children(InstanceId instance, Instance after, Caller caller) {
    given("instance, after, caller", instance, after, caller);
    return asked(caller, () -> queries.children(caller.actor().tenant(), instance, after));
  }

  @Override
  public List<HistoryEntry> history(
      InstanceId instance, long fromVersion, int limit, Caller caller) {
    given("instance, caller", instance, caller);
    return history(instance, EntryPlace.before(fromVersion), limit, caller);
  }

  @Override
  public List<HistoryEntry> history(
      InstanceId instance, HistoryEntry after, int limit, Caller caller) {
    given("instance, after, caller", instance, after, caller);
    return history(instance, new EntryPlace(after.version(), after.ordinal()), limit, caller);
  }

  private List<HistoryEntry> history(
      InstanceId instance, EntryPlace place, int limit, Caller caller) {
    String tenant = caller.actor().tenant();
    return asked(caller, () -> queries.history(tenant, instance, place, limit));
  }

  @Override
  public Optional<StateAt> stateAt(InstanceId instance, long version, Caller caller) {
    given("instance, caller", instance, caller);
    String tenant = caller.actor().tenant();
    return asked(
        caller,
        () ->
            Optional.ofNullable(queries.find(tenant, instance))
                .map(found -> queries.stateAt(instance, version)));
  }

  @Override
  public Optional<String> diagram(InstanceId instance, Caller caller) {
    given("instance, caller", instance, caller);
    String tenant = caller.actor().tenant();
    return asked(
        caller,
        () -> Optional.ofNullable(queries.find(tenant, instance)).map(explanations::diagram));
  }

  @Override
  public Optional<Explanation> explain(InstanceId instance, Caller caller) {
    given("instance, caller", instance, caller);
    return asked(
        caller, () -> Optional.ofNullable(explanations.of(caller.actor().tenant(), instance)));
  }

  @Override
  public Instance awaitEnd(InstanceId instance, Duration atMost, Caller caller) {
    given("instance, atMost, caller", instance, atMost, caller);
    gateway.refuseIfClosed();
    node.store().refuseToWaitHere();
    String tenant = caller.actor().tenant();
    try {
      return node.scheduler().await(endNotifier.of(instance, tenant), Limits.patience(atMost));
    } catch (DeadlinePassed e) {
      endNotifier.giveUp(instance, tenant);
      throw e;
    }
  }

  @Override
  public boolean runStep(InstanceId instance, Caller caller) {
    given("instance, caller", instance, caller);
    return stepping.runOne(instance, caller);
  }

  @Override
  public void runUntilWaiting(InstanceId instance, Caller caller) {
    given("instance, caller", instance, caller);
    stepping.runUntilWaiting(instance, caller);
  }

  private <T> T asked(Caller caller, Supplier<T> question) {
    return calls.patience(caller).read(question);
  }
}
