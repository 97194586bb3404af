package dev.waymark.core.approval;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Actor;

/**
 * A user, or whoever is in a group. Definitions write {@code anna} and {@code group:finance}.
 *
 * @param group whether {@code name} is that of a group
 */
public record Party(String name, boolean group) {

  private static final String GROUP = "group:";

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
    return text.startsWith(GROUP) ? group(text.substring(GROUP.length())) : user(text);
  }

  public boolean has(Actor actor) {
    return group ? actor.groups().contains(name) : actor.id().equals(name);
  }

  @Override
  public String toString() {
    return group ? GROUP + name : name;
  }
}
