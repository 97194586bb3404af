package dev.waymark.engine.internal.node;

import dev.waymark.engine.store.Nodes.Renewal;
import java.time.Duration;
import java.util.function.Supplier;

/** The way in which the clock of this process follows the clock of its database. */
public interface DatabaseTime {

  /** For a clock that an application or a test gives to the engine and to the store alike. */
  DatabaseTime SAME_CLOCK =
      new DatabaseTime() {
        @Override
        public void begin(Supplier<Renewal> first, Supplier<Renewal> again) {
          var unused = first.get();
        }

        @Override
        public Renewal follow(Supplier<Renewal> statement) {
          return statement.get();
        }

        @Override
        public Duration doubt() {
          return Duration.ZERO;
        }
      };

  /**
   * Learns the time before the process begins to work. A first connection can take seconds, and a
   * node that is that far ahead would miss signals: then the time is asked for again.
   *
   * @param first tells the time, and is run once
   * @param again tells the time too
   */
  void begin(Supplier<Renewal> first, Supplier<Renewal> again);

  /** Runs a statement that tells the database's time, and learns from it. */
  Renewal follow(Supplier<Renewal> statement);

  /**
   * By how much the clock of this process may be ahead of the database's, as it was last measured.
   * Drift since then is not counted.
   */
  Duration doubt();
}
