package dev.waymark.core.step.walk;

import dev.waymark.core.instance.ActivityInstance;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Entries of a visit's data that one kind writes and others have to read: which item of a loop it
 * is, which joins of a fork have fired, and which visit is going to undo it. The names are stored.
 */
public final class VisitData {

  private static final String ITEM = "index";
  private static final String JOINED = "joined";
  private static final String UNDONE_BY = "by";

  private VisitData() {}

  /** True if this visit is one item of a loop, and not the loop. */
  public static boolean isItem(ActivityInstance visit) {
    return visit.data().containsKey(ITEM);
  }

  /** The position in the list of a visit that is an item. */
  public static long item(ActivityInstance visit) {
    return visit.data().get(ITEM) instanceof Long n ? n : 0;
  }

  public static ActivityInstance item(ActivityInstance visit, long position) {
    return visit.with(ITEM, position);
  }

  /** The joins of this fork that have fired, and now take in what comes late. */
  public static Set<String> joined(ActivityInstance fork) {
    return fork.data().get(JOINED) instanceof List<?> joins
        ? joins.stream().map(String::valueOf).collect(Collectors.toUnmodifiableSet())
        : Set.of();
  }

  public static ActivityInstance joined(ActivityInstance fork, Collection<String> joins) {
    return fork.with(JOINED, List.copyOf(joins));
  }

  /** True if this visit is going to undo a visit that is kept. */
  public static boolean isUndoneBy(ActivityInstance visit, ActivityInstance kept) {
    return Long.valueOf(visit.visit()).equals(kept.data().get(UNDONE_BY));
  }

  public static ActivityInstance undoneBy(ActivityInstance kept, ActivityInstance visit) {
    return kept.with(UNDONE_BY, visit.visit());
  }

  /** A kept visit that is undone by whatever was going to undo the scope it stood in. */
  static ActivityInstance undoneAs(ActivityInstance kept, ActivityInstance scope) {
    return kept.with(UNDONE_BY, scope.data().get(UNDONE_BY));
  }
}
