package dev.waymark.engine;

import dev.waymark.core.definition.DefinitionParser;
import dev.waymark.core.expression.Expressions;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.NodeId;
import dev.waymark.core.step.Operators;
import dev.waymark.engine.callback.Callbacks;
import dev.waymark.engine.callback.Secret;
import dev.waymark.engine.queue.Binding;
import dev.waymark.engine.queue.MessageQueue;
import dev.waymark.engine.store.Nodes;
import dev.waymark.engine.store.Store;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds an engine and connects its parts, room by room, from the floor up. Whoever wants to know
 * which part knows which, or who hears of a commit, reads it here: parts are connected nowhere
 * else.
 *
 * <p>A few parts need one that is built after them. They get a lambda that finds it when it is
 * called, which is never before the engine starts.
 */
final class Assembly {

  private static final Logger log = LoggerFactory.getLogger(Assembly.class);

  /** Everything that an application can choose. */
  record Options(
      Store store,
      ActivityRegistry activities,
      List<Subscription> subscriptions,
      Secrets secrets,
      Map<Binding, MessageQueue> queues,
      Policies policies,
      Seams seams) {}

  /** The secrets of callbacks: those that seal tokens, and those of partners, by their names. */
  record Secrets(List<Secret> seals, Map<String, Secret> senders) {}

  /** How this engine behaves. */
  record Policies(
      String name,
      Settings settings,
      Directory directory,
      Retention retention,
      Operators operators,
      DocumentCodec codec) {}

  /** What tests put in the place of the world; absent for the world itself. */
  record Seams(
      @Nullable Scheduler scheduler,
      @Nullable InstantSource clock,
      @Nullable IdSource ids,
      CrashPoints crash) {}

  private final Options options;
  private final Policies policies;
  private final IdSource ids;

  // The floor: this process.
  private final Node node;
  private final UnaryOperator<Supplier<Nodes.Renewal>> followedClock;
  private final StoreCalls calls;
  private final UnreadableRows unreadable;

  // Step: one instance moves.
  private final RowReader reader;
  private final RowWriter writer;
  private final Deployments definitions;
  private final Loader loader;
  private final Committer committer;
  private final Mailboxes mailboxes;
  private final EngineCommands commands;

  // Body: user code.
  private final Bodies bodies;

  // Request: callers' commands and questions.
  private final Requests requests;
  private final EngineWaitLookup lookup;
  private final FrontDesk desk;
  private final Archive archive;
  private final Endings endings;

  // Message: from run to run and from outside.
  private final MessageRepeats repeats;
  private final MessageStarts messageStarts;
  private final Courier courier;
  private final Correlator correlator;
  private final InboxSweep sweep;
  private final InboxWorker inbox;
  private final Reception reception;

  // Outbox.
  private final OutboxWorker outbox;

  // Time.
  private final DueWorker timers;
  private final DueWorker ready;
  private final DueWorker expiry;
  private final OverdueTimers overdue;
  private final ScheduleRows scheduleRows;
  private final ScheduleStarts scheduleStarts;
  private final DueWorker schedules;
  private final EngineHousekeeping housekeeping;

  // Bookmark: waits in the hands of people and programs.
  private final ClaimDesk claims;
  private final BookmarkWorkers programs;
  private final Assigner assigner;

  // Lifecycle.
  private final Takeover takeover;
  private final NodeLease lease;
  private final Aftermath aftermath;
  private final Workers workers;

  /** Brings the schema up to date, joins the other nodes and begins to work. */
  static Engine start(Options options) {
    options.store().migrate();
    options.store().checkPlans().forEach(doubt -> log.warn("{}", doubt));
    return new Assembly(options).started();
  }

  private Assembly(Options options) {
    this.options = options;
    policies = options.policies();
    Store store = options.store();
    Seams seams = options.seams();

    InstantSource clock;
    if (seams.clock() == null) {
      DatabaseClock following = new DatabaseClock(InstantSource.system(), System::nanoTime);
      clock = following;
      followedClock = statement -> () -> following.follow(statement);
    } else {
      clock = seams.clock();
      followedClock = statement -> statement;
    }
    ids = seams.ids() == null ? IdSource.timeOrdered(clock) : seams.ids();
    Scheduler scheduler = seams.scheduler() == null ? new ThreadScheduler() : seams.scheduler();
    node =
        new Node(
            store, scheduler, clock, policies.settings(), seams.crash(), new NodeId(ids.next()));
    calls = new StoreCalls(node);
    unreadable = new UnreadableRows(clock);

    reader = new RowReader(policies.codec());
    writer = new RowWriter(policies.codec(), options.subscriptions());
    definitions =
        new Deployments(
            store,
            new DefinitionParser(options.activities().types(), new Expressions()),
            clock,
            unreadable,
            () -> inbox().startersChanged());
    loader = new Loader(store, scheduler);
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

    bodies = bodies();

    requests = new Requests(node, definitions, ids);
    lookup = new EngineWaitLookup(node, calls, reader, unreadable);
    desk = new FrontDesk(node, commands, committer, loader, calls, lookup, requests);
    archive = new Archive(store, reader, unreadable);
    endings = new Endings(node, mailboxes, loader, reader);

    repeats = new MessageRepeats(reader, unreadable);
    messageStarts = new MessageStarts(node, commands, definitions, reader, writer, unreadable);
    correlator = new Correlator(node, commands, reader, unreadable, messageStarts);
    courier = courier();
    sweep = new InboxSweep(node, courier, correlator);
    inbox = new InboxWorker(node, courier, correlator, sweep);
    reception = new Reception(node, writer, repeats, inbox::received);

    outbox = new OutboxWorker(node, reader, writer, unreadable, options.subscriptions());

    timers = new DueWorker(node, new TimerDuty(node, commands, unreadable));
    ready = new DueWorker(node, new ReadyDuty(node, bodies, commands, unreadable));
    expiry = new DueWorker(node, new OutOfTimeDuty(node, commands, unreadable));
    overdue = new OverdueTimers(node);
    scheduleRows = new ScheduleRows(policies.codec());
    scheduleStarts = new ScheduleStarts(node, commands, requests);
    schedules =
        new DueWorker(
            node, new ScheduleDuty(node, calls, unreadable, scheduleRows, scheduleStarts));
    housekeeping = new EngineHousekeeping(node, calls, policies.retention());

    claims = new ClaimDesk(node, calls, mailboxes, reader, unreadable);
    programs = new BookmarkWorkers(node, claims, commands, reader, writer, calls);
    assigner = new Assigner(node, commands, policies.directory());

    takeover = new Takeover(node, bodies, commands, unreadable);
    lease =
        new NodeLease(node, ids, policies.name(), followedClock, bodies, takeover, inbox::sweep);
    aftermath = new Aftermath(node, bodies, commitListeners());
    mailboxes.connect(aftermath);
    workers = workers();
  }

