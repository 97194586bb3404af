package dev.waymark.core.instance;

import dev.waymark.core.Limits;
import java.util.Set;

/**
 * Who asks: a person, a partner or the engine itself. Every command carries one, history keeps it.
 *
 * <p>The tenant belongs to the actor because it comes from the authenticated context and from
 * nowhere else.
 */
public record Actor(String id, String tenant, Set<String> groups, Set<String> roles) {

  public static final String DEFAULT_TENANT = "default";

  public Actor {
    Limits.name("an actor id", id);
    Limits.name("a tenant", tenant);
    groups = Set.copyOf(groups);
    roles = Set.copyOf(roles);
    groups.forEach(group -> Limits.name("a group", group));
    roles.forEach(role -> Limits.name("a role", role));
  }

  public static Actor of(String id) {
    return new Actor(id, DEFAULT_TENANT, Set.of(), Set.of());
  }

  /** The engine acting on its own account: timers, retries, takeovers. */
  public static Actor engine(String tenant) {
    return tenant.equals(DEFAULT_TENANT)
        ? ENGINE
        : new Actor("waymark", tenant, Set.of(), Set.of());
  }

  private static final Actor ENGINE = of("waymark");

  public Actor in(String otherTenant) {
    return new Actor(id, otherTenant, groups, roles);
  }
}
