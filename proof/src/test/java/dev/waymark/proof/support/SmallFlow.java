package dev.waymark.proof.support;

import dev.waymark.engine.Caller;

/** A definition of a few lines, and who starts it. */
public final class SmallFlow {

  public static final Caller ALICE = Caller.of("alice");

  private SmallFlow() {}

  public static String definition(String start, String activities) {
    return "waymark: 1\nkey: flow\nstart: " + start + "\nactivities:\n" + activities;
  }
}
