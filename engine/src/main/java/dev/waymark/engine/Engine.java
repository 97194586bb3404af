package dev.waymark.engine;

import static dev.waymark.core.Arguments.given;

import dev.waymark.core.Limits;
import dev.waymark.core.definition.Definition;
import dev.waymark.core.diagram.Svg;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.NodeId;
import dev.waymark.core.step.Correction;
import dev.waymark.core.step.Explanation;
import dev.waymark.core.step.InterventionAction;
import dev.waymark.core.step.Unit;
import dev.waymark.engine.callback.Callbacks;
import dev.waymark.engine.flow.Flow;
import dev.waymark.engine.store.Duties;
import dev.waymark.engine.store.Instances.EntryPlace;
import dev.waymark.engine.store.Instances.Filter;
import dev.waymark.engine.store.Instances.StateCount;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.StoreException;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A durable workflow engine in your process. Everything it acknowledges is committed.
 *
 * <p>Made by {@link EngineBuilder}; closed when the process ends, so that other nodes need not wait
 * for its lease to lapse.
 */
public final class Engine implements AutoCloseable {

  private final Parts parts;
  private final Node node;
  private final FrontDesk desk;
  private final Requests requests;
  private final Operations operations;
  private final Archive archive;
  private final Endings endings;
  private final Aftermath aftermath;

  Engine(Parts parts) {
    this.parts = parts;
    this.node = parts.node();
    this.desk = parts.desk();
    this.requests = desk.requests();
    this.operations = new Operations(desk);
    this.archive = parts.archive();
    this.endings = parts.endings();
    this.aftermath = parts.aftermath();
  }

  /** What an engine is made of. */
  record Parts(
      Node node,
      FrontDesk desk,
      Archive archive,
      Explanations explanations,
      Workers workers,
      Endings endings,
      Stepping stepping,
      Migrations migrations,
      Implementations implementations,
      Bookmarks bookmarks,
      Scheduling scheduling,
      Tasks tasks,
      Approvals approvals,
      Messages messages,
      Callbacks callbacks,
      Aftermath aftermath,
      Deployments definitions,
      UnreadableRows unreadable,
      StoreCalls calls,
      BookmarkWorkers programs,
      OverdueTimers overdue,
      Bodies bodies,
      Mailboxes mailboxes,
      Committer committer,
      Joined.Surroundings joining,
      List<QueueReader> queues,
      boolean ownsScheduler) {}

  public static EngineBuilder builder(Store store) {
    given("store", store);
    return new EngineBuilder(store);
  }

  public NodeId node() {
    return node.id();
  }

  // ---- definitions

  /**
   * Checks a definition and stores it as a version of its key. The same text again is the same
   * version.
   *
   * @throws dev.waymark.core.definition.InvalidDefinition with every fault and its path
   */
  public Definition deploy(String text, Caller caller) {
    return deploy(text, true, caller);
  }

  /**
   * The same for a version that new runs do not get before it is activated.
   *
   * @param activate whether new runs get it from now on, if it is a new version
   */
  public Definition deploy(String text, boolean activate, Caller caller) {
    given("text, caller", text, caller);
    String tenant = caller.actor().tenant();
    return parts
        .definitions()
        .deploy(tenant, text, caller.actor().id(), activate, parts.calls().patience(caller));
  }

  /** New runs that name no version get this one from now on. Also brings a retired one back. */
  public void activate(String key, int version, Caller caller) {
    given("key, caller", key, caller);
    parts
        .definitions()
        .activate(caller.actor().tenant(), key, version, parts.calls().patience(caller));
  }

  /** No run begins on this version any more; those that have begun stay on it. */
  public void retire(String key, int version, Caller caller) {
    given("key, caller", key, caller);
    parts
        .definitions()
        .retire(caller.actor().tenant(), key, version, parts.calls().patience(caller));
  }

  /** The versions of a definition, the newest first. */
  public List<DeployedVersion> versions(String key, Caller caller) {
    given("key, caller", key, caller);
    return asked(caller, () -> parts.definitions().versions(caller.actor().tenant(), key));
  }

  /**
   * Deploys a definition that was written in Java, as its text in YAML. Its lambdas must be known
   * to this engine: see {@link EngineBuilder#flow}.
   */
  public Definition deploy(Flow flow, Caller caller) {
    given("flow, caller", flow, caller);
    return deploy(flow.toYaml(), caller);
  }

