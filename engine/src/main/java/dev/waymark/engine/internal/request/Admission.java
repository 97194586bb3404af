package dev.waymark.engine.internal.request;

import dev.waymark.engine.Overloaded;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The count of callers' commands that a node has taken in and not answered yet, wherever they wait:
 * to be read for, in a mailbox, or to be written. A command beyond the limit is refused at the
 * door, so that a database that stands still does not fill the memory.
 *
 * <p>No tenant gets the whole house: a tenth is left to the others.
 */
final class Admission {

  private static final int LEFT_TO_OTHERS = 10;

  private final int most;
  private final AtomicInteger all = new AtomicInteger();
  private final ConcurrentMap<String, Integer> perTenant = new ConcurrentHashMap<>();

  /**
   * @param most commands of all tenants together
   */
  Admission(int most) {
    this.most = most;
  }

  /**
   * Takes one in.
   *
   * @throws Overloaded if there are too many
   */
  void enter(String tenant) {
    int share = Math.max(1, most - most / LEFT_TO_OTHERS);
    if (all.get() >= most) {
      throw new Overloaded(
          "Expected at most %d commands that wait for an answer, but there are more: try again later"
              .formatted(most));
    }
    if (perTenant.getOrDefault(tenant, 0) >= share) {
      throw new Overloaded(
          "Expected at most %d commands of tenant '%s' that wait for an answer, but there are more: try again later"
              .formatted(share, tenant));
    }
    all.incrementAndGet();
    perTenant.merge(tenant, 1, Integer::sum);
  }

  /** One of them has its answer. */
  void leave(String tenant) {
    all.decrementAndGet();
    // The last one out takes the counter along, so that tenants that are gone cost nothing.
    perTenant.computeIfPresent(tenant, (t, mine) -> mine == 1 ? null : mine - 1);
  }

  int size() {
    return all.get();
  }
}
