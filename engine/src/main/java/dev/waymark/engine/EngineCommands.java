package dev.waymark.engine;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Command;

/** The commands that the engine itself gives: their names, and their way to an instance. */
final class EngineCommands {

  private final Node node;
  private final Mailboxes mailboxes;

  EngineCommands(Node node, Mailboxes mailboxes) {
    this.node = node;
    this.mailboxes = mailboxes;
  }

  /** Its id says what the command is for, so that deciding it twice is deciding it once. */
  Command.Meta meta(String tenant, String commandId) {
    return new Command.Meta(commandId, Actor.engine(tenant), node.now(), null, null, null);
  }

  /**
   * The same for a command that every node may try: after a lost reply, history must tell this
   * node's step from another's.
   */
  Command.Meta metaHere(String tenant, String commandId) {
    return meta(tenant, commandId + "@" + node.id());
  }

  /** The command as of this moment, for who decides it without a mailbox. */
  Command asOfNow(Command command) {
    return mailboxes.asOfNow(command);
  }

  void post(InstanceId instance, Stimulus stimulus) {
    mailboxes.post(instance, stimulus);
  }
}