  /** Who hears of a commit, in the order in which they are told. */
  private List<CommitListener> commitListeners() {
    return List.of(
        new DueWakeUp(timers, ready, expiry), inbox, outbox, endings, assigner, programs);
  }

  private Bodies bodies() {
    TransactionalCall.Surroundings transactions =
        new TransactionalCall.Surroundings(
            node,
            definitions,
            reader,
            committer,
            mailboxes,
            () -> takeover().audit(),
            () -> aftermath().missed());
    return new Bodies(
        node,
        commands,
        definitions,
        mailboxes,
        new BodyCall.Surroundings(node, commands, options.activities(), transactions),
        () -> ready().wakeAt(node.now()));
  }

  private Courier courier() {
    Children children =
        new Children(
            node,
            commands,
            definitions,
            unreadable,
            writer,
            new Children.Refused() {
              @Override
              public void told(Message word, Consumer<Stimulus.Outcome> ended) {
                courierItself().deliver(word, ended);
              }

              @Override
              public void before(String tenant, InstanceId parent) {
                inbox().awaits(tenant, parent);
              }
            });
    Signals signals =
        new Signals(
            node,
            reader,
            unreadable,
            (signal, ended) -> courierItself().deliver(signal, ended),
            () -> inbox().sweep());
    return new Courier(commands, reader, unreadable, children, signals);
  }

  private Workers workers() {
    return new Workers(
        node,
        bodies,
        mailboxes,
        programs,
        inbox,
        List.of(
            timers, overdue, ready, expiry, schedules, new HousekeepingDuty(node, housekeeping)),
        List.of(outbox, takeover, lease));
  }

  // Parts that are found later.

  private InboxWorker inbox() {
    return inbox;
  }

  private Courier courierItself() {
    return courier;
  }

  private Takeover takeover() {
    return takeover;
  }

  private NodeLease lease() {
    return lease;
  }

  private Aftermath aftermath() {
    return aftermath;
  }

  private DueWorker ready() {
    return ready;
  }

  private Engine started() {
    Implementations implementations = new Implementations(node, definitions, options.activities());
    EngineMessages messages =
        new EngineMessages(node, calls, reader, writer, unreadable, reception, messageStarts);
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
            new EngineDefinitions(definitions, calls, archive, implementations),
            instances(),
            new EngineOperations(
                node,
                desk,
                calls,
                new Migrations(node, calls, commands, definitions, reader, unreadable, ids),
                overdue::health,
                unreadable),
            waits(),
            messages,
            new Callbacks(
                options.secrets().seals(),
                options.secrets().senders(),
                node::now,
                messages::receiveOwn),
            new EngineScheduling(
                node,
                calls,
                definitions,
                unreadable,
                ids,
                scheduleRows,
                scheduleStarts,
                schedules)),
        transactions(),
        programs,
        () -> new Engine.Load(committer.queued(), bodies.size(), mailboxes.size()),
        life);
  }

  private Lifecycle life(EngineMessages messages) {
    List<QueueReader> queues = new ArrayList<>();
    options
        .queues()
        .forEach((binding, queue) -> queues.add(new QueueReader(messages, queue, binding)));
    boolean ownsScheduler = options.seams().scheduler() == null;
    return new Lifecycle(node, workers, queues, desk, calls, endings, ownsScheduler);
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
        desk,
        calls,
        archive,
        new Explanations(node, definitions, policies.operators(), archive),
        endings,
        new Stepping(node, calls, commands, archive, endings));
  }

  private RunningEngine.Waits waits() {
    Directory directory = policies.directory();
    EngineBookmarks bookmarks =
        new EngineBookmarks(node, calls, writer, claims, desk, lookup, housekeeping);
    return new RunningEngine.Waits(
        bookmarks,
        new EngineTasks(
            node,
            calls,
            policies.operators(),
            reader,
            unreadable,
            desk,
            bookmarks,
            archive,
            directory),
        new EngineApprovals(node, calls, desk, archive, directory));
  }

  private JoinedTransactions transactions() {
    return new JoinedTransactions(
        new EngineJoined.Surroundings(
            node,
            requests,
            definitions,
            policies.directory(),
            reader,
            committer,
            mailboxes,
            new JoinedMessages(node, writer, repeats)),
        aftermath);
  }
}
