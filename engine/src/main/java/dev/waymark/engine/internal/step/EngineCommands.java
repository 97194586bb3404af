package dev.waymark.engine.internal.step;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Command;
import dev.waymark.engine.internal.node.ThisNode;

/** The commands that the engine itself gives: their names, and their way to an instance. */
public final class EngineCommands {

  private final ThisNode node;
  private final Mailboxes mailboxes;

  public EngineCommands(ThisNode node, Mailboxes mailboxes) {
    this.node = node;
    this.mailboxes = mailboxes;
  }

  /**
   * The meta data of a command on an instance that exists. Its id derives from its purpose, so that
   * the second of two such commands has no effect.
   */
  public Command.Meta meta(String commandId) {
    return new Command.Meta(commandId, Actor.ENGINE, node.now(), null, null, null);
  }

  /**
   * The same for a command that every node may try: after a lost reply, history must tell this
   * node's step from that of another node.
   */
  public Command.Meta metaHere(String commandId) {
    return meta(commandId + "@" + node.id());
  }

  /** The same for a start, or for a message that must not reach an instance of another tenant. */
  public Command.Meta metaHere(String tenant, String commandId) {
    return new Command.Meta(
        commandId + "@" + node.id(), Actor.engine(tenant), node.now(), null, null, null);
  }

  /** The command as of this moment, for who decides it without a mailbox. */
  public Command asOfNow(Command command) {
    return mailboxes.asOfNow(command);
  }

  public void post(InstanceId instance, PendingCommand pending) {
    mailboxes.post(instance, pending);
  }
}
