package dev.waymark.engine.internal.lifecycle;

import dev.waymark.core.definition.read.DefinitionParser;
import dev.waymark.core.expression.Expressions;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.NodeId;
import dev.waymark.core.step.Operators;
import dev.waymark.engine.Engine;
import dev.waymark.engine.Settings;
import dev.waymark.engine.bookmark.Retention;
import dev.waymark.engine.callback.Callbacks;
import dev.waymark.engine.callback.Secret;
import dev.waymark.engine.internal.body.ActivityRegistry;
import dev.waymark.engine.internal.body.AfterCommit;
import dev.waymark.engine.internal.body.BodyCalls;
import dev.waymark.engine.internal.body.RunningBodies;
import dev.waymark.engine.internal.body.TransactionalBodies;
import dev.waymark.engine.internal.body.UnknownVisits;
import dev.waymark.engine.internal.bookmark.BookmarkWorkers;
import dev.waymark.engine.internal.bookmark.ClaimBatcher;
import dev.waymark.engine.internal.bookmark.EngineApprovals;
import dev.waymark.engine.internal.bookmark.EngineBookmarks;
import dev.waymark.engine.internal.bookmark.EngineTasks;
import dev.waymark.engine.internal.bookmark.GroupAssigner;
import dev.waymark.engine.internal.bookmark.TaskReader;
import dev.waymark.engine.internal.message.ChildStarts;
import dev.waymark.engine.internal.message.EngineMessages;
import dev.waymark.engine.internal.message.InboxSweep;
import dev.waymark.engine.internal.message.InboxWorker;
import dev.waymark.engine.internal.message.JoinedMessages;
import dev.waymark.engine.internal.message.MessageCorrelator;
import dev.waymark.engine.internal.message.MessageDelivery;
import dev.waymark.engine.internal.message.MessageIntake;
import dev.waymark.engine.internal.message.MessageRepeats;
import dev.waymark.engine.internal.message.MessageStarts;
import dev.waymark.engine.internal.message.QueueReader;
import dev.waymark.engine.internal.message.SignalFanOut;
import dev.waymark.engine.internal.node.DatabaseTime;
import dev.waymark.engine.internal.node.NodeClock;
import dev.waymark.engine.internal.node.StoreCalls;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.node.ThreadScheduler;
import dev.waymark.engine.internal.outbox.OutboxWorker;
import dev.waymark.engine.internal.payload.EnginePayloads;
import dev.waymark.engine.internal.request.CommandGateway;
import dev.waymark.engine.internal.request.EndNotifier;
import dev.waymark.engine.internal.request.EngineBookmarkQueries;
import dev.waymark.engine.internal.request.EngineDefinitions;
import dev.waymark.engine.internal.request.EngineInstances;
import dev.waymark.engine.internal.request.EngineOperations;
import dev.waymark.engine.internal.request.Explanations;
import dev.waymark.engine.internal.request.InstanceMigrations;
import dev.waymark.engine.internal.request.InstanceQueries;
import dev.waymark.engine.internal.request.JoinedSteps;
import dev.waymark.engine.internal.request.JoinedTransactions;
import dev.waymark.engine.internal.request.MissingActivities;
import dev.waymark.engine.internal.request.Requests;
import dev.waymark.engine.internal.request.StandIns;
import dev.waymark.engine.internal.request.StepByStep;
import dev.waymark.engine.internal.row.CheckedCodec;
import dev.waymark.engine.internal.row.RowReader;
import dev.waymark.engine.internal.row.RowWriter;
import dev.waymark.engine.internal.step.CommitListener;
import dev.waymark.engine.internal.step.Committer;
import dev.waymark.engine.internal.step.DeployedDefinitions;
import dev.waymark.engine.internal.step.EngineCommands;
import dev.waymark.engine.internal.step.InstanceLoader;
import dev.waymark.engine.internal.step.Mailboxes;
import dev.waymark.engine.internal.step.PendingCommand;
import dev.waymark.engine.internal.step.StateReader;
import dev.waymark.engine.internal.step.UnreadableRows;
import dev.waymark.engine.internal.time.DueLook;
import dev.waymark.engine.internal.time.DueWakeUp;
import dev.waymark.engine.internal.time.DueWorker;
import dev.waymark.engine.internal.time.EngineHousekeeping;
import dev.waymark.engine.internal.time.EngineSchedules;
import dev.waymark.engine.internal.time.ExpiryDuty;
import dev.waymark.engine.internal.time.HousekeepingDuty;
import dev.waymark.engine.internal.time.KnownTimers;
import dev.waymark.engine.internal.time.LateTimerCheck;
import dev.waymark.engine.internal.time.ReadyDuty;
import dev.waymark.engine.internal.time.ScheduleChanges;
import dev.waymark.engine.internal.time.ScheduleDuty;
import dev.waymark.engine.internal.time.ScheduleRows;
import dev.waymark.engine.internal.time.ScheduleStarts;
import dev.waymark.engine.internal.time.TimerDuty;
import dev.waymark.engine.message.Subscription;
import dev.waymark.engine.queue.Binding;
import dev.waymark.engine.queue.MessageQueue;
import dev.waymark.engine.spi.CrashPoints;
import dev.waymark.engine.spi.DocumentCodec;
import dev.waymark.engine.spi.IdSource;
import dev.waymark.engine.spi.PeopleDirectory;
import dev.waymark.engine.spi.Scheduler;
import dev.waymark.engine.store.Store;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds an engine and connects its parts, room by room, from the floor up. This class shows which
 * part knows which, and which parts hear of a commit: parts are connected nowhere else.
 *
 * <p>A few parts need one that is built after them. They get a lambda that finds it when it is
 * called, which is never before the engine starts.
 */
