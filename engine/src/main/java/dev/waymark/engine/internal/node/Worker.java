package dev.waymark.engine.internal.node;

/** Something that a node does without being asked, from its start until it is stopped. */
public interface Worker {

  void start();

  void stop();
}
