package dev.waymark.proof.engine;

import dev.waymark.engine.spi.CrashPoints;
import dev.waymark.engine.store.StoreException;
import java.io.IOException;
import java.util.Random;

/** Loses the connection before one commit in fifty, with an outcome that the node cannot know. */
final class LostReplies implements CrashPoints {
  private final Random lots;

  LostReplies(long seed) {
    lots = new Random(seed + 1);
  }

  @Override
  public void at(Point point) {
    if (point == Point.P3_BEFORE_COMMIT && lots.nextInt(50) == 0) {
      throw new StoreException(
          StoreException.Kind.UNKNOWN_OUTCOME, "cut by the test", new IOException());
    }
  }
}
