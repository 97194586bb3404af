package dev.waymark.engine.store;

import java.util.Collection;
import java.util.Map;

/** Whose turn it is in groups, and how much its members have. */
public interface Turns {

  /** The next number of a group, from 1: everybody who asks gets another one. */
  long next(String tenant, String group);

  /** How many open waits name each of these users; who has none is left out. */
  Map<String, Long> loads(String tenant, Collection<String> users);
}
