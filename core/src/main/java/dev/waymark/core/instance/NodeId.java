package dev.waymark.core.instance;

import static java.util.Objects.requireNonNull;

import java.util.UUID;

/**
 * One process, from its start to its end. A restart is another node: what the old one ran must be
 * taken over, and its late writes must be told apart from the new one's.
 */
public record NodeId(UUID value) {

  public NodeId {
    requireNonNull(value, "value");
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
