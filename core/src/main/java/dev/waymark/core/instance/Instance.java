package dev.waymark.core.instance;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * One run of a definition at one version: all data that the next decision may look at.
 *
 * <p>It holds only what is alive. Closed bookmarks and ended visits are history, so that loading
 * and deciding cost as much as the run has open, however long its history is.
 *
 * @param version the number of steps taken; 0 is a run that does not exist yet
 * @param visits the last visit number given out
 * @param loops visits since the last wait, for activities that lie on a cycle
 */
public record Instance(
    InstanceId id,
    Origin origin,
    long version,
    Status status,
    Map<String, @Nullable Object> variables,
    Map<String, String> labels,
    SortedMap<Long, ActivityInstance> activities,
    SortedMap<BookmarkId, Bookmark> bookmarks,
    long visits,
    Map<String, Integer> loops,
    @Nullable Hold hold,
    @Nullable Fault fault,
    @Nullable Instant ended) {

  /**
   * The facts that a run was started with. They stay, but for its definition's version.
   *
   * @param parent the run that asked for it as a child; absent for a run that a caller, a message
   *     or a schedule has started
   */
  public record Origin(
      String tenant,
      long definition,
      @Nullable String businessKey,
      @Nullable String correlationId,
      @Nullable String traceParent,
      Instant created,
      @Nullable Parent parent) {

    /**
     * The visit of another run that asked for this one.
     *
     * @param reports whether the child tells that visit of its end
     * @param depth how many runs are above the child: 1 if its parent was started from outside
     */
    public record Parent(InstanceId instance, long visit, boolean reports, int depth) {

      /** The depth of a child whose parent has no parent. */
      public Parent(InstanceId instance, long visit, boolean reports) {
        this(instance, visit, reports, 1);
      }

      public Parent {
        requireNonNull(instance, "instance");
        if (visit < 1) {
          throw new IllegalArgumentException("Expected a visit of 1 or more, but got " + visit);
        }
        if (depth < 1) {
          throw new IllegalArgumentException("Expected a depth of 1 or more, but got " + depth);
        }
      }

      public Parent at(int newDepth) {
        return new Parent(instance, visit, reports, newDepth);
      }
    }

    /** The number of runs above this one: its parent, the parent of that, and so on. */
    public int depth() {
      return parent == null ? 0 : parent.depth();
    }

    public Origin {
      requireNonNull(tenant, "tenant");
      requireNonNull(created, "created");
    }

    /** The same on another version of its definition: all that a migration changes of it. */
    public Origin on(long newDefinition) {
      return new Origin(
          tenant, newDefinition, businessKey, correlationId, traceParent, created, parent);
    }
  }

  public Instance {
    requireNonNull(id, "id");
    requireNonNull(origin, "origin");
    requireNonNull(status, "status");
    if (version < 0 || visits < 0) {
      throw new IllegalArgumentException(
          "Expected version and visits ≥ 0, but got %d and %d".formatted(version, visits));
    }
    if (status.isTerminal() && !(activities.isEmpty() && bookmarks.isEmpty())) {
      throw new IllegalStateException(
          "Expected nothing alive in %s instance %s, but found %s and %s"
              .formatted(status, id, activities.keySet(), bookmarks.keySet()));
    }
  }

  /** The same with other waits; for claims, which move no version. */
  public Instance with(SortedMap<BookmarkId, Bookmark> otherBookmarks) {
    return new Instance(
        id,
        origin,
        version,
        status,
        variables,
        labels,
        activities,
        otherBookmarks,
        visits,
        loops,
        hold,
        fault,
        ended);
  }

  public String tenant() {
    return origin.tenant();
  }

  public @Nullable ActivityInstance activity(long visit) {
    return activities.get(visit);
  }

  /** The variables as a visit sees them: those of the run, and over them its scopes' own. */
  public Map<String, @Nullable Object> variablesAt(ActivityInstance visit) {
    return Locals.seenFrom(activities, variables, Locals.placeOf(visit));
  }

  /** The open waits of one visit, oldest tag first. */
  public List<Bookmark> bookmarksOf(long visit) {
    return bookmarks.values().stream().filter(b -> b.visit() == visit).toList();
  }
}
