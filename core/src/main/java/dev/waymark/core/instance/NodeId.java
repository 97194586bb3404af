package dev.waymark.core.instance;

import static java.util.Objects.requireNonNull;

import java.util.UUID;

/**
 * One process, from its start to its end. A restart is another node: the bodies of the old one must
 * be taken over, and its late writes must be told apart from those of the new one.
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
