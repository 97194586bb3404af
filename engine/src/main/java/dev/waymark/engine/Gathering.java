package dev.waymark.engine;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
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
  private final Function<Set<T>, CompletableFuture<Boolean>> look;
  private final Set<T> gathered = new HashSet<>();
  private boolean looking;

  /**
   * @param look completes when it has read all that it looks for; the next begins then
   */
  Gathering(Node node, String what, Function<Set<T>, CompletableFuture<Boolean>> look) {
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
      CompletableFuture<Boolean> looked = look(List.copyOf(batch));
      if (!looked.isDone() || looked.isCompletedExceptionally()) {
        Set<T> asked = batch;
        var unused = looked.whenComplete((done, fault) -> goOn(asked, fault));
        return;
      }
    }
  }

  private void goOn(Set<T> asked, @Nullable Throwable fault) {
    if (fault == null) {
      node.scheduler().execute(this::run);
      return;
    }
    log.warn("Could not look for {}; trying again", what, fault);
    synchronized (gathered) {
      gathered.addAll(asked);
    }
    node.scheduler().after(node.settings().pollEvery(), this::run);
  }

  /**
   * A fault that does not pass is of one thing: it is left to the full look, and not the others.
   */
  private CompletableFuture<Boolean> look(List<T> things) {
    return begun(things).exceptionallyCompose(fault -> lookAgain(things, cause(fault)));
  }

  private CompletableFuture<Boolean> begun(List<T> things) {
    try {
      return look.apply(Set.copyOf(things));
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletableFuture<Boolean> lookAgain(List<T> things, Throwable fault) {
    if (fault instanceof Error || UnreadableRows.isOfTheWorld(fault)) {
      return CompletableFuture.failedFuture(fault);
    }
    if (things.size() == 1) {
      log.error("Could not look for {} of {}", what, things.get(0), fault);
      return CompletableFuture.completedFuture(true);
    }
    return look(things.subList(0, things.size() / 2))
        .thenCompose(done -> look(things.subList(things.size() / 2, things.size())));
  }

  private static Throwable cause(Throwable fault) {
    return fault instanceof CompletionException && fault.getCause() != null
        ? fault.getCause()
        : fault;
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