public final class Assembly {

  private static final Logger log = LoggerFactory.getLogger(Assembly.class);

  /** All options that an application can set. */
  public record EngineOptions(
      Store store,
      ActivityRegistry activities,
      List<Subscription> subscriptions,
      Secrets secrets,
      Map<Binding, MessageQueue> queues,
      Policies policies,
      Seams seams) {}

  /** The secrets of callbacks: those that seal tokens, and those of partners, by their names. */
  public record Secrets(List<Secret> seals, Map<String, Secret> senders) {}

  /** The options that say how this engine behaves. */
  public record Policies(
      String name,
      Settings settings,
      PeopleDirectory directory,
      Retention retention,
      Operators operators,
      DocumentCodec codec) {}

  /** The parts of the outside world that tests replace; absent for the real ones. */
  public record Seams(
      @Nullable Scheduler scheduler,
      @Nullable InstantSource clock,
      @Nullable IdSource ids,
      CrashPoints crash) {}

  private final EngineOptions options;
  private final Policies policies;
  private final IdSource ids;

  // The floor: this process.
  private final ThisNode node;
  private final DatabaseTime databaseTime;
  private final StoreCalls calls;
  private final UnreadableRows unreadable;

  // Payload: contents outside of documents.
  private final EnginePayloads payloads;

  // Step: one instance moves.
  private final RowReader reader;
  private final RowWriter writer;
  private final DeployedDefinitions definitions;
  private final InstanceLoader loader;
  private final Committer committer;
  private final Mailboxes mailboxes;
  private final EngineCommands commands;

  // Body: user code.
  private final UnknownVisits unknownVisits;
  private final RunningBodies bodies;

  // Request: callers' commands and questions.
  private final Requests requests;
  private final StandIns standIns;
  private final EngineBookmarkQueries bookmarkQueries;
  private final CommandGateway gateway;
  private final InstanceQueries instanceQueries;
  private final EndNotifier endNotifier;

  // Message: from run to run and from outside.
  private final MessageRepeats repeats;
  private final MessageStarts messageStarts;
  private final MessageDelivery messageDelivery;
  private final MessageCorrelator correlator;
  private final InboxSweep sweep;
  private final InboxWorker inbox;
  private final MessageIntake messageIntake;

  // Outbox.
  private final OutboxWorker outbox;

  // Time.
  private final KnownTimers knownTimers;
  private final DueWorker timers;
  private final DueWorker ready;
  private final DueWorker expiry;
  private final LateTimerCheck lateTimers;
  private final ScheduleRows scheduleRows;
  private final ScheduleStarts scheduleStarts;
  private final DueWorker schedules;
  private final DueLook dueLook;
  private final EngineHousekeeping housekeeping;

  // Bookmark: waits in the hands of people and programs.
  private final ClaimBatcher claims;
  private final BookmarkWorkers bookmarkWorkers;
  private final GroupAssigner assigner;

  // Lifecycle.
  private final Takeover takeover;
  private final NodeLease lease;
  private final AfterCommit afterCommit;
  private final BackgroundWork workers;

  /** Brings the schema up to date, joins the other nodes and begins to work. */
  public static Engine start(EngineOptions options) {
    options.store().migrate();
    options.store().checkPlans().forEach(doubt -> log.warn("{}", doubt));
    return new Assembly(options).started();
  }

