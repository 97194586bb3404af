package dev.waymark.engine.internal.request;

import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Step;
import dev.waymark.core.step.Unit;
import dev.waymark.engine.Engine;
import dev.waymark.engine.internal.body.AfterCommit;
import dev.waymark.engine.internal.message.JoinedMessages;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.step.JoinedWrites;
import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.sql.BorrowedConnection;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Transactions in which a caller's rows and steps of the engine commit together. */
public final class JoinedTransactions {

  private static final Logger log = LoggerFactory.getLogger(JoinedTransactions.class);

  private final ThisNode node;
  private final Requests requests;
  private final StandIns standIns;
  private final JoinedSteps steps;
  private final JoinedMessages messages;
  private final AfterCommit afterCommit;

  public JoinedTransactions(
      ThisNode node,
      Requests requests,
      StandIns standIns,
      JoinedSteps steps,
      JoinedMessages messages,
      AfterCommit afterCommit) {
    this.node = node;
    this.requests = requests;
    this.standIns = standIns;
    this.steps = steps;
    this.messages = messages;
    this.afterCommit = afterCommit;
  }

  /** On the caller's own connection. */
  public JoinedTransaction joining(Connection connection) {
    return on(connection, afterCommit.joined());
  }

  private JoinedTransaction on(Connection connection, JoinedWrites written) {
    return new JoinedTransaction(node, requests, standIns, steps, messages, connection, written);
  }

  /** In a transaction of the engine's store. */
  public <T> T run(Engine.JoinedWork<T> work) {
    Committed committed = new Committed();
    T result;
    try {
      result =
          node.store()
              .inTransaction(
                  connection -> {
                    committed.connection = connection;
                    return work.run(on(connection, committed));
                  });
    } catch (StoreException e) {
      if (e.kind() == StoreException.Kind.UNKNOWN_OUTCOME) {
        // It may be committed, or be so in a moment: then what follows from it must be found.
        lookFor(committed);
      }
      throw e;
    }
    if (committed.mayBeUndone()) {
      tellWhatIsThere(committed);
    } else {
      committed.tell(afterCommit.committed());
    }
    return result;
  }

  private void lookFor(Committed written) {
    written.tell(afterCommit.joined());
    afterCommit.missed();
  }

  // The transaction is committed even if this look fails, so the caller gets no fault.
  private void tellWhatIsThere(Committed written) {
    try {
      written.units.removeIf(unit -> !isThere(unit));
    } catch (RuntimeException e) {
      log.warn("Could not look which steps of a transaction are there", e);
      lookFor(written);
      return;
    }
    written.tell(afterCommit.committed());
  }

  /** True if the version that the unit leads to was written by the unit's own command. */
  private boolean isThere(Unit unit) {
    Step last = unit.steps().get(unit.steps().size() - 1);
    return node.store().instances().history(unit.instance(), last.after().version(), 1).stream()
        .anyMatch(
            entry ->
                entry.version() == last.after().version()
                    && entry.commandId().equals(last.command().meta().id()));
  }

  /** The units and messages that a transaction will have written once it commits. */
  private static final class Committed implements JoinedWrites {

    private final List<Unit> units = new ArrayList<>();
    private final List<Message> messages = new ArrayList<>();
    private @Nullable Connection connection;

    /** True if the application may have gone back to a savepoint behind some of it. */
    boolean mayBeUndone() {
      return !units.isEmpty()
          && (connection == null || BorrowedConnection.mayHaveUndone(connection));
    }

    @Override
    public void unit(Unit unit) {
      units.add(unit);
    }

    @Override
    public void message(Message message) {
      messages.add(message);
    }

    void tell(JoinedWrites listener) {
      units.forEach(listener::unit);
      messages.forEach(listener::message);
    }
  }
}
