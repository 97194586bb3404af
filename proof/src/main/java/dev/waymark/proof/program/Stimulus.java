package dev.waymark.proof.program;

import java.util.Map;

/**
 * What comes to a program from outside. Before each of them a second passes and everything comes to
 * rest, so that no two things that matter happen at the same moment by accident.
 */
public sealed interface Stimulus {

  /** An answer to the open wait of that key. */
  record Answer(String key, Map<String, Object> payload) implements Stimulus {}

  /** A message to the main run. */
  record Message(String name, Map<String, Object> payload) implements Stimulus {}

  record Signal(String name, Map<String, Object> payload) implements Stimulus {}

  /** An operator ends the main run. */
  record Cancel(boolean compensate) implements Stimulus {}

  /** An operator holds the main run. */
  record Suspend() implements Stimulus {}

  /** An operator lets the main run go on. */
  record Continue() implements Stimulus {}

  /** Somebody tries to say something that is no data: it is refused, and nothing comes of it. */
  record Unfit(Stimulus said) implements Stimulus {}

  record Pass(long seconds) implements Stimulus {}
}
