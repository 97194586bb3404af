package dev.waymark.engine.internal.message;

import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.ChildEnd;
import dev.waymark.core.instance.ChildStart;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.row.RowKind;
import dev.waymark.engine.internal.row.RowWriter;
import dev.waymark.engine.internal.step.DeployedDefinitions;
import dev.waymark.engine.internal.step.EngineCommands;
import dev.waymark.engine.internal.step.PendingCommand;
import dev.waymark.engine.internal.step.PendingCommand.Outcome;
import dev.waymark.engine.internal.step.UnreadableRows;
import dev.waymark.engine.spi.CrashPoints.Point;
import dev.waymark.engine.store.StoreException;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts children that other instances asked for.
 *
 * <p>The child's first step spends the request, so that there is one start, however often the
 * request is delivered. A request that cannot be granted is replaced by the message that the child
 * has failed, for which its parent waits.
 */
public final class ChildStarts {

  private static final Logger log = LoggerFactory.getLogger(ChildStarts.class);
  private static final String NOT_STORABLE = "NOT_STORABLE";

  private final ThisNode node;
  private final EngineCommands commands;
  private final DeployedDefinitions definitions;
  private final UnreadableRows unreadable;
  private final RowWriter writer;
  private final RefusedChildren refused;

  /** Sees to it that parents are told of children that cannot be started. */
  public interface RefusedChildren {

    /**
     * The message about a refused child is stored in place of its request, and is to be delivered.
     */
    void told(Message word, Consumer<Outcome> ended);

    /**
     * Another node, or this one before, has replaced the request: the parent's messages are to be
     * looked for.
     */
    void before(String tenant, InstanceId parent);
  }

  public ChildStarts(
      ThisNode node,
      EngineCommands commands,
      DeployedDefinitions definitions,
      UnreadableRows unreadable,
      RowWriter writer,
      RefusedChildren refused) {
    this.node = node;
    this.commands = commands;
    this.definitions = definitions;
    this.unreadable = unreadable;
    this.writer = writer;
    this.refused = refused;
  }

  /** One request on its way. */
  private record Asked(
      InstanceId child, Message message, ChildStart wanted, Consumer<Outcome> ended) {

    String tenant() {
      return message.key().tenant();
    }
  }

  /**
   * Grants a request, in a task of its own, since the definition may have to be read first.
   *
   * @param ended to be told when the request is granted, refused or left for a later look
   */
  void start(InstanceId child, Message message, Consumer<Outcome> ended) {
    node.scheduler()
        .execute(
            () -> {
              node.crash().at(Point.C1_CHILD_ASKED);
              ChildStart wanted;
              try {
                wanted = ChildStart.fromDocument(message.payload());
              } catch (RuntimeException | Error e) {
                unreadable.put(RowKind.MESSAGE, writer.message(message), e);
                leave(child, e, ended);
                return;
              }
              grant(new Asked(child, message, wanted, ended));
            });
  }

  private void grant(Asked asked) {
    Definition definition;
    try {
      definition =
          definitions.startable(
              asked.tenant(), asked.wanted().definition(), asked.wanted().version());
    } catch (CommandRefused e) {
      refuse(asked, e.rejection().code().name(), e.rejection().message());
      return;
    } catch (StoreException e) {
      again(e, () -> grant(asked), asked.ended());
      return;
    } catch (RuntimeException | Error e) {
      leave(asked.child(), e, asked.ended());
      return;
    }
    Command.Start start;
    try {
      start = command(asked);
    } catch (IllegalArgumentException e) {
      refuse(asked, Rejection.Code.BAD_INPUT.name(), String.valueOf(e.getMessage()));
      return;
    }
    commands.post(
        asked.child(),
        new PendingCommand(start, definition, null, outcome -> hear(asked, outcome)));
  }

  /**
   * Another process may know the definition, or this one once it was upgraded: the request stays.
   */
  private static void leave(InstanceId child, Throwable why, Consumer<Outcome> ended) {
    log.error("Child {} cannot be started here; its request is left", child, why);
    ended.accept(new Outcome(null, why));
  }

  private Command.Start command(Asked asked) {
    ChildStart wanted = asked.wanted();
    Command.Meta meta = commands.metaHere(asked.tenant(), "start:" + wanted.parent().visit());
    return new Command.Start(
        new Command.Meta(
            meta.id(), Actor.engine(asked.tenant()), meta.at(), null, wanted.traceParent(), null),
        asked.child(),
        wanted.input(),
        wanted.businessKey(),
        wanted.correlationId(),
        Map.of(),
        new Command.Start.Request(wanted.parent(), asked.message()));
  }

  private void hear(Asked asked, Outcome outcome) {
    if (outcome.decision() instanceof Rejection rejection) {
      node.scheduler().execute(() -> refuse(asked, rejection.code().name(), rejection.message()));
    } else if (outcome.fault() instanceof StoreException e
        && e.kind() == StoreException.Kind.PERMANENT) {
      String why = "The child's start cannot be stored: " + e.getMessage();
      node.scheduler().execute(() -> refuse(asked, NOT_STORABLE, why));
    } else {
      asked.ended().accept(outcome);
    }
  }

  private void refuse(Asked asked, String code, String why) {
    log.warn("Child {} cannot be started: {}", asked.child(), why);
    Message told =
        asked.wanted().parent().reports()
            ? failed(asked, new Fault(Fault.Type.STARTUP, code, why, false))
            : null;
    boolean replaced;
    try {
      replaced =
          node.store()
              .inbox()
              .replace(asked.message().key(), told == null ? null : writer.message(told));
      node.crash().at(Point.C2_CHILD_REFUSED);
    } catch (StoreException e) {
      again(e, () -> refuse(asked, code, why), asked.ended());
      return;
    }
    if (replaced && told != null) {
      refused.told(told, asked.ended());
    } else {
      // Another node was first, or this node was and the reply was lost: the stored instance
      // counts.
      refused.before(asked.tenant(), asked.wanted().parent().instance());
      asked.ended().accept(new Outcome(null, null));
    }
  }

  /**
   * The message that the child would send itself, had it got as far as a first step: as of version
   * 0.
   */
  private Message failed(Asked asked, Fault fault) {
    return new Message(
        new Message.Key(asked.tenant(), Message.FROM_A_STEP, asked.child() + ":0:0"),
        asked.wanted().parent().instance(),
        Message.ended(asked.child()),
        ChildEnd.failed(fault).toDocument(),
        asked.child().toString(),
        node.now());
  }

  private void again(StoreException why, Runnable task, Consumer<Outcome> ended) {
    if (node.isDraining()) {
      ended.accept(new Outcome(null, why));
      return;
    }
    log.warn("Could not look after a child; trying again", why);
    node.scheduler().after(node.settings().pollEvery(), task);
  }
}
