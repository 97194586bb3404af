package dev.waymark.engine.spi;

import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * The application's knowledge about its people. The engine asks it before it makes a command, never
 * inside a step, and what it said travels in the command.
 */
public interface PeopleDirectory {

  /** Knows nobody: groups are what callers say they are in, and nobody stands for another. */
  PeopleDirectory NONE = (tenant, group) -> List.of();

  /** The members of a group, in an order that stays the same; empty if they are not known. */
  List<String> members(String tenant, String group);

  /** For whom a user may act at that moment: who is out of office and has named this substitute. */
  default Set<String> standsFor(String tenant, String user, Instant at) {
    return Set.of();
  }
}
