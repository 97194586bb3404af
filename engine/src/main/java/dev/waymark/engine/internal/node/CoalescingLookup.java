package dev.waymark.engine.internal.node;

import dev.waymark.engine.store.StoreException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for things in the database, those of one tenant together: things that come while a look is
 * under way are looked for in the next. A look that takes long holds up no other tenant's.
 */
public final class CoalescingLookup<T> {

  private static final Logger log = LoggerFactory.getLogger(CoalescingLookup.class);

  private final ThisNode node;
  private final String what;
  private final Function<Set<T>, CompletableFuture<Boolean>> look;

  /** The things to look for, by tenant; a tenant is in it while a look of its own is under way. */
  private final Map<String, Set<T>> gathered = new HashMap<>();

  /**
   * @param look completes when it has read all that it looks for; the tenant's next begins then
   */
  public CoalescingLookup(
      ThisNode node, String what, Function<Set<T>, CompletableFuture<Boolean>> look) {
    this.node = node;
    this.what = what;
    this.look = look;
  }

  public void add(String tenant, T thing) {
    synchronized (gathered) {
      Set<T> waiting = gathered.get(tenant);
      if (waiting != null) {
        waiting.add(thing);
        return;
      }
      gathered.put(tenant, new HashSet<>(Set.of(thing)));
    }
    node.scheduler().execute(() -> run(tenant));
  }

  private void run(String tenant) {
    for (Set<T> batch = take(tenant); !batch.isEmpty(); batch = take(tenant)) {
      CompletableFuture<Boolean> looked = look(List.copyOf(batch));
      if (!looked.isDone() || looked.isCompletedExceptionally()) {
        Set<T> asked = batch;
        var unused = looked.whenComplete((done, fault) -> goOn(tenant, asked, fault));
        return;
      }
    }
  }

  private void goOn(String tenant, Set<T> asked, @Nullable Throwable fault) {
    if (fault == null) {
      node.scheduler().execute(() -> run(tenant));
      return;
    }
    log.warn("Could not look for {}; trying again", what, fault);
    synchronized (gathered) {
      gathered.computeIfAbsent(tenant, name -> new HashSet<>()).addAll(asked);
    }
    node.scheduler().after(node.settings().pollEvery(), () -> run(tenant));
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
    if (fault instanceof Error || StoreException.isPassing(fault)) {
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

  private Set<T> take(String tenant) {
    synchronized (gathered) {
      Set<T> batch = gathered.getOrDefault(tenant, Set.of());
      if (batch.isEmpty()) {
        gathered.remove(tenant);
      } else {
        gathered.put(tenant, new HashSet<>());
      }
      return batch;
    }
  }
}
