package dev.waymark.engine;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Counts the commands of one page of work, and tells when the last has come to its end. */
final class Page {

  private final AtomicInteger open;
  private final Runnable done;

  Page(int size, Runnable done) {
    this.open = new AtomicInteger(size);
    this.done = done;
  }

  Consumer<Stimulus.Outcome> one() {
    return outcome -> {
      if (open.decrementAndGet() == 0) {
        done.run();
      }
    };
  }
}
