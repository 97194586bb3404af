package dev.waymark.engine;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.NodeId;
import dev.waymark.core.step.Attempt;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Operators;
import dev.waymark.core.step.Unit;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.Store;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One process at work: the parts of the engine and what they share.
 *
 * <p>Its id changes when it finds itself declared dead; whatever is decided from then on is decided
 * as the new node.
 */
final class Node {

  private static final Logger log = LoggerFactory.getLogger(Node.class);

  private final Store store;
  private final Scheduler scheduler;
  private final InstantSource clock;
  private final Settings settings;
  private final Operators operators;
  private final CrashPoints crash;
  private final RowWriter writer;
  private final RowReader reader;
  private final Deployments definitions;
  private final UnreadableRows unreadable;
  private final Committer committer;
  private final TimedQuestions questions;
  private final Loader loader;
  private final Mailboxes mailboxes;
  private final Bodies bodies;
  private final Aftermath aftermath;
  private final StoreCalls calls;
  private volatile NodeId id;
  private volatile Runnable nodeLost = () -> {};
  private volatile Runnable audit = () -> {};
  private volatile boolean draining;

  Node(
      Store store,
      Scheduler scheduler,
      InstantSource clock,
      Settings settings,
      Operators operators,
      CrashPoints crash,
      RowWriter writer,
      RowReader reader,
      Deployments definitions,
      UnreadableRows unreadable,
      ActivityRegistry activities,
      NodeId id) {
    this.store = store;
    this.scheduler = scheduler;
    this.clock = clock;
    this.settings = settings;
    this.operators = operators;
    this.crash = crash;
    this.writer = writer;
    this.reader = reader;
    this.definitions = definitions;
    this.unreadable = unreadable;
    this.id = requireNonNull(id, "id");
    this.committer = new Committer(store, scheduler, this::id, crash);
    this.questions = new TimedQuestions(scheduler);
    this.loader = new Loader(store, scheduler);
    this.mailboxes = new Mailboxes(this);
    this.bodies = new Bodies(this, activities);
    this.aftermath = new Aftermath(this);
    this.calls = new StoreCalls(scheduler, clock);
  }

  Store store() {
    return store;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  Instant now() {
    return clock.instant();
  }

  Settings settings() {
    return settings;
  }

  /** Who looks after runs. */
  Operators operators() {
    return operators;
  }

  CrashPoints crash() {
    return crash;
  }

  RowReader reader() {
    return reader;
  }

  RowWriter writer() {
    return writer;
  }

  Deployments definitions() {
    return definitions;
  }

  UnreadableRows unreadable() {
    return unreadable;
  }

  Committer committer() {
    return committer;
  }

  TimedQuestions questions() {
    return questions;
  }

  Loader loader() {
    return loader;
  }

  Mailboxes mailboxes() {
    return mailboxes;
  }

  Bodies bodies() {
    return bodies;
  }

  Aftermath aftermath() {
    return aftermath;
  }

  /** Calls of the store that are made again after a lost connection. */
  StoreCalls calls() {
    return calls;
  }

  NodeId id() {
    return id;
  }

  void becomes(NodeId another) {
    id = another;
  }

  Runnable nodeLost() {
    return nodeLost;
  }

  void onNodeLost(Runnable task) {
    nodeLost = task;
  }

  /** Compares what this node runs with what the store believes, and mends the difference. */
  Runnable audit() {
    return audit;
  }

  void onAudit(Runnable task) {
    audit = task;
    committer.afterUnknown(task);
  }

  /** From now on nothing new is run here: what steps start is left ready for other nodes. */
  void drain() {
    draining = true;
  }

  boolean isDraining() {
    return draining;
  }

  /** The command as of this moment, to be run here if there is room. */
  Command now(Command command) {
    return command.with(command.meta().at(now(), runner(command), operators));
  }

  private @Nullable NodeId runner(Command command) {
    if (draining || !bodies.hasRoom()) {
      return null;
    }
    // Step by step, a body runs only when somebody takes it.
    return settings.manual() && !(command instanceof Attempt.Take) ? null : id();
  }

  /**
   * A command of the engine's own on an instance that exists. Its id says what it is for, so that
   * deciding twice is deciding once.
   */
  Command.Meta meta(String commandId) {
    return new Command.Meta(commandId, Actor.ENGINE, now(), null, null, null);
  }

  /**
   * The same for what every node may try: after a lost reply, history must tell this node's step
   * from another's.
   */
  Command.Meta metaHere(String commandId) {
    return meta(commandId + "@" + id());
  }

  /** The same for a start, or for a message that must not reach an instance of another tenant. */
  Command.Meta metaHere(String tenant, String commandId) {
    return new Command.Meta(commandId + "@" + id(), Actor.engine(tenant), now(), null, null, null);
  }

  boolean isLate(Stimulus stimulus) {
    return stimulus.deadline != null && now().isAfter(stimulus.deadline);
  }

  void post(InstanceId instance, Stimulus stimulus) {
    scheduler.enter(() -> mailboxes.post(instance, stimulus));
  }

  void commit(Unit unit, Consumer<CommitResult> callback) {
    committer.submit(writer.write(unit), callback);
  }

  /**
   * A command whose step cannot be decided, or whose rows the database refuses. A body's result
   * becomes the body's failure. Another command of the engine's own parks the visit that it is
   * about, or it would come again for ever. A caller hears the fault, and nothing has changed.
   */
  void unwritable(InstanceId instance, Stimulus culprit, CommitResult result) {
    Throwable cause = requireNonNull(result.cause(), "cause");
    Command command = culprit.command;
    log.warn("Instance {}: {} cannot be stored", instance, command.meta().id(), cause);
    Fault fault =
        Fault.permanent(
            Fault.NOT_STORABLE,
            "What follows '%s' cannot be stored: %s".formatted(command.word(), cause.getMessage()));
    Command.Meta meta = meta(command.meta().id() + "/refused");
    Command instead =
        switch (command) {
          case Attempt.Complete c ->
              new Attempt.Fail(meta, c.visit(), c.attempt(), fault, c.duration());
          case Attempt.Await a ->
              new Attempt.Fail(meta, a.visit(), a.attempt(), fault, a.duration());
          case Attempt other -> new Command.Park(meta, other, fault);
          case Command.Fire fire -> new Command.Park(meta, fire, fault);
          case Command.Deliver deliver -> new Command.Park(meta, deliver, fault);
          default -> null;
        };
    if (instead != null) {
      post(instance, Stimulus.internal(instead));
    }
    culprit.fails(cause);
  }
}