  public Optional<Definition> definition(String key, @Nullable Integer version, Caller caller) {
    given("key, caller", key, caller);
    return asked(
        caller,
        () -> Optional.ofNullable(parts.definitions().find(caller.actor().tenant(), key, version)));
  }

  /** The definition of an instance, in the version that it runs on now. */
  public Optional<Definition> definitionOf(InstanceId instance, Caller caller) {
    return find(instance, caller)
        .map(found -> parts.definitions().byId(found.origin().definition()));
  }

  /** What a migration would do to every live run of a version; nothing is changed. */
  public MigrationReport checkMigration(MigrationRequest request, Caller caller) {
    given("request, caller", request, caller);
    return parts.migrations().check(request, caller);
  }

  /** Moves the live runs of a version to another one; asked for again, it moves what is left. */
  public MigrationReport migrate(MigrationRequest request, Caller caller) {
    given("request, caller", request, caller);
    return parts.migrations().migrate(request, caller, report -> {});
  }

  /** The same, telling after every page how far it is. */
  public MigrationReport migrate(
      MigrationRequest request, Caller caller, Consumer<MigrationReport> progress) {
    given("request, caller, progress", request, caller, progress);
    return parts.migrations().migrate(request, caller, progress);
  }

  /** What live runs of any tenant may come to and this process has no code for. */
  public List<MissingActivity> missingActivities() {
    return parts.implementations().missing();
  }

  /**
   * Stored rows of any tenant that this process could not read or act on, the one seen longest ago
   * first. They are left as they are, nothing else waits for them, and a row that can be read again
   * is no longer among them. Empty if all is well.
   */
  public List<UnreadableRow> unreadable() {
    return parts.unreadable().list();
  }

  /** Definitions that are started again and again, on a cron expression or at an interval. */
  public Scheduling schedules() {
    return parts.scheduling();
  }

  // ---- runs

  public Answer start(StartRequest request, Caller caller) {
    given("request, caller", request, caller);
    desk.refuseIfClosed();
    Instant begun = node.now();
    return switch (prepared(request, caller)) {
      case Requests.Start.Of(Requests.Prepared prepared) ->
          desk.ask(prepared, TimedQuestions.left(caller, begun, node.now()));
      case Requests.Start.Not(Answer.Refused refused) -> refused;
    };
  }

  public CompletableFuture<Answer> startAsync(StartRequest request, Caller caller) {
    given("request, caller", request, caller);
    desk.refuseIfClosed();
    return switch (prepared(request, caller)) {
      case Requests.Start.Of(Requests.Prepared prepared) -> desk.askAsync(prepared, caller);
      case Requests.Start.Not(Answer.Refused refused) -> CompletableFuture.completedFuture(refused);
    };
  }

  /** A start of a definition that this node has just seen needs no look into the store. */
  private Requests.Start prepared(StartRequest request, Caller caller) {
    return requests.knows(request, caller)
        ? requests.startOrRefuse(request, caller)
        : asked(caller, () -> requests.startOrRefuse(request, caller));
  }

  private <T> T asked(Caller caller, Supplier<T> question) {
    return parts.calls().patience(caller).read(question);
  }

  /** Answers an open bookmark on which nobody, or the caller, holds a lease. */
  public Answer resume(
      BookmarkId bookmark, Map<String, ? extends @Nullable Object> payload, Caller caller) {
    given("bookmark, payload, caller", bookmark, payload, caller);
    return desk.ask(requests.resume(bookmark, null, payload, caller), caller);
  }

  /** Answers a bookmark that the caller has claimed, with the fence of its claim. */
  public Answer resume(
      BookmarkId bookmark,
      long fence,
      Map<String, ? extends @Nullable Object> payload,
      Caller caller) {
    given("bookmark, payload, caller", bookmark, payload, caller);
    return desk.ask(requests.resume(bookmark, fence, payload, caller), caller);
  }

  public CompletableFuture<Answer> resumeAsync(
      BookmarkId bookmark, Map<String, ? extends @Nullable Object> payload, Caller caller) {
    given("bookmark, payload, caller", bookmark, payload, caller);
    return desk.askAsync(requests.resume(bookmark, null, payload, caller), caller);
  }

  // ---- operators

  public Answer cancel(InstanceId instance, String reason, Caller caller) {
    given("instance, reason, caller", instance, reason, caller);
    return operations.cancel(instance, reason, false, caller);
  }

