package dev.waymark.core.approval;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Actor;

/**
 * A user, or all members of a group. Definitions write {@code anna} or {@code user:anna}, and
 * {@code group:finance}.
 *
 * @param group whether {@code name} is that of a group
 */
public record Party(String name, boolean group) {

  private static final String USER = "user:";
  private static final String GROUP = "group:";
  private static final String ROLE = "role:";

  public Party {
    Limits.name(group ? "a group" : "a user", name);
  }

  public static Party user(String id) {
    return new Party(id, false);
  }

  public static Party group(String id) {
    return new Party(id, true);
  }

  public static Party of(String text) {
    if (text.startsWith(ROLE)) {
      throw new IllegalArgumentException(
          "Expected a user, or a group as group:name, but got '%s'".formatted(text));
    }
    return text.startsWith(GROUP)
        ? group(text.substring(GROUP.length()))
        : user(text.startsWith(USER) ? text.substring(USER.length()) : text);
  }

  /**
   * The name of one person, for places where a group is not possible: excluded people, assignees
   * and substitutes.
   *
   * @throws IllegalArgumentException if it names a group or a role
   */
  public static String person(String text) {
    if (text.startsWith(GROUP) || text.startsWith(ROLE)) {
      throw new IllegalArgumentException(
          "Expected the name of a user, but got '%s'".formatted(text));
    }
    return of(text).name();
  }

  public boolean has(Actor actor) {
    return group ? actor.groups().contains(name) : actor.id().equals(name);
  }

  @Override
  public String toString() {
    return group ? GROUP + name : name;
  }
}
