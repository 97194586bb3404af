package dev.waymark.engine;

import dev.waymark.core.Limits;
import java.time.Duration;

/**
 * The engine's times and bounds.
 *
 * @param nodeLease how long a node counts as alive after a renewal
 * @param renewEvery how often a node renews
 * @param pollEvery how often a node looks for work of which it was not told
 * @param watchEvery how often a node looks whether the bodies it runs are still its own
 * @param auditEvery how often a node compares the bodies that it runs with the visits that name it
 *     in the store
 * @param inboxEvery how often a node takes a full look at waiting messages
 * @param gatherEvents how long events may gather before they are read and delivered together
 * @param maxBodies bodies that may run at once; more of them are left ready
 * @param maxQueued commands that may wait in one node; callers on top are refused
 * @param callTimeout how long a caller waits for an answer unless it says otherwise
 * @param suspectAfter a body during which this number of nodes have died runs only alone on its
 *     node, so that the next crash tells whether this body is the cause; with fewer crashes it runs
 *     beside others
 * @param unusedPayloads how long a payload is kept after it was put, or was named in a request,
 *     while no run uses it
 * @param largestPayload the largest payload that is taken in, in bytes; at most 1 GiB
 * @param manual whether a body runs only when a caller asks for it, step by step
 */
public record Settings(
    Duration nodeLease,
    Duration renewEvery,
    Duration pollEvery,
    Duration watchEvery,
    Duration auditEvery,
    Duration inboxEvery,
    Duration gatherEvents,
    int maxBodies,
    int maxQueued,
    Duration callTimeout,
    int suspectAfter,
    Duration unusedPayloads,
    long largestPayload,
    boolean manual) {

  /** One crash may have many reasons; whatever runs when the second one comes is watched. */
  private static final int SUSPECT_AFTER = 2;

  private static final long LARGEST_PAYLOAD = 64L << 20;

  public static final Settings DEFAULT =
      new Settings(
          Duration.ofSeconds(15),
          Duration.ofSeconds(5),
          Duration.ofSeconds(1),
          Duration.ofSeconds(1),
          Duration.ofSeconds(30),
          Duration.ofMinutes(10),
          Duration.ofMillis(20),
          5_000,
          100_000,
          Duration.ofSeconds(30),
          SUSPECT_AFTER,
          Duration.ofDays(1),
          LARGEST_PAYLOAD,
          false);

  public Settings {
    requirePause("nodeLease", nodeLease);
    requirePause("renewEvery", renewEvery);
    requirePause("pollEvery", pollEvery);
    requirePause("watchEvery", watchEvery);
    requirePause("auditEvery", auditEvery);
    requirePause("inboxEvery", inboxEvery);
    requirePause("callTimeout", callTimeout);
    if (gatherEvents.isNegative() || gatherEvents.compareTo(Limits.DURATION) > 0) {
      throw new IllegalArgumentException(
          "Expected 0 to %s for 'gatherEvents', but got %s"
              .formatted(Limits.DURATION, gatherEvents));
    }
    if (renewEvery.compareTo(nodeLease.dividedBy(2)) > 0) {
      throw new IllegalArgumentException(
          "Expected 'renewEvery' to be at most half of 'nodeLease', but got %s and %s"
              .formatted(renewEvery, nodeLease));
    }
    requireOne("maxBodies", maxBodies);
    requireOne("maxQueued", maxQueued);
    requireOne("suspectAfter", suspectAfter);
    requirePause("unusedPayloads", unusedPayloads);
    if (unusedPayloads.compareTo(Limits.PAYLOAD_KEPT) < 0) {
      throw new IllegalArgumentException(
          "Expected at least %s for 'unusedPayloads', but got %s"
              .formatted(Limits.PAYLOAD_KEPT, unusedPayloads));
    }
    if (largestPayload < 1 || largestPayload > Limits.PAYLOAD_BYTES) {
      throw new IllegalArgumentException(
          "Expected 1 to %,d bytes for 'largestPayload', but got %,d"
              .formatted(Limits.PAYLOAD_BYTES, largestPayload));
    }
  }

  private static void requireOne(String what, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(
          "Expected 1 or more for '%s', but got %d".formatted(what, value));
    }
  }

  /** A pause of nothing would be a busy loop. */
  private static void requirePause(String what, Duration value) {
    if (value.isNegative() || value.isZero() || value.compareTo(Limits.DURATION) > 0) {
      throw new IllegalArgumentException(
          "Expected more than 0 and at most %s for '%s', but got %s"
              .formatted(Limits.DURATION, what, value));
    }
  }

  /** Sets the number of crashes after which a body runs only alone; 1 for after the first. */
  public Settings withSuspectAfter(int crashes) {
    return new Settings(
        nodeLease,
        renewEvery,
        pollEvery,
        watchEvery,
        auditEvery,
        inboxEvery,
        gatherEvents,
        maxBodies,
        maxQueued,
        callTimeout,
        crashes,
        unusedPayloads,
        largestPayload,
        manual);
  }

  /**
   * Settings for one engine alone under a virtual clock: nothing is polled and no lease ends by
   * itself.
   */
  public Settings alone() {
    Duration never = Duration.ofDays(36_500);
    return new Settings(
        never,
        never.dividedBy(4),
        never,
        never,
        never,
        never,
        Duration.ZERO,
        maxBodies,
        maxQueued,
        callTimeout,
        suspectAfter,
        unusedPayloads,
        largestPayload,
        manual);
  }

  public Settings stepByStep() {
    return new Settings(
        nodeLease,
        renewEvery,
        pollEvery,
        watchEvery,
        auditEvery,
        inboxEvery,
        gatherEvents,
        maxBodies,
        maxQueued,
        callTimeout,
        suspectAfter,
        unusedPayloads,
        largestPayload,
        true);
  }

  /**
   * Sets how long a payload is kept that no run uses, and how large one may be.
   *
   * @param largest in bytes
   */
  public Settings withPayloads(Duration unused, long largest) {
    return new Settings(
        nodeLease,
        renewEvery,
        pollEvery,
        watchEvery,
        auditEvery,
        inboxEvery,
        gatherEvents,
        maxBodies,
        maxQueued,
        callTimeout,
        suspectAfter,
        unused,
        largest,
        manual);
  }

  public Settings withMaxBodies(int bodies) {
    return new Settings(
        nodeLease,
        renewEvery,
        pollEvery,
        watchEvery,
        auditEvery,
        inboxEvery,
        gatherEvents,
        bodies,
        maxQueued,
        callTimeout,
        suspectAfter,
        unusedPayloads,
        largestPayload,
        manual);
  }
}
