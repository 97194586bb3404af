package dev.waymark.engine;

/** Something that a node does without being asked, from its start until it is stopped. */
interface Worker {

  void start();

  void stop();
}
