package dev.waymark.engine.internal.step;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.StoredFacts;
import dev.waymark.core.step.decide.Decider;
import dev.waymark.engine.store.Load;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A command in a mailbox, with the facts that the store has about it and the listener for its
 * outcome.
 */
public final class PendingCommand {

  private static final Logger log = LoggerFactory.getLogger(PendingCommand.class);

  public final Command command;

  /**
   * The definition that a start begins. Every other command finds its definition by its instance.
   */
  final @Nullable Definition definition;

  /**
   * The moment from which the caller no longer waits for the outcome; absent for the engine's own
   * commands.
   */
  final @Nullable Instant deadline;

  private final Consumer<Outcome> listener;

  /** The outcome of a command: a decision that stands, or a fault. */
  public record Outcome(@Nullable Decision decision, @Nullable Throwable fault) {}

  // Guarded by the mailbox.
  private CommandState state = CommandState.QUEUED;
  private StoredFacts prior = StoredFacts.NONE;
  private long seen;
  private long from;
  private boolean alone;
  private int tries;

  private @Nullable Runnable whenTold;
  private boolean told;

  public PendingCommand(
      Command command,
      @Nullable Definition definition,
      @Nullable Instant deadline,
      Consumer<Outcome> listener) {
    this.command = requireNonNull(command, "command");
    this.definition = definition;
    this.deadline = deadline;
    this.listener = listener;
  }

  /**
   * A command of the engine's own: no caller waits, and a refusal means that the command no longer
   * matters.
   */
  public static PendingCommand internal(Command command) {
    return new PendingCommand(command, null, null, outcome -> {});
  }

  public static PendingCommand internal(Command command, Consumer<Outcome> listener) {
    return new PendingCommand(command, null, null, listener);
  }

  // ---- its way through the mailbox

  boolean is(CommandState one) {
    return state == one;
  }

  /**
   * The store is asked about the command.
   *
   * @param committed the version that the mailbox knows to be committed
   */
  void reading(long committed) {
    state = state.to(CommandState.READING);
    from = committed;
  }

  void read(StateReader.ReadState found) {
    state = state.to(CommandState.READ);
    seen = found.instance() == null ? 0 : found.instance().version();
    prior = found.prior();
  }

  /** The store must be asked, or asked again, before it is decided. */
  void unread() {
    state = state.to(CommandState.UNREAD);
  }

  /** It must be decided on the state that is there once the unit under way is committed. */
  void behindUnit() {
    state = state.to(CommandState.BEHIND_UNIT);
  }

  void inUnit() {
    state = state.to(CommandState.IN_UNIT);
  }

  /** The unit that carried it is void: it is decided again. */
  void triedInVain() {
    tries++;
    state = state.to(wantsRead() ? CommandState.UNREAD : CommandState.QUEUED);
  }

  void left() {
    state = state.to(CommandState.LEFT);
  }

  /** It goes into a unit of its own from now on: its rows may be those that the store refuses. */
  void goesAlone() {
    alone = true;
  }

  boolean isAlone() {
    return alone;
  }

  /** The number of units that carried it in vain. */
  int tries() {
    return tries;
  }

  /** The facts that the store had about it when it was last asked. */
  StoredFacts prior() {
    return prior;
  }

  /** The version that the instance had when the store was last asked; 0 if there was none. */
  long seen() {
    return seen;
  }

  /** The latest version that the last answer of the store is known to include. */
  long knownFrom() {
    return Math.max(seen, from);
  }

  // ---- the facts that it needs from the store

  /**
   * True if the store must be asked about this command before it is decided. A start that takes a
   * business key asks only after its commit has found the key taken.
   */
  boolean wantsRead() {
    return command.meta().fingerprint() != null
        || (tries > 0
            && (isOfAWait()
                || command instanceof Command.Deliver
                || command instanceof Command.Start));
  }

  /**
   * True if the command acts on a wait. Claims change a wait without a step, so the command may be
   * decided on what the mailbox knows, but not refused: the store must be asked first.
   */
  boolean isOfAWait() {
    return command instanceof Command.Resume
        || command instanceof Command.Attend
        || command instanceof Command.Intervene;
  }

  /** The stored message that its step would spend, if there is one. */
  @Nullable Message message() {
    return switch (command) {
      case Command.Deliver deliver -> deliver.message();
      case Command.Start start when start.request() != null -> start.request().message();
      default -> null;
    };
  }

  /**
   * True for a start that can be decided without a read: its id was just drawn and the caller gave
   * it no name. Or for that of a child: if it was decided before, its message is spent, and the
   * commit detects that, as it detects a business key that is taken.
   */
  boolean needsNoRead() {
    return command instanceof Command.Start && state == CommandState.QUEUED;
  }

  public Load question(InstanceId instance) {
    Command.Meta meta = command.meta();
    boolean named = meta.fingerprint() != null;
    return new Load(
        instance,
        meta.actor().tenant(),
        named ? command.word() : null,
        named ? meta.id() : null,
        switch (command) {
          case Command.Resume resume -> resume.bookmark().tag();
          case Command.Attend attend -> attend.bookmark().tag();
          case Command.Intervene intervene -> intervene.bookmark().tag();
          default -> null;
        },
        command instanceof Command.Start start ? start.businessKey() : null);
  }

  /**
   * The decision on this command, on this state.
   *
   * @param now the command as of this moment, on the node that may run the bodies that it starts
   */
  Decision decide(
      DeployedDefinitions definitions,
      @Nullable Instance instance,
      StoredFacts known,
      Command now) {
    if (definition != null) {
      return Decider.decide(definition, instance, known, now);
    }
    return instance == null
        ? Decider.decideWithoutInstance(known, now)
        : Decider.decide(definitions.byId(instance.origin().definition()), instance, known, now);
  }

  void stands(Decision decision) {
    tell(new Outcome(decision, null));
  }

  void fails(Throwable fault) {
    tell(new Outcome(null, fault));
  }

  /** Runs a task when the command's outcome has been told; at once if it has. */
  void whenTold(Runnable task) {
    synchronized (this) {
      if (!told) {
        Runnable before = whenTold;
        whenTold =
            before == null
                ? task
                : () -> {
                  before.run();
                  task.run();
                };
        return;
      }
    }
    task.run();
  }

  // The listener may be the application's own code; an exception of it must not stop the instance.
  private void tell(Outcome outcome) {
    try {
      listener.accept(outcome);
    } catch (RuntimeException | Error e) {
      log.warn("Whoever waited for {} failed to hear it", command.meta().id(), e);
    }
    Runnable task;
    synchronized (this) {
      told = true;
      task = whenTold;
      whenTold = null;
    }
    if (task != null) {
      task.run();
    }
  }
}
