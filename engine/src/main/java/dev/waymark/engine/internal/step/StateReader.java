package dev.waymark.engine.internal.step;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.StoredFacts;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.row.RowKind;
import dev.waymark.engine.internal.row.RowReader;
import dev.waymark.engine.store.Load;
import dev.waymark.engine.store.StoreException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the state that a command is decided on: the instance, and the facts that the store has
 * about the command.
 */
public final class StateReader {

  private static final Duration PAUSE = Duration.ofMillis(100);

  private final ThisNode node;
  private final InstanceLoader loader;
  private final RowReader reader;
  private final DeployedDefinitions definitions;
  private final UnreadableRows unreadable;

  public StateReader(
      ThisNode node,
      InstanceLoader loader,
      RowReader reader,
      DeployedDefinitions definitions,
      UnreadableRows unreadable) {
    this.node = node;
    this.loader = loader;
    this.reader = reader;
    this.definitions = definitions;
    this.unreadable = unreadable;
  }

  /**
   * The state as it was read after the command arrived.
   *
   * @param instance absent if there is none
   */
  record ReadState(@Nullable Instance instance, StoredFacts prior) {}

  /** Is told the result of one reading. One of its methods is called, once. */
  interface ReadListener {

    void found(ReadState state);

    /** The message that the command would spend is spent. */
    void spent();

    void failed(Throwable fault);
  }

  /** Reads, with the next batch of loads; a message that was tried before is looked for first. */
  void read(InstanceId id, PendingCommand pending, ReadListener listener) {
    Message message = pending.tries() > 0 ? pending.message() : null;
    if (message == null) {
      load(id, pending, listener);
    } else {
      node.scheduler().execute(() -> lookForMessage(id, pending, message.key(), listener));
    }
  }

  private void load(InstanceId id, PendingCommand pending, ReadListener listener) {
    loader.load(
        pending.question(id),
        answer -> found(id, pending, answer, listener),
        listener::failed,
        pending::whenTold);
  }

  // A message can be brought twice, by who stored it and by who began to wait. The second time it
  // may be spent already, while another bookmark of its name is open: it must not try for ever.
  private void lookForMessage(
      InstanceId id, PendingCommand pending, Message.Key key, ReadListener listener) {
    boolean waiting;
    try {
      waiting = node.store().inbox().isWaiting(key, id);
    } catch (RuntimeException | Error e) {
      again(e, () -> lookForMessage(id, pending, key, listener), listener::failed);
      return;
    }
    if (waiting) {
      load(id, pending, listener);
    } else {
      listener.spent();
    }
  }

  private void found(
      InstanceId id, PendingCommand pending, Load.Answer answer, ReadListener listener) {
    ReadState state;
    try {
      Instance read = reader.instance(answer);
      state = new ReadState(read, prior(id, pending, read, answer));
      if (read != null) {
        var unused = definitions.byId(read.origin().definition());
      }
    } catch (RuntimeException | Error e) {
      // The definition may have to be read too, and the database be away just then: that passes.
      again(
          e,
          () -> found(id, pending, answer, listener),
          fault -> {
            if (answer.instance() != null) {
              unreadable.put(RowKind.INSTANCE, answer.instance(), fault);
            }
            listener.failed(fault);
          });
      return;
    }
    listener.found(state);
  }

  /**
   * The stored facts that the caller may learn of: what another tenant's instance holds is not
   * among them.
   */
  private StoredFacts prior(
      InstanceId id, PendingCommand pending, @Nullable Instance read, Load.Answer answer) {
    Actor actor = pending.command.meta().actor();
    StoredFacts prior = reader.prior(id, actor.tenant(), answer);
    return read == null || actor.reaches(read.tenant())
        ? prior
        : new StoredFacts(prior.command(), null, prior.keyHolder());
  }

  private void again(Throwable fault, Runnable task, Consumer<Throwable> giveUp) {
    if (StoreException.isPassing(fault)) {
      node.scheduler().after(PAUSE, task);
    } else {
      giveUp.accept(fault);
    }
  }
}