  /** Undoes what the instance has completed, as its definition says, and ends it then. */
  public Answer cancelAndCompensate(InstanceId instance, String reason, Caller caller) {
    given("instance, reason, caller", instance, reason, caller);
    return operations.cancel(instance, reason, true, caller);
  }

  /** Puts a run right by hand: its variables, or where it stands. */
  public Answer edit(InstanceId instance, Correction correction, String reason, Caller caller) {
    given("instance, correction, reason, caller", instance, correction, reason, caller);
    return operations.edit(instance, correction, reason, caller);
  }

  /** Lets an open timer fire now, as its due time would. */
  public Answer fireTimer(BookmarkId timer, String reason, Caller caller) {
    given("timer, reason, caller", timer, reason, caller);
    return rescheduleTimer(timer, node.now(), reason, caller);
  }

  /** Gives an open timer another due time. What it was for stays what it was. */
  public Answer rescheduleTimer(BookmarkId timer, Instant due, String reason, Caller caller) {
    given("timer, due, reason, caller", timer, due, reason, caller);
    return edit(timer.instance(), new Correction.RescheduleTimer(timer, due), reason, caller);
  }

  /**
   * Open timers that are due within a while, the longest due first. What is overdue is among them:
   * nothing but a warning comes of that, and it fires as soon as a node gets to it.
   */
  public List<Duties.Timer> timersDueWithin(Duration time, int limit, Caller caller) {
    given("time, caller", time, caller);
    String tenant = caller.actor().tenant();
    int page = Limits.page(limit);
    return asked(caller, () -> node.store().duties().timers(tenant, node.now().plus(time), page));
  }

  /**
   * Whether timers fire when they are due, of all tenants; the same that is warned of in the log.
   */
  public TimerHealth timerHealth() {
    return parts.overdue().health();
  }

  /** Holds an instance: what runs is let finish, nothing new starts. */
  public Answer suspend(InstanceId instance, String reason, Caller caller) {
    given("instance, reason, caller", instance, reason, caller);
    return operations.suspend(instance, reason, caller);
  }

  /** Lets a held instance go on. */
  public Answer continueInstance(InstanceId instance, String reason, Caller caller) {
    given("instance, reason, caller", instance, reason, caller);
    return operations.letGo(instance, reason, caller);
  }

  /** Resolves an intervention: somebody has looked at what is parked. */
  public Answer intervene(
      BookmarkId bookmark, InterventionAction action, String reason, Caller caller) {
    return intervene(bookmark, action, Map.of(), reason, caller);
  }

  /** The same with values: the result of a skipped activity, or variables to set before a retry. */
  public Answer intervene(
      BookmarkId bookmark,
      InterventionAction action,
      Map<String, ? extends @Nullable Object> values,
      String reason,
      Caller caller) {
    given("bookmark, action, values, reason, caller", bookmark, action, values, reason, caller);
    return operations.intervene(bookmark, null, action, values, reason, caller);
  }

  /** The same for who has claimed it, with the fence of the claim. */
  public Answer intervene(
      BookmarkId bookmark,
      long fence,
      InterventionAction action,
      Map<String, ? extends @Nullable Object> values,
      String reason,
      Caller caller) {
    given("bookmark, action, values, reason, caller", bookmark, action, values, reason, caller);
    return operations.intervene(bookmark, fence, action, values, reason, caller);
  }

  // ---- messages

  /** Messages and signals from outside, and what waits for whom. */
  public Messages messages() {
    return parts.messages();
  }

  /** What partners send back to waits for a webhook. */
  public Callbacks callbacks() {
    return parts.callbacks();
  }

  /** The same as {@link Messages#send}. */
  public boolean send(
      InstanceId to,
      String name,
      Map<String, ? extends @Nullable Object> payload,
      String source,
      String id,
      Caller caller) {
    given("to, name, payload, source, id, caller", to, name, payload, source, id, caller);
    return parts.messages().send(to, name, payload, source, id, caller);
  }

  /** The same as {@link Messages#signal}. */
  public boolean signal(
      String name,
      Map<String, ? extends @Nullable Object> payload,
      String source,
      String id,
      Caller caller) {
    given("name, payload, source, id, caller", name, payload, source, id, caller);
    return parts.messages().signal(name, payload, source, id, caller);
  }

  // ---- waits

  /** What people see of their work and do about it. */
  public Tasks tasks() {
    return parts.tasks();
  }

  /** Votes on parts.approvals(). */
  public Approvals approvals() {
    return parts.approvals();
  }

