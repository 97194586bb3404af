package dev.waymark.core.instance;

import dev.waymark.core.Limits;
import java.util.Set;

/**
 * The sender of a command: a person, a partner or the engine itself. Every command carries one,
 * history keeps its id.
 *
 * <p>The tenant belongs to the actor because it comes from the authenticated context and from
 * nowhere else.
 *
 * @param tenant the only one whose instances the actor reaches; empty for {@link #ENGINE}, and for
 *     no other actor
 */
public record Actor(String id, String tenant, Set<String> groups, Set<String> roles) {

  public static final String DEFAULT_TENANT = "default";

  private static final String ENGINE_ID = "waymark";
  private static final String NO_TENANT = "";

  /**
   * The engine looking after a run that exists: timers, bodies, retries, takeovers. The instance
   * that such a command names says which tenant it is for.
   */
  public static final Actor ENGINE = new Actor(ENGINE_ID, NO_TENANT, Set.of(), Set.of());

  public Actor {
    Limits.name("an actor id", id);
    if (!(NO_TENANT.equals(tenant) && ENGINE_ID.equals(id))) {
      Limits.name("a tenant", tenant);
    }
    groups = Set.copyOf(groups);
    roles = Set.copyOf(roles);
    groups.forEach(group -> Limits.name("a group", group));
    roles.forEach(role -> Limits.name("a role", role));
  }

  public static Actor of(String id) {
    return new Actor(id, DEFAULT_TENANT, Set.of(), Set.of());
  }

  /** The engine acting for a tenant: it begins a run there, or delivers a message of it. */
  public static Actor engine(String tenant) {
    return new Actor(ENGINE_ID, Limits.name("a tenant", tenant), Set.of(), Set.of());
  }

  /** True if instances of this tenant are there for the actor. */
  public boolean reaches(String otherTenant) {
    return tenant.equals(NO_TENANT) || tenant.equals(otherTenant);
  }

  public Actor in(String otherTenant) {
    return new Actor(id, otherTenant, groups, roles);
  }
}
