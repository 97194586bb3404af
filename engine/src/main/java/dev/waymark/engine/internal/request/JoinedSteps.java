package dev.waymark.engine.internal.request;

import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Step;
import dev.waymark.core.step.StoredFacts;
import dev.waymark.core.step.Unit;
import dev.waymark.engine.Answer;
import dev.waymark.engine.EngineException;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.row.RowReader;
import dev.waymark.engine.internal.step.Committer;
import dev.waymark.engine.internal.step.DeployedDefinitions;
import dev.waymark.engine.internal.step.JoinedWrites;
import dev.waymark.engine.internal.step.Mailboxes;
import dev.waymark.engine.internal.step.PendingCommand;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.Load;
import dev.waymark.engine.store.StoredDefinitions;
import dev.waymark.engine.store.StoredDefinitions.DefinitionRow;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** Decides commands and writes their steps on a caller's connection, without a mailbox. */
public final class JoinedSteps {

  private static final int TRIES = 10;

  private final ThisNode node;
  private final DeployedDefinitions definitions;
  private final RowReader reader;
  private final Committer committer;
  private final Mailboxes mailboxes;

  public JoinedSteps(
      ThisNode node,
      DeployedDefinitions definitions,
      RowReader reader,
      Committer committer,
      Mailboxes mailboxes) {
    this.node = node;
    this.definitions = definitions;
    this.reader = reader;
    this.committer = committer;
    this.mailboxes = mailboxes;
  }

  /** The definitions as this connection sees them. */
  DeployedDefinitions.JoinedRows definitions(Connection connection) {
    StoredDefinitions stored = node.store().definitions();
    return new DeployedDefinitions.JoinedRows() {
      @Override
      public @Nullable DefinitionRow byId(long id) {
        return stored.byIdOn(connection, id);
      }

      @Override
      public @Nullable DefinitionRow find(String tenant, String key, @Nullable Integer version) {
        return stored.findOn(connection, tenant, key, version);
      }
    };
  }

  /**
   * The answer to a command that is decided and written now.
   *
   * @param written is told of the unit; only the caller knows whether it will be committed
   */
  Answer carryOut(Requests.Prepared prepared, Connection connection, JoinedWrites written) {
    InstanceId id = prepared.instance();
    PendingCommand pending = prepared.pending(outcome -> {});
    for (int i = 0; i < TRIES; i++) {
      Load.Answer read = node.store().loadOn(connection, pending.question(id));
      Instance instance = reader.instance(read);
      StoredFacts prior = reader.prior(id, pending.command.meta().actor().tenant(), read);
      if (instance != null) {
        // The decision would read it on a connection of the engine's, and wait for one.
        var unused = definitions.byId(instance.origin().definition(), definitions(connection));
      }
      // No node is named: only the caller knows whether, and when, its transaction commits.
      Decision decision = mailboxes.decideApart(pending, instance, prior);
      if (!(decision instanceof Step step)) {
        return Requests.answer(id, decision);
      }
      Unit unit = Unit.of(step);
      CommitResult result = committer.commitOn(connection, null, committer.rows(unit));
      switch (result.outcome()) {
        case COMMITTED -> {
          written.unit(unit);
          return Requests.answer(id, step);
        }
        case FAILED -> throw EngineException.unwrap(result.cause());
        case STALE, BUSY, NOT_SPENDABLE, EXISTS, NODE_NOT_ALIVE -> {
          // Another node moved the instance between our load and our lock: the command is decided
          // again.
        }
      }
    }
    throw new EngineException(
        "Expected to carry out %s on instance %s, but lost %d races in a row"
            .formatted(pending.command.meta().id(), id, TRIES),
        null);
  }
}