  /** Waits in the hands of people and programs: claims, leases, answers, and questions. */
  public Bookmarks bookmarks() {
    return parts.bookmarks();
  }

  /**
   * A program that answers waits of a kind, for all tenants in turns: {@code
   * engine.worker(kind).concurrency(10).handle(work -> …)}.
   */
  public WorkerBuilder worker(BookmarkKind kind) {
    given("kind", kind);
    return new WorkerBuilder(
        kind,
        "worker@" + node.id(),
        plan -> {
          desk.refuseIfClosed();
          return parts.programs().start(plan);
        });
  }

  // ---- in a transaction

  /** Takes part in a transaction of yours, on your connection; autocommit must be off. */
  public Joined joining(Connection connection) {
    given("connection", connection);
    return new Joined(parts.joining(), connection, aftermath.joined());
  }

  /**
   * Runs your work and the engine's in one transaction of the engine's store. On SQLite this is the
   * only way: the engine's writer is the one writer.
   */
  public <T> T inTransaction(JoinedWork<T> work) {
    given("work", work);
    Committed committed = new Committed();
    T result;
    try {
      result =
          node.store()
              .inTransaction(
                  connection -> work.run(new Joined(parts.joining(), connection, committed)));
    } catch (StoreException e) {
      if (e.kind() == StoreException.Kind.UNKNOWN_OUTCOME) {
        // It may be committed, or be so in a moment: then what follows from it must be found.
        committed.tell(aftermath.joined());
        aftermath.missed();
      }
      throw e;
    }
    committed.tell(aftermath.committed());
    return result;
  }

  /** What a transaction of the engine's store will have written once it commits. */
  private static final class Committed implements Joined.Written {

    private final List<Unit> units = new ArrayList<>();
    private final List<Message> messages = new ArrayList<>();

    @Override
    public void unit(Unit unit) {
      units.add(unit);
    }

    @Override
    public void message(Message message) {
      messages.add(message);
    }

    void tell(Joined.Written listener) {
      units.forEach(listener::unit);
      messages.forEach(listener::message);
    }
  }

  /** What is done in a transaction that the engine takes part in. */
  @FunctionalInterface
  public interface JoinedWork<T> {
    T run(Joined engine) throws Exception;
  }

  // ---- questions

  public Optional<Instance> find(InstanceId instance, Caller caller) {
    given("instance, caller", instance, caller);
    return asked(
        caller, () -> Optional.ofNullable(archive.find(caller.actor().tenant(), instance)));
  }

  /** A page of instances, from the newest to the oldest, without their variables. */
  public List<Instance> list(InstanceQuery query, Caller caller) {
    given("query, caller", query, caller);
    Filter filter =
        new Filter(
            caller.actor().tenant(),
            query.status() == null ? null : Codes.of(query.status()),
            query.definition(),
            query.businessKey(),
            query.correlationId(),
            query.labels(),
            query.suspended(),
            query.begun(),
            query.after(),
            query.limit());
    return asked(caller, () -> archive.list(filter));
  }

  /**
   * The live runs of the caller's tenant, counted for each version of a definition: running, parked
   * and held. What it costs grows with the runs that are alive; ended ones are not counted, because
   * they only become more.
   */
  public List<StateCount> counts(Caller caller) {
    given("caller", caller);
    return asked(caller, () -> node.store().instances().count(caller.actor().tenant()));
  }

  /**
   * Runs that began before so long a time and have not ended, the oldest first. Nothing happens to
   * them: only time-outs that a definition declares do anything.
   */
  public List<Instance> longRunning(
      Duration age, @Nullable InstanceId after, int limit, Caller caller) {
    given("age, caller", age, caller);
    String tenant = caller.actor().tenant();
    return asked(caller, () -> archive.begunBefore(tenant, node.now().minus(age), after, limit));
  }

  /** The first children of an instance, in the order of the visits that asked for them. */
  public List<Instance> children(InstanceId instance, Caller caller) {
    given("instance, caller", instance, caller);
    return asked(caller, () -> archive.children(caller.actor().tenant(), instance, null));
  }

  /** The next children of an instance, after the last one of the page before. */
  public List<Instance> children(InstanceId instance, Instance after, Caller caller) {
    given("instance, after, caller", instance, after, caller);
    return asked(caller, () -> archive.children(caller.actor().tenant(), instance, after));
  }

