package dev.waymark.engine.internal.bookmark;

import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.engine.internal.node.ThisNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The order in which tenants have their turns. Every tenant that waits has one turn in a round,
 * however many waits others have, so that one tenant's ten waits are done beside another's ten
 * thousand. Used by one task at a time.
 */
final class TenantRoundRobin {

  /** Tenants of one round; those behind them have their turn in the next. */
  private static final int ROUND = 10_000;

  private final ThisNode node;
  private final BookmarkKind kind;
  private final List<String> fixed;
  private final Deque<String> round = new ArrayDeque<>();
  private int size = 1;
  private boolean begun;
  private boolean found;

  TenantRoundRobin(ThisNode node, BookmarkKind kind, Set<String> fixed) {
    this.node = node;
    this.kind = kind;
    this.fixed = List.copyOf(new TreeSet<>(fixed));
  }

  /** The next tenant; absent if no tenant of the whole round had any work. */
  @Nullable String next() {
    if (round.isEmpty()) {
      if (begun && !found) {
        begun = false;
        return null;
      }
      List<String> tenants =
          fixed.isEmpty() ? node.store().waits().tenantsWith(kind, ROUND) : fixed;
      begun = !tenants.isEmpty();
      found = false;
      size = tenants.size();
      round.addAll(tenants);
    }
    return round.poll();
  }

  void found(boolean something) {
    found |= something;
  }

  /** The number of waits that one tenant may take at its turn. */
  int share(int concurrency) {
    return Math.max(1, concurrency / Math.max(1, size));
  }
}
