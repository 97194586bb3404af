package dev.waymark.core.instance;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * One run of a definition at one version: everything that the next decision may look at.
 *
 * <p>It holds only what is alive. Closed bookmarks and ended visits are history, so that loading
 * and deciding cost what the run has open, not what it has been through.
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

  /** What a run was started as and stays for ever. */
  public record Origin(
      String tenant,
      long definition,
      @Nullable String businessKey,
      @Nullable String correlationId,
      @Nullable String traceParent,
      Instant created) {

    public Origin {
      requireNonNull(tenant, "tenant");
      requireNonNull(created, "created");
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

  public String tenant() {
    return origin.tenant();
  }

  public @Nullable ActivityInstance activity(long visit) {
    return activities.get(visit);
  }

  /** The open waits of one visit, oldest tag first. */
  public List<Bookmark> bookmarksOf(long visit) {
    return bookmarks.values().stream().filter(b -> b.visit() == visit).toList();
  }
}
