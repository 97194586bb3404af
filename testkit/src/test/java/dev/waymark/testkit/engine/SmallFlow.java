package dev.waymark.testkit.engine;

import dev.waymark.engine.Caller;

/** A definition of a few lines, and who starts it. */
final class SmallFlow {

  static final Caller ALICE = Caller.of("alice");

  private SmallFlow() {}

  static String definition(String start, String activities) {
    return "waymark: 1\nkey: flow\nstart: " + start + "\nactivities:\n" + activities;
  }
}
