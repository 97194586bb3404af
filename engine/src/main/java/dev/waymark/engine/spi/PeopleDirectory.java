package dev.waymark.engine.spi;

import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * The application's knowledge about its people. The engine asks it before it makes a command, never
 * inside a step, and the answer travels in the command.
 */
public interface PeopleDirectory {

  /**
   * An empty directory: a caller is in the groups that it names itself, and no person stands for
   * another.
   */
  PeopleDirectory NONE = (tenant, group) -> List.of();

  /** The members of a group, in an order that stays the same; empty if they are not known. */
  List<String> members(String tenant, String group);

  /**
   * The people for whom a user may act at that moment: those who are out of office and have named
   * this user as substitute.
   */
  default Set<String> standsFor(String tenant, String user, Instant at) {
    return Set.of();
  }
}
