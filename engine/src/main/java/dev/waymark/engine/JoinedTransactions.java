package dev.waymark.engine;

import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Unit;
import dev.waymark.engine.store.StoreException;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;

/** Transactions in which a caller's rows and steps of the engine commit together. */
final class JoinedTransactions {

  private final EngineJoined.Surroundings around;
  private final Aftermath aftermath;

  JoinedTransactions(EngineJoined.Surroundings around, Aftermath aftermath) {
    this.around = around;
    this.aftermath = aftermath;
  }

  /** On the caller's own connection. */
  EngineJoined joining(Connection connection) {
    return new EngineJoined(around, connection, aftermath.joined());
  }

  /** In a transaction of the engine's store. */
  <T> T run(Engine.JoinedWork<T> work) {
    Committed committed = new Committed();
    T result;
    try {
      result =
          around
              .node()
              .store()
              .inTransaction(
                  connection -> work.run(new EngineJoined(around, connection, committed)));
    } catch (StoreException e) {
      if (e.kind() == StoreException.Kind.UNKNOWN_OUTCOME) {
        // It may be committed, or be so in a moment: then what follows from it must be found.
        committed.tell(aftermath.joined());
        aftermath.missed();
      }
      throw e;
    }
    committed.tell(aftermath.committed());
    return result;
  }

  /** The units and messages that a transaction will have written once it commits. */
  private static final class Committed implements EngineJoined.Written {

    private final List<Unit> units = new ArrayList<>();
    private final List<Message> messages = new ArrayList<>();

    @Override
    public void unit(Unit unit) {
      units.add(unit);
    }

    @Override
    public void message(Message message) {
      messages.add(message);
    }

    void tell(EngineJoined.Written listener) {
      units.forEach(listener::unit);
      messages.forEach(listener::message);
    }
  }
}
