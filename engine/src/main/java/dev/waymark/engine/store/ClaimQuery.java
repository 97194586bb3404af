package dev.waymark.engine.store;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Candidates;
import dev.waymark.engine.query.ClaimOrder;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A request for the next waits to claim. Equal requests are served by one statement.
 *
 * @param names the names under which waits are looked for: {@code user:…}, {@code group:…}, and the
 *     empty name for waits without candidates
 * @param actor the user who gets no wait from which he is excluded; absent if exclusions do not
 *     matter
 * @param extensions how often a lease may be extended
 */
public record ClaimQuery(
    String tenant,
    Set<BookmarkKind> kinds,
    Set<String> names,
    @Nullable String actor,
    ClaimOrder order,
    Duration lease,
    int extensions) {

  public ClaimQuery {
    Limits.name("a tenant", tenant);
    requireNonNull(order, "order");
    kinds = Set.copyOf(kinds);
    names = Set.copyOf(names);
    if (kinds.isEmpty() || kinds.contains(BookmarkKind.TIMER)) {
      throw new IllegalArgumentException(
          "Expected kinds that can be claimed, but got " + (kinds.isEmpty() ? "none" : "timers"));
    }
    var unused = Limits.lease(lease);
    if (extensions < 0 || extensions > Limits.LEASE_EXTENSIONS) {
      throw new IllegalArgumentException(
          "Expected 0 to %d extensions, but got %d".formatted(Limits.LEASE_EXTENSIONS, extensions));
    }
  }

  /** A claim of waits without candidates, and of waits for this holder alone. */
  public static ClaimQuery of(String tenant, BookmarkKind kind, String holder, Duration lease) {
    return new ClaimQuery(
        tenant,
        Set.of(kind),
        Set.of(Candidates.ANYBODY_AT_ALL, Candidates.user(holder)),
        holder,
        ClaimOrder.PRIORITY_THEN_AGE,
        lease,
        Limits.LEASE_EXTENSIONS);
  }

  /** The kinds as they are stored, in their order. */
  @SuppressWarnings("EnumOrdinal") // The order of the kinds is what is stored.
  public List<Integer> kindCodes() {
    return kinds.stream().map(BookmarkKind::ordinal).sorted().toList();
  }

  /** The names of waits with one name or none, in an order that does not depend on the process. */
  public List<String> sortedNames() {
    return List.copyOf(new TreeSet<>(names));
  }

  /** The marks of waits that name several. */
  public List<String> severalNames() {
    Set<String> marks = new LinkedHashSet<>();
    for (String name : sortedNames()) {
      if (!name.isEmpty()) {
        marks.add(Candidates.SEVERAL + name);
      }
    }
    return List.copyOf(marks);
  }

  /** The mark of waits from which the actor is excluded. */
  public @Nullable String barred() {
    return actor == null ? null : Candidates.barred(actor);
  }
}
