package dev.waymark.engine;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is to be looked for in the database: things that come while a look is under way are looked
 * for together in the next.
 */
final class Gathering<T> {

  private static final Logger log = LoggerFactory.getLogger(Gathering.class);

  private final Node node;
  private final String what;
  private final Consumer<Set<T>> look;
  private final Set<T> gathered = new HashSet<>();
  private boolean looking;

  Gathering(Node node, String what, Consumer<Set<T>> look) {
    this.node = node;
    this.what = what;
    this.look = look;
  }

  void add(T thing) {
    synchronized (gathered) {
      gathered.add(thing);
      if (looking) {
        return;
      }
      looking = true;
    }
    node.scheduler().execute(this::run);
  }

  private void run() {
    for (Set<T> batch = take(); !batch.isEmpty(); batch = take()) {
      try {
        look(List.copyOf(batch));
      } catch (RuntimeException | Error e) {
        log.warn("Could not look for {}; trying again", what, e);
        synchronized (gathered) {
          gathered.addAll(batch);
        }
        node.scheduler().after(node.settings().pollEvery(), this::run);
        return;
      }
    }
  }

  /**
   * A fault that does not pass is of one thing: it is left to the full look, and not the others.
   */
  private void look(List<T> things) {
    try {
      look.accept(Set.copyOf(things));
    } catch (RuntimeException e) {
      if (UnreadableRows.isOfTheWorld(e)) {
        throw e;
      }
      if (things.size() == 1) {
        log.error("Could not look for {} of {}", what, things.get(0), e);
        return;
      }
      look(things.subList(0, things.size() / 2));
      look(things.subList(things.size() / 2, things.size()));
    }
  }

  private Set<T> take() {
    synchronized (gathered) {
      Set<T> batch = Set.copyOf(gathered);
      gathered.clear();
      looking = !batch.isEmpty();
      return batch;
    }
  }
}
