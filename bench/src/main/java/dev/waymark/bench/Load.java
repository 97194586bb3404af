package dev.waymark.bench;

/** Clients in a closed loop: each asks for its next step when the last one is durable. */
interface Load extends AutoCloseable {

  void start();

  /** Lets every client finish its instance, and throws what went wrong in any of them. */
  void stop() throws InterruptedException;

  @Override
  void close();
}
