package dev.waymark.engine.internal.bookmark;

import static dev.waymark.core.Arguments.given;
import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.engine.bookmark.BookmarkWorker;
import dev.waymark.engine.bookmark.BookmarkWorkerBuilder;
import dev.waymark.engine.query.ClaimOrder;
import java.time.Duration;
import java.util.Set;
import java.util.function.Function;

/** Collects the wishes for a worker and starts it. */
public final class EngineBookmarkWorkerBuilder implements BookmarkWorkerBuilder {

  private final BookmarkKind kind;
  private final Function<EngineBookmarkWorker.WorkerPlan, EngineBookmarkWorker> starter;
  private String name;
  private Set<String> groups = Set.of();
  private Set<String> tenants = Set.of();
  private int concurrency = 1;
  private ClaimOrder order = ClaimOrder.PRIORITY_THEN_AGE;
  private Duration lease = Duration.ofSeconds(30);
  private Duration longestRest = Duration.ofSeconds(1);

  public EngineBookmarkWorkerBuilder(
      BookmarkKind kind,
      String name,
      Function<EngineBookmarkWorker.WorkerPlan, EngineBookmarkWorker> starter) {
    if (kind == BookmarkKind.TIMER || kind == BookmarkKind.MANUAL_INTERVENTION) {
      throw new IllegalArgumentException(
          "Expected a kind of wait that a program can answer, but got "
              + kind
              + (kind == BookmarkKind.TIMER
                  ? ": it fires by itself"
                  : ": a person resolves it with one of its actions"));
    }
    this.kind = requireNonNull(kind, "kind");
    this.name = name;
    this.starter = starter;
  }

  @Override
  public BookmarkWorkerBuilder name(String given) {
    given("name", given);
    name = Limits.name("a worker's name", given);
    return this;
  }

  @Override
  public BookmarkWorkerBuilder groups(Set<String> given) {
    given("groups", given);
    groups = Set.copyOf(given);
    return this;
  }

  @Override
  public BookmarkWorkerBuilder tenants(Set<String> given) {
    given("tenants", given);
    tenants = Set.copyOf(given);
    return this;
  }

  @Override
  public BookmarkWorkerBuilder concurrency(int given) {
    if (given < 1 || given > Limits.CLAIMS) {
      throw new IllegalArgumentException(
          "Expected a concurrency of 1 to %d, but got %d".formatted(Limits.CLAIMS, given));
    }
    concurrency = given;
    return this;
  }

  @Override
  public BookmarkWorkerBuilder orderedBy(ClaimOrder given) {
    given("orderedBy", given);
    order = requireNonNull(given, "order");
    return this;
  }

  @Override
  public BookmarkWorkerBuilder lease(Duration given) {
    given("lease", given);
    if (Limits.lease(given).compareTo(Limits.WORKER_LEASE) < 0) {
      throw new IllegalArgumentException(
          "Expected a worker's lease of %s or more, but got %s"
              .formatted(Limits.WORKER_LEASE, given));
    }
    lease = given;
    return this;
  }

  @Override
  public BookmarkWorkerBuilder longestRest(Duration given) {
    given("longestRest", given);
    if (given.isNegative() || given.isZero()) {
      throw new IllegalArgumentException("Expected a rest of more than 0, but got " + given);
    }
    longestRest = given;
    return this;
  }

  @Override
  public BookmarkWorker handle(BookmarkWorker.Handler handler) {
    given("handler", handler);
    return starter.apply(
        new EngineBookmarkWorker.WorkerPlan(
            kind, name, groups, tenants, concurrency, order, lease, longestRest, handler));
  }
}
