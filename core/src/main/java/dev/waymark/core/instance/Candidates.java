package dev.waymark.core.instance;

import dev.waymark.core.Limits;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The people who may act on a wait. An assignee acts alone; without one, every named user and every
 * member of a named group may act; without any name, every user of the tenant.
 *
 * @param excluded the people who may never act, even if they are named: the requester under four
 *     eyes, or a person who has decided already
 */
public record Candidates(
    @Nullable String assignee, Set<String> users, Set<String> groups, Set<String> excluded) {

  public static final Candidates ANYBODY = new Candidates(null, Set.of(), Set.of(), Set.of());

  /** The audience of a wait that has no names. */
  public static final String ANYBODY_AT_ALL = "";

  /** The audience of a wait with more names than one, and the beginning of its marks for claims. */
  public static final String SEVERAL = "*";

  private static final String USER = "user:";
  private static final String GROUP = "group:";

  public Candidates {
    if (assignee != null) {
      Limits.name("an assignee", assignee);
    }
    users = checked("a candidate user", users);
    groups = checked("a candidate group", groups);
    excluded = checked("an excluded user", excluded);
  }

  private static Set<String> checked(String what, Set<String> names) {
    names.forEach(name -> Limits.name(what, name));
    if (names.size() > Limits.CANDIDATES_IN_ALL) {
      throw new IllegalArgumentException(
          "Expected at most %d names as %s, but got %d"
              .formatted(Limits.CANDIDATES_IN_ALL, what, names.size()));
    }
    return Set.copyOf(names);
  }

  public static Candidates of(String user) {
    return new Candidates(user, Set.of(), Set.of(), Set.of());
  }

  public boolean allow(Actor actor) {
    if (excluded.contains(actor.id())) {
      return false;
    }
    if (assignee != null) {
      return assignee.equals(actor.id());
    }
    return isOpen()
        || users.contains(actor.id())
        || actor.groups().stream().anyMatch(groups::contains);
  }

  /**
   * The same for an actor who may stand in for others: it is enough if one of the others is named.
   *
   * @param standsFor the people for whom the actor may act now
   */
  public boolean allow(Actor actor, Set<String> standsFor) {
    return allow(actor)
        || (!excluded.contains(actor.id())
            && standsFor.stream().anyMatch(absent -> allow(Actor.of(absent).in(actor.tenant()))));
  }

  /** The reason, as a text, why an actor may not act. */
  public String whyNot(String actor, String key) {
    if (excluded.contains(actor)) {
      return "Expected somebody other than %s for '%s', but it is %s".formatted(actor, key, actor);
    }
    return assignee != null
        ? "Expected %s for '%s', but %s is not".formatted(assignee, key, actor)
        : "Expected one of %s for '%s', but %s is none of them"
            .formatted(String.join(", ", new TreeSet<>(names())), key, actor);
  }

  /** True if there are no names, so that every user may act who is not excluded. */
  public boolean isOpen() {
    return assignee == null && users.isEmpty() && groups.isEmpty();
  }

  public Candidates assignedTo(@Nullable String user) {
    return new Candidates(user, users, groups, excluded);
  }

  /** The names whose inboxes show the wait, as {@code user:…} and {@code group:…}. */
  public Set<String> names() {
    Set<String> names = new LinkedHashSet<>();
    if (assignee != null) {
      names.add(user(assignee));
    } else {
      users.stream().filter(user -> !excluded.contains(user)).forEach(u -> names.add(user(u)));
      groups.forEach(group -> names.add(group(group)));
    }
    return names;
  }

  /**
   * The one name under which a claim of the next wait looks for this one: its only candidate; the
   * empty name where every user may act; {@link #SEVERAL} where it has several names.
   */
  public String audience() {
    if (isOpen()) {
      return ANYBODY_AT_ALL;
    }
    Set<String> names = names();
    return names.size() == 1 ? names.iterator().next() : SEVERAL;
  }

  /** The rows by which a wait is found or hidden: the names, and the people who may never act. */
  public Set<String> marks() {
    Set<String> marks = new LinkedHashSet<>();
    if (!isOpen()) {
      Set<String> names = names();
      marks.addAll(names);
      if (names.size() > 1) {
        names.forEach(name -> marks.add(SEVERAL + name));
      }
    }
    excluded.forEach(user -> marks.add(barred(user)));
    return marks;
  }

  /** The names that the actor may be found under. */
  public static Set<String> namesOf(Actor actor) {
    Set<String> names = new LinkedHashSet<>();
    names.add(user(actor.id()));
    actor.groups().forEach(group -> names.add(group(group)));
    return names;
  }

  /** The mark of a wait that this user may never act on. */
  public static String barred(String user) {
    return "not:" + user;
  }

  /** The mark of an intervention about an error, by which lists of parked visits find it. */
  public static String about(String error) {
    return "error:" + error;
  }

  public static String user(String id) {
    return USER + id;
  }

  public static String group(String id) {
    return GROUP + id;
  }
}