  private Assembly(EngineOptions options) {
    this.options = options;
    policies = options.policies();
    Store store = options.store();
    Seams seams = options.seams();

    InstantSource clock;
    if (seams.clock() == null) {
      NodeClock following = new NodeClock(InstantSource.system(), System::nanoTime);
      clock = following;
      databaseTime = following;
    } else {
      clock = seams.clock();
      databaseTime = DatabaseTime.SAME_CLOCK;
    }
    ids = seams.ids() == null ? IdSource.timeOrdered(clock) : seams.ids();
    Scheduler scheduler = seams.scheduler() == null ? new ThreadScheduler() : seams.scheduler();
    node =
        new ThisNode(
            store, scheduler, clock, policies.settings(), seams.crash(), new NodeId(ids.next()));
    calls = new StoreCalls(node);
    unreadable = new UnreadableRows(clock);
    payloads = new EnginePayloads(node, calls, ids);

    DocumentCodec codec = new CheckedCodec(policies.codec());
    reader = new RowReader(codec);
    writer = new RowWriter(codec, options.subscriptions());
    definitions =
        new DeployedDefinitions(
            store,
            new DefinitionParser(options.activities().types(), new Expressions()),
            clock,
            unreadable,
            () -> inbox().startersChanged());
    loader = new InstanceLoader(store, scheduler);
    committer = new Committer(node, writer, () -> takeover().audit());
    mailboxes =
        new Mailboxes(
            node,
            new StateReader(node, loader, reader, definitions, unreadable),
            definitions,
            policies.operators(),
            committer,
            () -> lease().renew());
    commands = new EngineCommands(node, mailboxes);

    unknownVisits = new UnknownVisits(node);
    bodies = bodies();

    requests = new Requests(node, definitions, ids, payloads.door());
    standIns = new StandIns(node, policies.directory());
    bookmarkQueries = new EngineBookmarkQueries(node, calls, reader, unreadable);
    gateway =
        new CommandGateway(node, commands, committer, loader, calls, bookmarkQueries, requests);
    instanceQueries = new InstanceQueries(store, reader, unreadable);
    endNotifier = new EndNotifier(node, mailboxes, loader, reader);

    repeats = new MessageRepeats(reader, unreadable);
    messageStarts = new MessageStarts(node, commands, definitions, reader, writer, unreadable);
    correlator = new MessageCorrelator(node, commands, reader, unreadable, messageStarts);
    messageDelivery = delivery();
    sweep = new InboxSweep(node, messageDelivery, correlator);
    inbox = new InboxWorker(node, messageDelivery, correlator, sweep);
    messageIntake = new MessageIntake(node, writer, payloads.door(), repeats, inbox::received);

    outbox = new OutboxWorker(node, reader, writer, unreadable, options.subscriptions());

    knownTimers = new KnownTimers(node, new TimerDuty(node, commands, unreadable), databaseTime);
    timers = new DueWorker(node, knownTimers);
    ready = new DueWorker(node, new ReadyDuty(node, bodies, commands, unreadable, unknownVisits));
    expiry = new DueWorker(node, new ExpiryDuty(node, commands, unreadable));
    lateTimers = new LateTimerCheck(node);
    scheduleRows = new ScheduleRows(codec);
    scheduleStarts = new ScheduleStarts(node, commands, requests);
    schedules =
        new DueWorker(
            node, new ScheduleDuty(node, calls, unreadable, scheduleRows, scheduleStarts));
    dueLook =
        new DueLook(node, bodies, new DueLook.DueWorkers(timers, ready, expiry, schedules), outbox);
    housekeeping = new EngineHousekeeping(node, calls, policies.retention());

    claims = new ClaimBatcher(node, calls, mailboxes, reader, unreadable);
    bookmarkWorkers =
        new BookmarkWorkers(node, claims, commands, reader, writer, calls, payloads.door());
    assigner = new GroupAssigner(node, commands, policies.directory());

    takeover = new Takeover(node, bodies, commands, unreadable);
    lease = new NodeLease(node, ids, policies.name(), databaseTime, bodies, takeover, inbox::sweep);
    afterCommit = new AfterCommit(node, bodies, commitListeners());
    mailboxes.connect(afterCommit);
    workers = workers();
  }

  /** The listeners of a commit, in the order in which they are told. */
  private List<CommitListener> commitListeners() {
    return List.of(
        new DueWakeUp(timers, knownTimers, ready, expiry),
        inbox,
        outbox,
        endNotifier,
        assigner,
        bookmarkWorkers);
  }

  private RunningBodies bodies() {
    TransactionalBodies transactional =
        new TransactionalBodies(
            node,
            definitions,
            reader,
            committer,
            mailboxes,
            () -> takeover().audit(),
            () -> afterCommit().missed());
    return new RunningBodies(
        node,
        commands,
        definitions,
        mailboxes,
        new BodyCalls(node, commands, options.activities(), transactional, unknownVisits, payloads),
        () -> ready().wakeAt(node.now()));
  }

