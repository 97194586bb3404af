package dev.waymark.engine.bookmark;

import static dev.waymark.core.Arguments.given;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.engine.query.ClaimOrder;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request for the next waits. With any request a caller gets only waits of its own tenant that it
 * may act on.
 *
 * @param holder a further name under which the caller holds it; absent, the caller's own alone
 * @param groups only waits for one of these groups; empty for all waits that the caller may act on
 * @param assignee only waits for this user
 * @param extensions how often the lease may be extended
 * @param batch how many at most
 */
public record ClaimRequest(
    @Nullable String holder,
    Duration lease,
    Set<BookmarkKind> kinds,
    Set<String> groups,
    @Nullable String assignee,
    ClaimOrder order,
    int extensions,
    int batch) {

  private static final int EXTENSIONS = 2;

  public ClaimRequest {
    given("lease, kinds, groups, order", lease, kinds, groups, order);
    Limits.optionalName("a holder", holder);
    Limits.optionalName("an assignee", assignee);
    kinds = Set.copyOf(kinds);
    groups = Set.copyOf(groups);
    groups.forEach(group -> Limits.name("a group", group));
    if (batch < 1 || batch > Limits.CLAIMS) {
      throw new IllegalArgumentException(
          "Expected to claim 1 to %d bookmarks, but got %d".formatted(Limits.CLAIMS, batch));
    }
  }

  /** One task or approval, the most urgent first, to be extended twice at most. */
  public static ClaimRequest lasting(Duration lease) {
    given("lease", lease);
    return new ClaimRequest(
        null,
        lease,
        Set.of(BookmarkKind.USER_ACTION, BookmarkKind.APPROVAL),
        Set.of(),
        null,
        ClaimOrder.PRIORITY_THEN_AGE,
        EXTENSIONS,
        1);
  }

  /**
   * Tells claims of one caller apart, such as those of several machines. A wait that is claimed so
   * is held by {@code caller#name}, and is answered and given back with its fence.
   */
  public ClaimRequest as(String name) {
    given("name", name);
    return new ClaimRequest(name, lease, kinds, groups, assignee, order, extensions, batch);
  }

  public ClaimRequest kinds(BookmarkKind first, BookmarkKind... others) {
    given("first, others", first, others);
    Set<BookmarkKind> all = new LinkedHashSet<>(Set.of(others));
    all.add(first);
    return new ClaimRequest(holder, lease, all, groups, assignee, order, extensions, batch);
  }

  public ClaimRequest ofGroups(Set<String> some) {
    given("some", some);
    return new ClaimRequest(holder, lease, kinds, some, assignee, order, extensions, batch);
  }

  public ClaimRequest assignedTo(String user) {
    given("user", user);
    return new ClaimRequest(holder, lease, kinds, groups, user, order, extensions, batch);
  }

  public ClaimRequest orderedBy(ClaimOrder another) {
    given("another", another);
    return new ClaimRequest(holder, lease, kinds, groups, assignee, another, extensions, batch);
  }

  public ClaimRequest extensions(int atMost) {
    return new ClaimRequest(holder, lease, kinds, groups, assignee, order, atMost, batch);
  }

  public ClaimRequest batch(int atMost) {
    return new ClaimRequest(holder, lease, kinds, groups, assignee, order, extensions, atMost);
  }
}
