package dev.waymark.engine.internal.node;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.Settings;
import dev.waymark.engine.spi.CrashPoints;
import dev.waymark.engine.spi.Scheduler;
import dev.waymark.engine.store.Store;
import java.time.Instant;
import java.time.InstantSource;

/**
 * This process: its id, its clock, its threads, and the store that it shares with other processes.
 *
 * <p>Its id changes when it finds itself declared dead. Steps that are decided from then on are
 * decided as the new node.
 */
public final class ThisNode {

  private final Store store;
  private final Scheduler scheduler;
  private final InstantSource clock;
  private final Settings settings;
  private final CrashPoints crash;
  private volatile NodeId id;
  private volatile boolean draining;

  public ThisNode(
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

  public Store store() {
    return store;
  }

  public Scheduler scheduler() {
    return scheduler;
  }

  public Instant now() {
    return clock.instant();
  }

  public Settings settings() {
    return settings;
  }

  public CrashPoints crash() {
    return crash;
  }

  public NodeId id() {
    return id;
  }

  public void becomes(NodeId another) {
    id = another;
  }

  /** From now on no body begins here: visits that steps start are left ready for other nodes. */
  public void drain() {
    draining = true;
  }

  public boolean isDraining() {
    return draining;
  }
}