  private MessageDelivery delivery() {
    ChildStarts children =
        new ChildStarts(
            node,
            commands,
            definitions,
            unreadable,
            writer,
            new ChildStarts.RefusedChildren() {
              @Override
              public void told(Message word, Consumer<PendingCommand.Outcome> ended) {
                deliveryItself().deliver(word, ended);
              }

              @Override
              public void before(String tenant, InstanceId parent) {
                inbox().awaits(tenant, parent);
              }
            });
    SignalFanOut signals =
        new SignalFanOut(
            node,
            reader,
            unreadable,
            (signal, ended) -> deliveryItself().deliver(signal, ended),
            () -> inbox().missed());
    return new MessageDelivery(commands, reader, unreadable, children, signals);
  }

  private BackgroundWork workers() {
    return new BackgroundWork(
        node,
        bodies,
        mailboxes,
        bookmarkWorkers,
        inbox,
        List.of(
            knownTimers,
            timers,
            lateTimers,
            ready,
            expiry,
            schedules,
            new HousekeepingDuty(node, housekeeping)),
        List.of(dueLook, outbox, takeover, lease));
  }

  // Parts that are found later.

  private InboxWorker inbox() {
    return inbox;
  }

  private MessageDelivery deliveryItself() {
    return messageDelivery;
  }

  private Takeover takeover() {
    return takeover;
  }

  private NodeLease lease() {
    return lease;
  }

  private AfterCommit afterCommit() {
    return afterCommit;
  }

  private DueWorker ready() {
    return ready;
  }

  private Engine started() {
    MissingActivities implementations =
        new MissingActivities(node, definitions, options.activities());
    EngineMessages messages =
        new EngineMessages(node, calls, reader, writer, unreadable, messageIntake, messageStarts);
    Lifecycle life = life(messages);
    try {
      life.start();
    } catch (RuntimeException | Error fault) {
      abandon(life, fault);
      throw fault;
    }
    node.scheduler().execute(implementations::report);
    return new RunningEngine(
        node,
        new RunningEngine.Subjects(
            new EngineDefinitions(definitions, calls, instanceQueries, implementations),
            instances(),
            new EngineOperations(
                node,
                gateway,
                calls,
                new InstanceMigrations(node, calls, commands, definitions, reader, unreadable, ids),
                lateTimers::health,
                unreadable),
            waits(),
            messages,
            new Callbacks(
                options.secrets().seals(),
                options.secrets().senders(),
                node::now,
                messages::receiveOwn),
            payloads,
            new EngineSchedules(
                node,
                calls,
                definitions,
                unreadable,
                ids,
                scheduleRows,
                new ScheduleChanges(node, scheduleRows, scheduleStarts, schedules))),
        transactions(),
        bookmarkWorkers,
        () ->
            new Engine.Load(committer.queued(), bodies.size(), mailboxes.size(), bodies.hanging()),
        life);
  }

  private Lifecycle life(EngineMessages messages) {
    List<QueueReader> queues = new ArrayList<>();
    options
        .queues()
        .forEach((binding, queue) -> queues.add(new QueueReader(messages, queue, binding)));
    boolean ownsScheduler = options.seams().scheduler() == null;
    return new Lifecycle(node, workers, queues, gateway, calls, endNotifier, ownsScheduler);
  }

  private static void abandon(Lifecycle life, Throwable fault) {
    try {
      life.abandon();
    } catch (RuntimeException also) {
      fault.addSuppressed(also);
    }
  }

  private EngineInstances instances() {
    return new EngineInstances(
        node,
        gateway,
        calls,
        instanceQueries,
        new Explanations(node, definitions, policies.operators(), instanceQueries),
        endNotifier,
        new StepByStep(node, calls, commands, instanceQueries, endNotifier));
  }

  private RunningEngine.WaitVerbs waits() {
    EngineBookmarks bookmarks =
        new EngineBookmarks(node, calls, writer, claims, gateway, bookmarkQueries, housekeeping);
    return new RunningEngine.WaitVerbs(
        bookmarks,
        new EngineTasks(
            node,
            policies.operators(),
            gateway,
            bookmarks,
            new TaskReader(node, calls, instanceQueries, reader, unreadable),
            standIns),
        new EngineApprovals(calls, gateway, instanceQueries, standIns));
  }

  private JoinedTransactions transactions() {
    return new JoinedTransactions(
        node,
        requests,
        standIns,
        new JoinedSteps(node, definitions, reader, committer, mailboxes),
        new JoinedMessages(node, writer, payloads.door(), repeats),
        afterCommit);
  }
}
