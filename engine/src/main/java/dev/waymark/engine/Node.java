package dev.waymark.engine;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.store.Store;
import java.time.Instant;
import java.time.InstantSource;

/**
 * This process: its id, its clock, its threads, and the store that it shares with other processes.
 *
 * <p>Its id changes when it finds itself declared dead. Steps that are decided from then on are
 * decided as the new node.
 */
final class Node {

  private final Store store;
  private final Scheduler scheduler;
  private final InstantSource clock;
  private final Settings settings;
  private final CrashPoints crash;
  private volatile NodeId id;
  private volatile boolean draining;

  Node(
      Store store,
      Scheduler scheduler,
      InstantSource clock,
      Settings settings,
      CrashPoints crash,
      NodeId id) {
    this.store = store;
    this.scheduler = scheduler;
    this.clock = clock;
    this.settings = settings;
    this.crash = crash;
    this.id = requireNonNull(id, "id");
  }

  Store store() {
    return store;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  Instant now() {
    return clock.instant();
  }

  Settings settings() {
    return settings;
  }

  CrashPoints crash() {
    return crash;
  }

  NodeId id() {
    return id;
  }

  void becomes(NodeId another) {
    id = another;
  }

  /** From now on no body begins here: visits that steps start are left ready for other nodes. */
  void drain() {
    draining = true;
  }

  boolean isDraining() {
    return draining;
  }
}
