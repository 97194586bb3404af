package dev.waymark.engine.store;

import java.util.Collection;
import java.util.Map;

/** Round-robin counters of groups, and the load of their members. */
public interface Turns {

  /** The next number of a group, from 1: every call gets another one. */
  long next(String tenant, String group);

  /** The number of open waits that name each of these users; users with none are left out. */
  Map<String, Long> loads(String tenant, Collection<String> users);
}