  /**
   * The first entries of an instance's history from a step on. A page ends after so many entries,
   * or earlier if they are large, also in the middle of a step: {@link #history(InstanceId,
   * HistoryEntry, int, Caller)} goes on behind its last entry.
   */
  public List<HistoryEntry> history(
      InstanceId instance, long fromVersion, int limit, Caller caller) {
    given("instance, caller", instance, caller);
    return history(instance, EntryPlace.before(fromVersion), limit, caller);
  }

  /** The entries behind the last one of the page before; none if there is nothing more. */
  public List<HistoryEntry> history(
      InstanceId instance, HistoryEntry after, int limit, Caller caller) {
    given("instance, after, caller", instance, after, caller);
    return history(instance, new EntryPlace(after.version(), after.ordinal()), limit, caller);
  }

  private List<HistoryEntry> history(
      InstanceId instance, EntryPlace place, int limit, Caller caller) {
    String tenant = caller.actor().tenant();
    return asked(caller, () -> archive.history(tenant, instance, place, limit));
  }

  /** The instance as it was after the given step. */
  public Optional<StateAt> stateAt(InstanceId instance, long version, Caller caller) {
    given("instance, caller", instance, caller);
    String tenant = caller.actor().tenant();
    return asked(
        caller,
        () ->
            Optional.ofNullable(archive.find(tenant, instance))
                .map(found -> archive.stateAt(instance, version)));
  }

  /** An SVG image of where an instance stands in its definition, and of what it has behind it. */
  public Optional<String> diagram(InstanceId instance, Caller caller) {
    given("instance, caller", instance, caller);
    String tenant = caller.actor().tenant();
    return asked(
        caller, () -> Optional.ofNullable(archive.find(tenant, instance)).map(this::diagram));
  }

  private String diagram(Instance found) {
    return Svg.of(
        parts.definitions().byId(found.origin().definition()),
        found,
        archive.completed(found.id()));
  }

  /** Why an instance stands where it stands: what it waits for, who can move it, and how. */
  public Optional<Explanation> explain(InstanceId instance, Caller caller) {
    given("instance, caller", instance, caller);
    return asked(
        caller,
        () -> Optional.ofNullable(parts.explanations().of(caller.actor().tenant(), instance)));
  }

  /** Waits until an instance has ended, here or on another node. */
  public Instance awaitEnd(InstanceId instance, Duration atMost, Caller caller) {
    given("instance, atMost, caller", instance, atMost, caller);
    desk.refuseIfClosed();
    node.store().refuseToWaitHere();
    String tenant = caller.actor().tenant();
    try {
      return node.scheduler().await(endings.of(instance, tenant), atMost);
    } catch (DeadlinePassed e) {
      endings.giveUp(instance, tenant);
      throw e;
    }
  }

  // ---- step by step

  /**
   * Runs the next ready body of an instance and commits its result. For engines built {@code
   * stepByStep}, where nothing else runs bodies.
   *
   * @return false if nothing is ready
   */
  public boolean runStep(InstanceId instance, Caller caller) {
    given("instance, caller", instance, caller);
    node.store().refuseToWaitHere();
    return parts.stepping().runOne(instance, caller.actor().tenant(), requests.timeout(caller));
  }

  /** Runs bodies of an instance until it waits for something else or has ended. */
  public void runUntilWaiting(InstanceId instance, Caller caller) {
    given("instance, caller", instance, caller);
    node.store().refuseToWaitHere();
    parts.stepping().runUntilWaiting(instance, caller.actor().tenant(), requests.timeout(caller));
  }

  // ---- life

  void startQueues() {
    parts.queues().forEach(QueueReader::start);
  }

  /** Commands that wait to be written, bodies that run, instances this node is busy with. */
  public Load load() {
    return new Load(parts.committer().queued(), parts.bodies().size(), parts.mailboxes().size());
  }

  public record Load(int queued, int bodies, int instances) {}

  /**
   * Stops taking work, lets what runs finish for a while and gives the rest back, says good-bye to
   * the other nodes, and closes the store.
   */
  @Override
  public void close() {
    parts.queues().forEach(QueueReader::stop);
    parts.workers().drain();
    stop();
    node.store().close();
  }

  /** Gives back what a start that failed has taken. The store is still its caller's. */
  void abandon() {
    parts.queues().forEach(QueueReader::stop);
    parts.workers().drain();
    stop();
  }

  private void stop() {
    if (parts.ownsScheduler()) {
      node.scheduler().close();
    }
    desk.close();
    parts.calls().close();
    endings.close();
  }
}
