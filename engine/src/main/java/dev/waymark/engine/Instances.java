package dev.waymark.engine;

import dev.waymark.core.explain.Explanation;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.query.StateCount;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Runs of definitions: started, found, listed, explained and awaited. */
public interface Instances {

  Answer start(StartRequest request, Caller caller);

  CompletableFuture<Answer> startAsync(StartRequest request, Caller caller);

  Optional<Instance> find(InstanceId instance, Caller caller);

  /** A page of instances, from the newest to the oldest, without their variables. */
  List<Instance> list(InstanceQuery query, Caller caller);

  /**
   * The live runs of the caller's tenant, counted for each version of a definition: running, parked
   * and held. The cost grows with the number of live runs; ended ones are not counted, because
   * their number grows for ever.
   */
  List<StateCount> counts(Caller caller);

  /**
   * Runs that began at least so long ago and have not ended, the oldest first. The engine does
   * nothing about them: only time-outs that a definition declares end a run.
   */
  List<Instance> longRunning(Duration age, @Nullable InstanceId after, int limit, Caller caller);

  /** The first children of an instance, in the order of the visits that asked for them. */
  List<Instance> children(InstanceId instance, Caller caller);

  /** The next children of an instance, after the last one of the page before. */
  List<Instance> children(InstanceId instance, Instance after, Caller caller);

  /**
   * The first entries of an instance's history from a step on. A page ends after this number of
   * entries, or earlier if they are large, also in the middle of a step: {@link
   * #history(InstanceId, HistoryEntry, int, Caller)} goes on behind its last entry.
   */
  List<HistoryEntry> history(InstanceId instance, long fromVersion, int limit, Caller caller);

  /** The entries behind the last one of the page before; none if there is nothing more. */
  List<HistoryEntry> history(InstanceId instance, HistoryEntry after, int limit, Caller caller);

  /** The instance as it was after the given step. */
  Optional<StateAt> stateAt(InstanceId instance, long version, Caller caller);

  /**
   * An SVG image of the definition, with the activities at which an instance stands and those that
   * it has completed.
   */
  Optional<String> diagram(InstanceId instance, Caller caller);

  /**
   * The reasons why an instance stands where it stands: its waits, the people who can move it, and
   * the calls that do so.
   */
  Optional<Explanation> explain(InstanceId instance, Caller caller);

  /** Waits until an instance has ended, here or on another node. */
  Instance awaitEnd(InstanceId instance, Duration atMost, Caller caller);

  /**
   * Runs the next ready body of an instance and commits its result. For engines built {@code
   * stepByStep}, where nothing else runs bodies.
   *
   * @return false if nothing is ready
   */
  boolean runStep(InstanceId instance, Caller caller);

  /** Runs bodies of an instance until it waits for something else or has ended. */
  void runUntilWaiting(InstanceId instance, Caller caller);
}
